#include "media/decoder/stage_clock.h"

#include <time.h>

namespace sightline::media {

const char* DecodeStageName(DecodeStage stage) {
  switch (stage) {
    case DecodeStage::kPageText:
      return "page_text";
    case DecodeStage::kRender:
      return "render";
    case DecodeStage::kPreview:
      return "preview";
    case DecodeStage::kVideo:
      return "video";
    case DecodeStage::kKeyFrame:
      return "key_frame";
    case DecodeStage::kAudio:
      return "audio";
    case DecodeStage::kCount:
      break;
  }
  return "other";
}

double ProcessCpuSeconds() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace sightline::media
