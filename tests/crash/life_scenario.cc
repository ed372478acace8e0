#include "crash/life_scenario.h"

#include <cmath>
#include <random>

#include "store/contract/sample_documents.h"

namespace sightline::crash {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using store::LocalStore;
using store::UnitId;

constexpr int kDims = 16;

Status Create(std::string_view document, LocalStore& store) {
  const auto sample = store::SampleDocument(std::string(document));
  SIGHTLINE_RETURN_IF_ERROR(store.blobs->Put("bytes of " + sample.id).status());
  return store.catalog->CreateDocument(sample);
}

Status Commit(std::string_view document, LocalStore& store) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto known, store.catalog->GetDocument(document));
  const int version = static_cast<int>(known.revision) + 1;
  SIGHTLINE_ASSIGN_OR_RETURN(const UnitId first, store.catalog->AllocateUnitIds(kLifeUnits));
  auto commit = store::SampleCommit(known, first, kLifeUnits, "泵 " + known.id);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, store.vectors->NewWriter(LifeSpace()));
  for (store::Unit& unit : commit.units) {
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(unit.id, LifeVectors(document, version, unit.ordinal)));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(commit.units.front().preview_sha256,
                             store.blobs->Put("preview " + std::to_string(first)));
  commit.blobs.push_back(commit.units.front().preview_sha256);
  SIGHTLINE_ASSIGN_OR_RETURN(store::SegmentRef segment, writer->Finish());
  commit.segments.push_back(std::move(segment));
  return store.catalog->Commit(commit).status();
}

Status Compact(LocalStore& store) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, store.catalog->GetSnapshot("default"));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto merges,
                             store.vectors->Compact(*snapshot, base::CancelToken()));
  for (const auto& merge : merges) {
    SIGHTLINE_RETURN_IF_ERROR(store.catalog->ReplaceSegments(merge.replaced, merge.merged));
    SIGHTLINE_RETURN_IF_ERROR(store.vectors->Retire(merge.replaced));
  }
  return OkStatus();
}

Status Perform(const Step& step, LocalStore& store) {
  switch (step.kind) {
    case StepKind::kCreate:
      return Create(step.document, store);
    case StepKind::kCommit:
      return Commit(step.document, store);
    case StepKind::kRemove:
      return store.catalog->RemoveDocument(step.document).status();
    case StepKind::kCompact:
      return Compact(store);
  }
  return OkStatus();
}

}  // namespace

store::LocalStoreOptions LifeOptions(const std::string& data_dir) {
  store::LocalStoreOptions options{.data_dir = data_dir};
  options.segments.least_coded_vectors = 400;
  options.segments.search.thresholds = {0, 0};
  return options;
}

store::SpaceKey LifeSpace() { return {"default", "space", kDims}; }

std::vector<float> LifeVectors(std::string_view document, int version, int ordinal) {
  std::mt19937 random(static_cast<unsigned>(document.front()) * 1'000U +
                      static_cast<unsigned>(version * 10 + ordinal));
  std::normal_distribution<float> normal;
  const std::size_t count = document == kLargeDocument ? 620 : 80;
  std::vector<float> vectors(count * kDims);
  for (std::size_t v = 0; v < count; ++v) {
    const auto vector = std::span(vectors).subspan(v * kDims, kDims);
    float square = 0;
    for (float& value : vector) {
      value = normal(random);
      square += value * value;
    }
    for (float& value : vector) value /= std::sqrt(square);
  }
  return vectors;
}

std::string Describe(const Step& step) {
  static constexpr std::array kNames = {"create ", "commit ", "remove ", "compact: "};
  return kNames[static_cast<std::size_t>(step.kind)] + std::string(step.document);
}

LifeState After(const Step& step, LifeState state) {
  const auto known = state.find(std::string(step.document));
  if (step.kind == StepKind::kCreate) state.emplace(step.document, 0);
  if (known == state.end()) return state;
  if (step.kind == StepKind::kCommit) ++known->second;
  if (step.kind == StepKind::kRemove) state.erase(known);
  return state;
}

Result<LifeState> ReadState(LocalStore& store) {
  LifeState state;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto page, store.catalog->ListDocuments({}));
  for (const store::Document& document : page.documents) {
    state[document.id] = static_cast<int>(document.revision);
  }
  return state;
}

Status Take(const Step& step, LocalStore& store) {
  SIGHTLINE_RETURN_IF_ERROR(Perform(step, store));
  const std::vector<float> query(kDims, 0.25F);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, store.catalog->GetSnapshot("default"));
  return store.vectors->Search({LifeSpace(), query, 3, nullptr}, *snapshot, base::CancelToken())
      .status();
}

}  // namespace sightline::crash
