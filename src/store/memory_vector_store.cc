#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "index/scored_unit.h"
#include "store/memory_store.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using Entry = MemoryVectorStore::Entry;

class MemoryVectorWriter final : public VectorWriter {
 public:
  MemoryVectorWriter(MemoryVectorStore& store, SpaceKey space)
      : store_(store), space_(std::move(space)) {}

  Status Add(UnitId id, std::span<const float> vectors) override {
    if (vectors.empty() || vectors.size() % static_cast<std::size_t>(space_.dims) != 0) {
      return base::InvalidArgument("vectors do not have the dims of the space: unit " +
                                   std::to_string(id));
    }
    vectors_ += static_cast<std::int64_t>(vectors.size()) / space_.dims;
    entries_.push_back({id, {vectors.begin(), vectors.end()}});
    return OkStatus();
  }

  Result<SegmentRef> Finish() override {
    SegmentRef segment;
    segment.collection = space_.collection;
    segment.space_id = space_.space_id;
    segment.units = static_cast<std::int64_t>(entries_.size());
    segment.vectors = vectors_;
    segment.file = store_.AddSegment(std::move(entries_));
    return segment;
  }

 private:
  MemoryVectorStore& store_;
  const SpaceKey space_;
  std::vector<Entry> entries_;
  std::int64_t vectors_ = 0;
};

float MaxSim(std::span<const float> query, std::span<const float> document, std::size_t dims) {
  double sum = 0;
  for (std::size_t q = 0; q < query.size(); q += dims) {
    float best = -std::numeric_limits<float>::infinity();
    for (std::size_t d = 0; d < document.size(); d += dims) {
      float dot = 0;
      for (std::size_t i = 0; i < dims; ++i) dot += query[q + i] * document[d + i];
      best = std::max(best, dot);
    }
    sum += static_cast<double>(best);
  }
  return static_cast<float>(sum);
}

}  // namespace

std::string MemoryVectorStore::AddSegment(std::vector<Entry> entries) {
  const base::MutexLock lock(mutex_);
  std::string name = "memory-" + std::to_string(next_++);
  segments_[name] = std::make_shared<const std::vector<Entry>>(std::move(entries));
  return name;
}

Result<std::unique_ptr<VectorWriter>> MemoryVectorStore::NewWriter(const SpaceKey& space) {
  return std::unique_ptr<VectorWriter>(std::make_unique<MemoryVectorWriter>(*this, space));
}

Result<std::vector<ScoredUnit>> MemoryVectorStore::Search(const VectorQuery& query,
                                                          const Snapshot& snapshot,
                                                          const base::CancelToken& cancel) {
  std::vector<ScoredUnit> scored;
  for (const SegmentRef& segment : snapshot.segments) {
    if (segment.space_id != query.space.space_id) continue;
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    std::shared_ptr<const std::vector<Entry>> entries;
    {
      const base::MutexLock lock(mutex_);
      entries = segments_[segment.file];
    }
    if (entries == nullptr) return base::DataLoss("segment missing: " + segment.file);
    for (const Entry& entry : *entries) {
      if (snapshot.deleted != nullptr && snapshot.deleted->Contains(entry.id)) continue;
      if (query.filter != nullptr && !query.filter->Contains(entry.id)) continue;
      scored.push_back({entry.id, MaxSim(query.vectors, entry.vectors,
                                         static_cast<std::size_t>(query.space.dims))});
    }
  }
  std::sort(scored.begin(), scored.end(), index::RanksBefore);
  if (scored.size() > query.top_k) scored.resize(query.top_k);
  return scored;
}

Result<std::vector<ScoredUnit>> MemoryVectorStore::Score(const VectorQuery& query,
                                                         std::span<const UnitId> units,
                                                         const Snapshot& snapshot,
                                                         const base::CancelToken& cancel) {
  index::UnitSet wanted;
  for (const UnitId id : units) wanted.Insert(id);
  VectorQuery all = query;
  all.filter = &wanted;
  all.top_k = units.size();
  return Search(all, snapshot, cancel);
}

Result<std::vector<kernels::BestMatch>> MemoryVectorStore::Match(const VectorQuery& query,
                                                                 UnitId unit,
                                                                 const Snapshot& snapshot) {
  const auto dims = static_cast<std::size_t>(query.space.dims);
  const base::MutexLock lock(mutex_);
  for (const SegmentRef& segment : snapshot.segments) {
    const auto entries = segments_.find(segment.file);
    if (segment.space_id != query.space.space_id || entries == segments_.end()) continue;
    const auto entry = std::ranges::find(*entries->second, unit, &Entry::id);
    if (entry == entries->second->end()) continue;
    if (snapshot.deleted != nullptr && snapshot.deleted->Contains(unit)) break;
    std::vector<kernels::BestMatch> matches(query.vectors.size() / dims);
    for (std::size_t row = 0; row < matches.size(); ++row) {
      const auto vector = query.vectors.subspan(row * dims, dims);
      matches[row].similarity = -std::numeric_limits<float>::infinity();
      for (std::size_t v = 0; v * dims < entry->vectors.size(); ++v) {
        const float dot = MaxSim(vector, std::span(entry->vectors).subspan(v * dims, dims), dims);
        if (dot > matches[row].similarity) matches[row] = {static_cast<std::uint32_t>(v), dot};
      }
    }
    return matches;
  }
  return base::NotFound("the space has no vectors of the unit: " + std::to_string(unit));
}

Result<std::vector<VectorStore::Merge>> MemoryVectorStore::Compact(const Snapshot&,
                                                                   const base::CancelToken&) {
  return std::vector<Merge>();
}

Status MemoryVectorStore::Retire(std::span<const SegmentRef> segments) {
  const base::MutexLock lock(mutex_);
  for (const SegmentRef& segment : segments) segments_.erase(segment.file);
  return OkStatus();
}

Status MemoryVectorStore::CollectGarbage(std::span<const std::string> live) {
  const std::unordered_set<std::string> kept(live.begin(), live.end());
  const base::MutexLock lock(mutex_);
  std::erase_if(segments_, [&](const auto& entry) { return !kept.contains(entry.first); });
  return OkStatus();
}

}  // namespace sightline::store
