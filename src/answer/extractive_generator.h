// The embedded generator: answers with sentences of the evidence, word for word.
#pragma once

#include "answer/generator.h"

namespace sightline::answer {

/// Takes the sentences that share most with the question, at most three, each with its citation.
/// No model, nothing invented; an empty answer when no sentence shares a term. Thread-safe.
class ExtractiveGenerator final : public Generator {
 public:
  base::Result<Answer> Generate(const std::string& question,
                                std::span<const EvidencePassage> evidence,
                                const base::CancelToken& cancel) override;
};

}  // namespace sightline::answer
