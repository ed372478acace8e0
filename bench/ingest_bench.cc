// Ingest: pages or seconds of video a second, and where the CPU time goes. The decoder works in
// processes of its own; how its time divides is measured after, by decoding once more in this one.
//
//   build/bench/bench/ingest_bench FILE…    (one JSON object on stdout; see bench/README.md)

#include <sys/resource.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/ulid.h"
#include "engine/components.h"
#include "ingest/pipeline.h"
#include "io/file_system.h"
#include "media/decoder/measure_decode.h"

namespace sightline {
namespace {

using base::Result;
using base::Status;

double CpuSeconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// CPU seconds so far of the threads that encode texts: they work for callers on other threads.
double TextThreadsCpuSeconds() {
  double ticks = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t open = line.find('(');
    const std::size_t close = line.rfind(')');
    if (close == std::string::npos || line.compare(open + 1, 5, "text-") != 0) continue;
    // proc(5): utime and stime are fields 14 and 15, the name is field 2.
    std::istringstream fields(line.substr(close + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    ticks += user + system;
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Seconds of CPU time by part of the decoder, all files together.
Result<std::map<media::DecodeStage, double>> DecoderStages(int count, char** paths) {
  std::map<media::DecodeStage, double> stages;
  for (int i = 0; i < count; ++i) {
    media::DecodeRequest request;
    request.path = paths[i];
    request.file_name = std::filesystem::path(paths[i]).filename().string();
    SIGHTLINE_ASSIGN_OR_RETURN(const media::DecodeMeasure measure, media::MeasureDecode(request));
    for (int stage = 0; stage < static_cast<int>(media::DecodeStage::kCount); ++stage) {
      const auto which = static_cast<media::DecodeStage>(stage);
      stages[which] += measure.stages.seconds(which);
    }
  }
  return stages;
}

Result<store::Document> Ingest(const std::string& path, engine::Components& components,
                               ingest::Pipeline& pipeline) {
  static base::UlidGenerator ulids(base::SystemClock(), base::SystemRandom());
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes,
                             io::PosixFileSystem().ReadFile(path, std::uint64_t{1} << 30));
  store::Document document;
  document.id = ulids.Next().ToString();
  document.file_name = std::filesystem::path(path).filename().string();
  SIGHTLINE_ASSIGN_OR_RETURN(document.blob_sha256, components.blobs->Put(bytes));
  SIGHTLINE_RETURN_IF_ERROR(components.catalog->CreateDocument(document));
  return pipeline.Run(document, {}, {});
}

Status Run(int count, char** paths, const std::string& folder) {
  engine::Config config;
  config.data_dir = folder;
  config.registry = "models/registry.toml";
  config.decoder = (std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() /
                    "src" / "cmd" / "sightline-decode")
                       .string();
  SIGHTLINE_ASSIGN_OR_RETURN(engine::Components components, engine::OpenComponents(config));
  ingest::PipelineOptions options;
  options.encode_threads = engine::EncoderThreads(config);
  ingest::Pipeline pipeline(components.ingest_services(), options);
  // Opening the models is not ingest.
  SIGHTLINE_ASSIGN_OR_RETURN(const auto text, components.models->Text());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto image, components.models->Image());
  const double self_before = CpuSeconds(RUSAGE_SELF);
  const double text_before = TextThreadsCpuSeconds();
  const double child_before = CpuSeconds(RUSAGE_CHILDREN);
  const auto start = base::SystemClock().Now();
  std::int64_t pages = 0;
  std::int64_t video_ms = 0;
  for (int i = 0; i < count; ++i) {
    SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document,
                               Ingest(paths[i], components, pipeline));
    pages += document.page_count;
    if (document.kind == media::DocumentKind::kVideo) video_ms += document.duration_ms;
  }
  const double wall = std::chrono::duration<double>(base::SystemClock().Now() - start).count();
  const double self = CpuSeconds(RUSAGE_SELF) - self_before;
  const double child = CpuSeconds(RUSAGE_CHILDREN) - child_before;
  boost::json::object stages{{"decoder_process", child}};
  double encoders = 0;
  for (std::size_t i = 0; i < ingest::kStageCount; ++i) {
    const auto stage = static_cast<ingest::Stage>(i);
    double seconds = pipeline.times().seconds(stage);
    if (stage == ingest::Stage::kText) seconds += TextThreadsCpuSeconds() - text_before;
    stages[ingest::StageName(stage)] = seconds;
    const bool encodes = stage != ingest::Stage::kAnalysis && stage != ingest::Stage::kCompose &&
                         stage != ingest::Stage::kPooling;
    if (encodes) encoders += seconds;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto parts, DecoderStages(count, paths));
  boost::json::object decoder_stages;
  for (const auto& [stage, seconds] : parts) {
    decoder_stages[media::DecodeStageName(stage)] = seconds;
  }
  const double render = parts.at(media::DecodeStage::kRender);
  const boost::json::object report{
      {"pages", pages},
      {"video_seconds", static_cast<double>(video_ms) / 1e3},
      {"wall_seconds", wall},
      {"pages_per_second", static_cast<double>(pages) / wall},
      {"video_seconds_per_second", static_cast<double>(video_ms) / 1e3 / wall},
      {"cpu_seconds", self + child},
      {"cores_busy", (self + child) / wall},
      {"share_in_encoders_and_renderer", (encoders + render) / (self + child)},
      {"peak_resident_mib", static_cast<double>(usage.ru_maxrss) / 1024},
      {"cpu_seconds_by_stage", stages},
      {"cpu_seconds_by_part_of_the_decoder", decoder_stages}};
  std::puts(boost::json::serialize(report).c_str());
  return base::OkStatus();
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: ingest_bench FILE...  (from the repository's root)\n", stderr);
    return 2;
  }
  std::string folder = (std::filesystem::temp_directory_path() / "sightline-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror("cannot make a temporary folder");
    return 3;
  }
  const sightline::base::Status status = sightline::Run(argc - 1, argv + 1, folder);
  std::filesystem::remove_all(folder);
  if (!status.ok()) std::fprintf(stderr, "ingest_bench: %s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
