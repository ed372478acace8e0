#include "index/search.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/candidate.h"
#include "index/code_scorer.h"
#include "index/list_gather.h"
#include "index/list_probe.h"
#include "index/top_k.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kDefaultProbes = 32;
constexpr std::size_t kLeastReranked = 200;
constexpr std::size_t kRerankedAResult = 4;
constexpr std::size_t kGatheredAReranked = 10;
/// Units that are scored between two looks at the token.
constexpr std::size_t kUnitsBetweenChecks = 256;

/// Whether all segments have codes of one codebook.
bool HasCodes(std::span<const IndexedSegment> segments) {
  return !segments.empty() && std::ranges::all_of(segments, [&](const IndexedSegment& s) {
    return s.codes != nullptr &&
           s.codes->codebook()->id() == segments.front().codes->codebook()->id();
  });
}

std::uint64_t SelectedVectors(std::span<const IndexedSegment> segments,
                              const Selection& selection) {
  std::uint64_t count = 0;
  for (const auto& [segment, codes] : segments) {
    if (selection.AllowsAll()) {
      count += segment->vector_count();
      continue;
    }
    for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
      if (!selection.Allows(segment->unit_id(unit))) continue;
      count += segment->first_vector(unit + 1) - segment->first_vector(unit);
    }
  }
  return count;
}

SearchPath Plan(std::span<const IndexedSegment> segments, const SearchOptions& options,
                const Selection& selection) {
  if (options.path == SearchPath::kExact || !HasCodes(segments)) return SearchPath::kExact;
  const bool has_lists = segments.front().codes->has_lists();
  if (options.path == SearchPath::kLists && has_lists) return SearchPath::kLists;
  if (options.path != SearchPath::kAuto) return SearchPath::kFlat;
  const std::uint64_t vectors = SelectedVectors(segments, selection);
  if (vectors <= options.thresholds.exact_vectors) return SearchPath::kExact;
  return vectors <= options.thresholds.flat_vectors || !has_lists ? SearchPath::kFlat
                                                                  : SearchPath::kLists;
}

/// One search by codes.
class CodeSearch {
 public:
  CodeSearch(const kernels::QueryBatch& exact_query, std::span<const float> query,
             std::span<const IndexedSegment> segments, const Selection& selection,
             const base::CancelToken& cancel)
      : exact_query_(exact_query),
        segments_(segments),
        selection_(selection),
        cancel_(cancel),
        scorer_(MakeCodeScorer(segments.front().codes->codebook()->codec(), query)) {}

  /// The best `count` units by the lists that they are in.
  Result<std::vector<Candidate>> Gather(std::size_t probes, std::size_t count) {
    const Centroids& centroids = segments_.front().codes->codebook()->centroids();
    const ListProbe probe(centroids, exact_query_, probes);
    ListGather gather(probe);
    BestOf<Candidate> best(count);
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      const auto& [segment, codes] = segments_[i];
      SIGHTLINE_RETURN_IF_ERROR(gather.Gather(*segment, *codes, i, selection_, best, cancel_));
    }
    return best.Take();
  }

  /// The best `count` of all units by their codes.
  Result<std::vector<Candidate>> Scan(std::size_t count) {
    BestOf<Candidate> best(count);
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      const SegmentReader& segment = *segments_[i].segment;
      for (std::uint32_t unit = 0; unit < segment.unit_count(); ++unit) {
        if (unit % kUnitsBetweenChecks == 0) {
          SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
          ReadAhead(i, unit);
        }
        const UnitId id = segment.unit_id(unit);
        if (selection_.Allows(id)) SIGHTLINE_RETURN_IF_ERROR(Score({{id, 0}, i, unit}, best));
      }
    }
    return best.Take();
  }

  /// The best `count` of some units by their codes.
  Result<std::vector<Candidate>> Refine(std::vector<Candidate> candidates, std::size_t count) {
    SortByPlace(candidates);
    for (const Candidate& candidate : candidates) {
      segments_[candidate.segment].codes->CodesWillBeNeeded(RangeOf(candidate));
    }
    BestOf<Candidate> best(count);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i % kUnitsBetweenChecks == 0) SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
      SIGHTLINE_RETURN_IF_ERROR(Score(candidates[i], best));
    }
    return best.Take();
  }

  /// The best `top_k` of some units by exact MaxSim.
  Result<std::vector<ScoredUnit>> Rerank(std::vector<Candidate> candidates, std::size_t top_k) {
    SortByPlace(candidates);
    for (const Candidate& candidate : candidates) {
      segments_[candidate.segment].segment->WillNeed(candidate.unit);
    }
    kernels::MaxSimScorer scorer(exact_query_);
    TopK best(top_k);
    for (const Candidate& candidate : candidates) {
      SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
      SIGHTLINE_ASSIGN_OR_RETURN(const StoredVectors vectors,
                                 segments_[candidate.segment].segment->UnitVectors(candidate.unit));
      ScoredUnit unit{candidate.id, 0};
      scorer.Score(vectors.groups, std::span(&vectors.range, 1), std::span(&unit.score, 1));
      best.Push(unit);
    }
    return best.Take();
  }

 private:
  /// Asks for the codes of the units up to the next check and the one after it.
  void ReadAhead(std::uint32_t index, std::uint32_t unit) const {
    const auto& [segment, codes] = segments_[index];
    const std::size_t end = std::min(unit + 2 * kUnitsBetweenChecks, segment->unit_count());
    codes->CodesWillBeNeeded({segment->first_vector(unit), segment->first_vector(end)});
  }

  static void SortByPlace(std::vector<Candidate>& candidates) {
    std::ranges::sort(candidates, {},
                      [](const Candidate& c) { return std::tie(c.segment, c.unit); });
  }

  kernels::VectorRange RangeOf(const Candidate& candidate) const {
    const SegmentReader& segment = *segments_[candidate.segment].segment;
    return {segment.first_vector(candidate.unit), segment.first_vector(candidate.unit + 1)};
  }

  Status Score(Candidate candidate, BestOf<Candidate>& best) {
    const kernels::VectorRange range = RangeOf(candidate);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint8_t* codes,
                               segments_[candidate.segment].codes->Codes(range));
    candidate.score = scorer_->MaxSim(codes, range);
    best.Push(candidate);
    return OkStatus();
  }

  const kernels::QueryBatch& exact_query_;
  const std::span<const IndexedSegment> segments_;
  const Selection& selection_;
  const base::CancelToken& cancel_;
  const std::unique_ptr<CodeScorer> scorer_;
};

