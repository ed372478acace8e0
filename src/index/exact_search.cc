#include "index/exact_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "index/top_k.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

Status CheckAllDims(const kernels::QueryBatch& query, Segments segments) {
  for (const auto& segment : segments) SIGHTLINE_RETURN_IF_ERROR(CheckDims(query, *segment));
  return OkStatus();
}

Status CheckOne(const kernels::QueryBatch& query) {
  if (query.size() == 1) return OkStatus();
  return base::InvalidArgument("this takes a batch of one query: " + std::to_string(query.size()));
}

/// Scores the allowed units of one block into the list of each query.
class BlockScorer {
 public:
  BlockScorer(const kernels::QueryBatch& queries, const Selection& selection,
              std::vector<TopK>& tops)
      : scorer_(queries), selection_(selection), tops_(tops) {}

  Status Score(const SegmentReader& segment, std::size_t block) {
    const format::BlockEntry& entry = segment.block(block);
    ids_.clear();
    ranges_.clear();
    for (std::size_t unit = entry.first_unit; unit < entry.first_unit + entry.units; ++unit) {
      if (!selection_.Allows(segment.unit_id(unit))) continue;
      ids_.push_back(segment.unit_id(unit));
      ranges_.push_back(segment.RangeOf(unit, entry));
    }
    if (ids_.empty()) return OkStatus();
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint8_t* groups, segment.BlockGroups(block));
    scores_.resize(ids_.size() * tops_.size());
    scorer_.Score(groups, ranges_, scores_);
    for (std::size_t q = 0; q < tops_.size(); ++q) {
      for (std::size_t u = 0; u < ids_.size(); ++u) {
        tops_[q].Push({ids_[u], scores_[u * tops_.size() + q]});
      }
    }
    return OkStatus();
  }

 private:
  kernels::MaxSimScorer scorer_;
  const Selection& selection_;
  std::vector<TopK>& tops_;
  // Of the block in work: the units that take part, [unit][query].
  std::vector<UnitId> ids_;
  std::vector<kernels::VectorRange> ranges_;
  std::vector<float> scores_;
};

Status CheckQuery(std::span<const float> vectors, std::size_t dims) {
  if (vectors.empty() || vectors.size() % dims != 0 ||
      vectors.size() / dims > format::kMaxVectorsPerUnit) {
    return base::InvalidArgument("a query must have 1 to 8192 vectors of the space's dims: " +
                                 std::to_string(vectors.size()) + " values, dims " +
                                 std::to_string(dims));
  }
  if (!std::all_of(vectors.begin(), vectors.end(), [](float v) { return std::isfinite(v); })) {
    return base::InvalidArgument("the vectors of a query must be finite");
  }
  return OkStatus();
}

/// The vectors of a unit in the segment that has it; nothing when none has.
Result<std::optional<StoredVectors>> FindUnit(Segments segments, UnitId id) {
  for (const auto& segment : segments) {
    const auto unit = segment->Find(id);
    if (!unit) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const StoredVectors vectors, segment->UnitVectors(*unit));
    return std::optional(vectors);
  }
  return std::optional<StoredVectors>();
}

}  // namespace

Status CheckDims(const kernels::QueryBatch& query, const SegmentReader& segment) {
  if (segment.dims() == query.dims()) return OkStatus();
  return base::InvalidArgument(
      "the query does not have the segment's dims: " + std::to_string(query.dims()) + ", " +
      segment.path() + " has " + std::to_string(segment.dims()));
}

Result<kernels::QueryBatch> PrepareQueries(std::span<const std::span<const float>> queries,
                                           int dims) {
  if (dims < 1 || dims > static_cast<int>(format::kMaxDims)) {
    return base::InvalidArgument("vectors must have 1 to 4096 dims: " + std::to_string(dims));
  }
  if (queries.empty()) return base::InvalidArgument("there must be at least one query");
  const auto width = static_cast<std::size_t>(dims);
  for (const auto& vectors : queries) SIGHTLINE_RETURN_IF_ERROR(CheckQuery(vectors, width));
  return kernels::QueryBatch(queries, width, kernels::Kernels());
}

Result<kernels::QueryBatch> PrepareQuery(std::span<const float> vectors, int dims) {
  return PrepareQueries(std::span(&vectors, 1), dims);
}

Result<std::vector<std::vector<ScoredUnit>>> ExactSearchBatch(const kernels::QueryBatch& queries,
                                                              std::size_t top_k, Segments segments,
                                                              const Selection& selection,
                                                              const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckAllDims(queries, segments));
  std::vector<TopK> tops(queries.size(), TopK(top_k));
  BlockScorer scorer(queries, selection, tops);
  for (const auto& segment : segments) {
    for (std::size_t block = 0; block < segment->block_count(); ++block) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      segment->ReadAhead(block);
      SIGHTLINE_RETURN_IF_ERROR(scorer.Score(*segment, block));
    }
  }
  std::vector<std::vector<ScoredUnit>> found;
  found.reserve(tops.size());
  for (TopK& top : tops) found.push_back(top.Take());
  return found;
}

Result<std::vector<ScoredUnit>> ExactSearch(const kernels::QueryBatch& query, std::size_t top_k,
                                            Segments segments, const Selection& selection,
                                            const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckOne(query));
  SIGHTLINE_ASSIGN_OR_RETURN(auto found,
                             ExactSearchBatch(query, top_k, segments, selection, cancel));
  return std::move(found.front());
}

Result<std::vector<ScoredUnit>> ExactScores(const kernels::QueryBatch& query,
                                            std::span<const UnitId> units, Segments segments,
                                            const Selection& selection,
                                            const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckOne(query));
  SIGHTLINE_RETURN_IF_ERROR(CheckAllDims(query, segments));
  std::vector<UnitId> wanted(units.begin(), units.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<ScoredUnit> scored;
  kernels::MaxSimScorer scorer(query);
  for (const UnitId id : wanted) {
    if (!selection.Allows(id)) continue;
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_ASSIGN_OR_RETURN(const auto vectors, FindUnit(segments, id));
    if (!vectors) continue;
    ScoredUnit unit{id, 0};
    scorer.Score(vectors->groups, std::span(&vectors->range, 1), std::span(&unit.score, 1));
    scored.push_back(unit);
  }
  std::sort(scored.begin(), scored.end(), RanksBefore);
  return scored;
}

Result<std::vector<kernels::BestMatch>> BestMatches(const kernels::QueryBatch& queries, UnitId unit,
                                                    Segments segments) {
  SIGHTLINE_RETURN_IF_ERROR(CheckAllDims(queries, segments));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto vectors, FindUnit(segments, unit));
  if (!vectors) {
    return base::NotFound("no segment has the unit: " + std::to_string(unit));
  }
  std::vector<kernels::BestMatch> matches(queries.rows().count);
  kernels::MaxSimScorer(queries).Match(vectors->groups, vectors->range, matches);
  return matches;
}

}  // namespace sightline::index
