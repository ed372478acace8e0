#include "ingest/stage_times.h"

#include <ctime>

namespace sightline::ingest {
namespace {

/// CPU time of the calling thread.
std::int64_t ThreadCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

const char* StageName(Stage stage) {
  switch (stage) {
    case Stage::kOcr:
      return "ocr";
    case Stage::kSpeech:
      return "speech";
    case Stage::kText:
      return "text";
    case Stage::kPictures:
      return "pictures";
    case Stage::kAnalysis:
      return "analysis";
    case Stage::kCompose:
      return "compose";
    case Stage::kPooling:
      return "pooling";
  }
  return "unknown";
}

StageTimer::StageTimer(StageTimes& times, Stage stage)
    : times_(times), stage_(stage), start_ns_(ThreadCpuNs()) {}

StageTimer::~StageTimer() { times_.Add(stage_, ThreadCpuNs() - start_ns_); }

}  // namespace sightline::ingest
