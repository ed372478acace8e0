// Port: an answer in words from numbered evidence.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "store/unit.h"

namespace sightline::answer {

/// One piece of evidence, numbered from 1 by its place in the span.
struct EvidencePassage {
  store::UnitId unit_id = 0;
  std::string text;
};

/// What a generator says, and what it says it from.
struct Answer {
  /// Text with citations like "[2]"; empty when the evidence does not answer the question.
  std::string text;
  std::vector<int> citations;  ///< Numbers that occur in the text, in order, once each.
};

/// Thread-safe.
class Generator {
 public:
  virtual ~Generator() = default;
  /// Cites only what it was given.
  virtual base::Result<Answer> Generate(const std::string& question,
                                        std::span<const EvidencePassage> evidence,
                                        const base::CancelToken& cancel) = 0;
};

}  // namespace sightline::answer
