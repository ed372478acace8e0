// What every type's decoder gets to work with.
#pragma once

#include <string>

#include "base/status.h"
#include "media/decoded.h"
#include "media/decoder.h"
#include "media/decoder/input_file.h"
#include "media/decoder/sniff.h"
#include "media/decoder/stage_clock.h"

namespace sightline::media {

/// Told before each piece of work, so that a piece which runs away can be named and stopped.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// A page (1-based number) or, with page 0, a named stretch ("minute 3") begins; it may use
  /// `cpu_seconds` from now.
  virtual void BeginStep(int page_number, const std::string& name, int cpu_seconds) = 0;
};

/// One document's decoding. All references outlive the call.
struct DecodeContext {
  const InputFile& input;
  const DecodeRequest& request;
  const SniffedType& type;
  int first_page;  ///< 1-based; pages before it are skipped.
  DecodeSink& sink;
  StepObserver& steps;
  StageClock* clock = nullptr;  ///< Null: nobody measures.
};

/// CPU seconds of the first step and of documents that are not made of pages or minutes.
inline constexpr int kWholeDocumentCpuSeconds = 120;

}  // namespace sightline::media
