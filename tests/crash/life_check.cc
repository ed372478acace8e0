#include "crash/life_check.h"

#include <algorithm>

#include "crash/folder_check.h"
#include "io/memory_file_system.h"

namespace sightline::crash {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using store::LocalStore;
using store::ScoredUnit;
using store::SearchMode;
using store::UnitId;

/// A unit that must be there.
struct Expected {
  UnitId id = 0;
  std::string document;
  std::vector<float> vectors;
};

/// The units of the committed documents, by id; a document that is not whole is a finding.
Result<std::vector<Expected>> ExpectedUnits(LocalStore& store, const LifeState& state,
                                            std::vector<std::string>& findings) {
  std::vector<Expected> expected;
  for (const auto& [document, version] : state) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto units,
                               store.catalog->ListUnits({.document_id = document}));
    if (units.size() != (version == 0 ? 0 : kLifeUnits)) {
      findings.push_back(document + " is not whole");
    }
    for (const store::Unit& unit : units) {
      expected.push_back({unit.id, document, LifeVectors(document, version, unit.ordinal)});
    }
  }
  std::ranges::sort(expected, {}, &Expected::id);
  return expected;
}

/// Another store, with the same units in one plain segment.
struct Reference {
  io::MemoryFileSystem files;
  std::unique_ptr<store::SegmentVectorStore> vectors;
  store::Snapshot snapshot;
};

Status Fill(Reference& reference, const std::vector<Expected>& expected) {
  SIGHTLINE_ASSIGN_OR_RETURN(reference.vectors,
                             store::SegmentVectorStore::Open(reference.files, "/reference"));
  if (expected.empty()) return OkStatus();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, reference.vectors->NewWriter(LifeSpace()));
  for (const Expected& unit : expected) {
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(unit.id, unit.vectors));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(store::SegmentRef segment, writer->Finish());
  reference.snapshot.segments.push_back(std::move(segment));
  return OkStatus();
}

Result<std::vector<ScoredUnit>> Search(store::VectorStore& vectors, const store::Snapshot& snapshot,
                                       std::span<const float> query, SearchMode mode) {
  return vectors.Search({LifeSpace(), query, 100, nullptr, mode}, snapshot, base::CancelToken());
}

Status CheckSearch(LocalStore& store, const std::vector<Expected>& expected,
                   std::vector<std::string>& findings) {
  Reference reference;
  SIGHTLINE_RETURN_IF_ERROR(Fill(reference, expected));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, store.catalog->GetSnapshot("default"));
  const auto dims = static_cast<std::size_t>(LifeSpace().dims);
  for (const Expected& unit : expected) {
    const auto query = std::span(unit.vectors).first(3 * dims);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto truth, Search(*reference.vectors, reference.snapshot,
                                                        query, SearchMode::kExact));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto exact,
                               Search(*store.vectors, *snapshot, query, SearchMode::kExact));
    if (exact != truth) findings.push_back("exact results differ: " + unit.document);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto fast,
                               Search(*store.vectors, *snapshot, query, SearchMode::kFast));
    if (fast.empty() || fast.front() != truth.front() || fast.front().id != unit.id) {
      findings.push_back("a unit is not found by its vectors: " + unit.document);
    }
  }
  // Also where nothing must be left: whatever is found is no more than what must be there.
  const std::vector<float> any(dims, 0.25F);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto all,
                             Search(*store.vectors, *snapshot, any, SearchMode::kExact));
  if (all.size() != expected.size()) findings.emplace_back("units are found that are not there");
  return OkStatus();
}

Status CheckText(LocalStore& store, const std::vector<Expected>& expected,
                 std::vector<std::string>& findings) {
  for (const std::string document : {"A", "B", "C", "D", "E"}) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        const auto found,
        store.lexical->Search({"default", {document}, 100, nullptr, {}}, base::CancelToken()));
    std::vector<UnitId> ids;
    ids.reserve(found.units.size());
    for (const ScoredUnit& unit : found.units) ids.push_back(unit.id);
    std::vector<UnitId> wanted;
    for (const Expected& unit : expected) {
      if (unit.document == document) wanted.push_back(unit.id);
    }
    std::ranges::sort(ids);
    if (ids != wanted) findings.push_back("text rows are wrong: " + document);
  }
  return OkStatus();
}

}  // namespace

Result<std::vector<std::string>> CheckLife(const store::LocalStoreOptions& options,
                                           LocalStore& store, const LifeState& state) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<std::string> findings, CheckFolder(options, store));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto expected, ExpectedUnits(store, state, findings));
  SIGHTLINE_RETURN_IF_ERROR(CheckSearch(store, expected, findings));
  SIGHTLINE_RETURN_IF_ERROR(CheckText(store, expected, findings));
  return findings;
}

Result<std::vector<std::string>> CheckLifeGoesOn(const store::LocalStoreOptions& options,
                                                 LocalStore& store, const LifeState& state) {
  LifeState after = state;
  for (const Step& step : {Step{StepKind::kCreate, "E"}, Step{StepKind::kCommit, "E"},
                           Step{StepKind::kCompact, "everything"}}) {
    SIGHTLINE_RETURN_IF_ERROR(Take(step, store));
    after = After(step, std::move(after));
  }
  return CheckLife(options, store, after);
}

}  // namespace sightline::crash
