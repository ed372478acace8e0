#include "index/exact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "index/top_k.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

Status CheckDims(const kernels::Int8Query& query, Segments segments) {
  for (const auto& segment : segments) {
    if (segment->dims() != query.dims()) {
      return base::InvalidArgument(
          "the query does not have the segment's dims: " + std::to_string(query.dims()) + ", " +
          segment->path() + " has " + std::to_string(segment->dims()));
    }
  }
  return OkStatus();
}

/// Scores the allowed units of one block into `top`.
class BlockScorer {
 public:
  BlockScorer(const kernels::Int8Query& query, const Selection& selection, TopK& top)
      : query_(query), selection_(selection), top_(top) {}

  Status Score(const SegmentReader& segment, std::size_t block) {
    const format::BlockEntry& entry = segment.block(block);
    const std::size_t end = entry.first_unit + entry.units;
    std::size_t unit = entry.first_unit;
    while (unit < end) {
      if (!selection_.Allows(segment.unit_id(unit))) {
        ++unit;
        continue;
      }
      const std::size_t first = unit;
      while (unit < end && selection_.Allows(segment.unit_id(unit))) ++unit;
      SIGHTLINE_RETURN_IF_ERROR(ScoreRun(segment, block, first, unit));
    }
    return OkStatus();
  }

 private:
  /// Units [first, end), which all take part and whose vectors follow each other.
  Status ScoreRun(const SegmentReader& segment, std::size_t block, std::size_t first,
                  std::size_t end) {
    SIGHTLINE_ASSIGN_OR_RETURN(const CodesView all, segment.BlockCodes(block));
    const std::uint64_t base = segment.block(block).first_vector;
    const auto vector_of = [&](std::size_t unit) { return segment.first_vector(unit) - base; };
    if (query_.size() == 1) {
      const auto scales = all.scales.subspan(vector_of(first), vector_of(end) - vector_of(first));
      dots_.resize(scales.size());
      query_.Dots(all.codes + vector_of(first) * query_.dims(), scales, dots_);
    }
    for (std::size_t unit = first; unit < end; ++unit) {
      const std::size_t from = vector_of(unit);
      const std::size_t count = vector_of(unit + 1) - from;
      float score = 0;
      if (query_.size() == 1) {
        const auto dots = std::span(dots_).subspan(from - vector_of(first), count);
        score = *std::max_element(dots.begin(), dots.end());
      } else {
        score = query_.MaxSim(all.codes + from * query_.dims(), all.scales.subspan(from, count));
      }
      top_.Push({segment.unit_id(unit), score});
    }
    return OkStatus();
  }

  const kernels::Int8Query& query_;
  const Selection& selection_;
  TopK& top_;
  std::vector<float> dots_;
};

}  // namespace

Result<kernels::Int8Query> PrepareQuery(std::span<const float> vectors, int dims) {
  if (dims < 1 || dims > static_cast<int>(format::kMaxDims)) {
    return base::InvalidArgument("vectors must have 1 to 4096 dims: " + std::to_string(dims));
  }
  const auto width = static_cast<std::size_t>(dims);
  if (vectors.empty() || vectors.size() % width != 0 ||
      vectors.size() / width > format::kMaxVectorsPerUnit) {
    return base::InvalidArgument("a query must have 1 to 8192 vectors of the space's dims: " +
                                 std::to_string(vectors.size()) + " values, dims " +
                                 std::to_string(dims));
  }
  if (!std::all_of(vectors.begin(), vectors.end(), [](float v) { return std::isfinite(v); })) {
    return base::InvalidArgument("the vectors of a query must be finite");
  }
  return kernels::Int8Query(vectors, width, kernels::Kernels());
}

Result<std::vector<ScoredUnit>> ExactSearch(const kernels::Int8Query& query, std::size_t top_k,
                                            Segments segments, const Selection& selection,
                                            const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckDims(query, segments));
  TopK top(top_k);
  BlockScorer scorer(query, selection, top);
  for (const auto& segment : segments) {
    for (std::size_t block = 0; block < segment->block_count(); ++block) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      SIGHTLINE_RETURN_IF_ERROR(scorer.Score(*segment, block));
    }
  }
  return top.Take();
}

Result<std::vector<ScoredUnit>> ExactScores(const kernels::Int8Query& query,
                                            std::span<const UnitId> units, Segments segments,
                                            const Selection& selection,
                                            const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckDims(query, segments));
  std::vector<UnitId> wanted(units.begin(), units.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<ScoredUnit> scored;
  for (const UnitId id : wanted) {
    if (!selection.Allows(id)) continue;
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    for (const auto& segment : segments) {
      const auto unit = segment->Find(id);
      if (!unit) continue;
      SIGHTLINE_ASSIGN_OR_RETURN(const CodesView codes, segment->UnitCodes(*unit));
      scored.push_back({id, query.MaxSim(codes.codes, codes.scales)});
      break;
    }
  }
  std::sort(scored.begin(), scored.end(), RanksBefore);
  return scored;
}

}  // namespace sightline::index