Result<std::vector<ScoredUnit>> SearchExactly(const kernels::QueryBatch& query, std::size_t top_k,
                                              std::span<const IndexedSegment> segments,
                                              const Selection& selection,
                                              const base::CancelToken& cancel) {
  std::vector<std::shared_ptr<const SegmentReader>> readers;
  for (const IndexedSegment& segment : segments) readers.push_back(segment.segment);
  return ExactSearch(query, top_k, readers, selection, cancel);
}

}  // namespace

std::string_view SearchPathName(SearchPath path) {
  switch (path) {
    case SearchPath::kAuto:
      return "auto";
    case SearchPath::kExact:
      return "exact";
    case SearchPath::kFlat:
      return "flat";
    case SearchPath::kLists:
      return "lists";
  }
  return "";
}

Result<SearchResult> Search(std::span<const float> query, int dims,
                            std::span<const IndexedSegment> segments, const SearchOptions& options,
                            const Selection& selection, const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const kernels::QueryBatch exact_query, PrepareQuery(query, dims));
  for (const IndexedSegment& segment : segments) {
    SIGHTLINE_RETURN_IF_ERROR(CheckDims(exact_query, *segment.segment));
  }
  SearchResult result;
  result.path = Plan(segments, options, selection);
  if (result.path == SearchPath::kExact) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        result.units, SearchExactly(exact_query, options.top_k, segments, selection, cancel));
    return result;
  }
  const std::size_t reranked = options.reranked > 0
                                   ? std::max(options.reranked, options.top_k)
                                   : std::max(kLeastReranked, kRerankedAResult * options.top_k);
  CodeSearch search(exact_query, query, segments, selection, cancel);
  std::vector<Candidate> candidates;
  if (result.path == SearchPath::kLists) {
    const std::size_t probes = options.probes > 0 ? options.probes : kDefaultProbes;
    const std::size_t gathered =
        options.gathered > 0 ? std::max(options.gathered, reranked) : kGatheredAReranked * reranked;
    SIGHTLINE_ASSIGN_OR_RETURN(candidates, search.Gather(probes, gathered));
    // Lists that hold too few units say nothing of the others.
    if (candidates.size() < options.top_k) result.path = SearchPath::kFlat;
  }
  if (result.path == SearchPath::kFlat) {
    SIGHTLINE_ASSIGN_OR_RETURN(candidates, search.Scan(reranked));
  } else {
    SIGHTLINE_ASSIGN_OR_RETURN(candidates, search.Refine(std::move(candidates), reranked));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(result.units, search.Rerank(std::move(candidates), options.top_k));
  return result;
}

}  // namespace sightline::index
