// The life of a small space, step by step: documents are added, replaced and removed, compaction
// learns a codebook, uses it again, and drops a segment of which nothing is left.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/local_store.h"

namespace sightline::crash {

/// Documents that exist: how often each was committed, 0 for one that waits.
using LifeState = std::map<std::string, int>;

/// What a step does.
enum class StepKind { kCreate, kCommit, kRemove, kCompact };

/// One step; its effect is one transaction.
struct Step {
  StepKind kind = StepKind::kCompact;
  std::string_view document;
};

/// Units of each document.
inline constexpr int kLifeUnits = 2;
inline constexpr std::string_view kLargeDocument = "D";

inline constexpr std::array kLife = {
    Step{StepKind::kCreate, "A"},
    Step{StepKind::kCommit, "A"},
    Step{StepKind::kCreate, "B"},
    Step{StepKind::kCommit, "B"},
    Step{StepKind::kCreate, "C"},
    Step{StepKind::kCommit, "C"},
    Step{StepKind::kCompact, "learns a codebook"},
    Step{StepKind::kCommit, "B"},
    Step{StepKind::kRemove, "A"},
    Step{StepKind::kCreate, kLargeDocument},
    Step{StepKind::kCommit, kLargeDocument},
    Step{StepKind::kCompact, "uses the same codebook"},
    Step{StepKind::kRemove, "B"},
    Step{StepKind::kCompact, "drops a segment"},
};

/// A store on `data_dir` whose spaces get codes from a few hundred vectors on, and use them.
store::LocalStoreOptions LifeOptions(const std::string& data_dir);
/// The space that all documents are in.
store::SpaceKey LifeSpace();
/// Row-major vectors of length 1 of a unit, by the document's commits and the unit's place.
std::vector<float> LifeVectors(std::string_view document, int version, int ordinal);

/// "commit B".
std::string Describe(const Step& step);
/// What is there once `step` has taken place; one that cannot take place changes nothing.
LifeState After(const Step& step, LifeState state);
/// What is there.
base::Result<LifeState> ReadState(store::LocalStore& store);
/// Takes the step, then searches, which also takes away files that compaction has replaced.
base::Status Take(const Step& step, store::LocalStore& store);

}  // namespace sightline::crash
