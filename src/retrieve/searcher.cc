#include "retrieve/searcher.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "retrieve/candidates.h"
#include "retrieve/evidence.h"
#include "retrieve/grouping.h"
#include "retrieve/plan.h"

namespace sightline::retrieve {
namespace {

using base::CancelToken;
using base::Result;

/// Times the stages of one search, one after the other.
class Stopwatch {
 public:
  explicit Stopwatch(SearchResponse& response) : response_(response) {}

  void Done(std::string stage) {
    const base::MonotonicTime now = base::SystemClock().Now();
    response_.timing.push_back({std::move(stage), Millis(now - last_)});
    response_.took_ms = Millis(now - start_);
    last_ = now;
  }

 private:
  static double Millis(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }

  SearchResponse& response_;
  const base::MonotonicTime start_ = base::SystemClock().Now();
  base::MonotonicTime last_ = start_;
};

/// Routes that only fed another one and were not asked for leave no trace in the answer.
void DropFeeders(const QueryPlan& plan, Candidates& candidates) {
  std::erase_if(candidates.by_route, [&](const auto& entry) { return !plan.Has(entry.first); });
}

}  // namespace

Searcher::Searcher(const SearchServices& services)
    : services_(services),
      pool_({.name = "search", .threads = std::max(1U, std::thread::hardware_concurrency())}) {}

Result<SearchResponse> Searcher::Search(const SearchRequest& request,
                                        const CancelToken& cancel) const {
  SearchResponse response;
  Stopwatch watch(response);
  SIGHTLINE_ASSIGN_OR_RETURN(QueryPlan plan, MakePlan(request, services_));
  watch.Done("plan");
  auto lexical = StartLexical(request, plan, services_, pool_, cancel);
  SIGHTLINE_ASSIGN_OR_RETURN(EncodedQuery query, EncodeQuery(request, plan, services_, cancel));
  watch.Done("encode");
  SIGHTLINE_ASSIGN_OR_RETURN(store::LexicalHits words, lexical.get());
  SIGHTLINE_ASSIGN_OR_RETURN(
      Candidates candidates,
      FindCandidates(request, plan, query, std::move(words), services_, pool_, cancel));
  watch.Done("candidates");
  if (plan.Has(Route::kLateInteraction) && query.text) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        candidates.by_route[Route::kLateInteraction],
        RerankByMaxSim(plan, query, candidates, request, services_, pool_, cancel));
  }
  watch.Done("rerank");
  DropFeeders(plan, candidates);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Group> groups,
                             GroupCandidates(candidates, services_.catalog));
  watch.Done("fuse");
  const auto wanted = std::min(groups.size(), static_cast<std::size_t>(request.top_k));
  SIGHTLINE_ASSIGN_OR_RETURN(response.hits, MakeHits(std::span(groups).first(wanted), plan.query,
                                                     services_.catalog, pool_));
  watch.Done("evidence");
  response.total_candidates = static_cast<std::int64_t>(groups.size());
  response.query_language = plan.language;
  response.routes = std::move(plan.routes);
  response.notes = std::move(query.notes);
  return response;
}

}  // namespace sightline::retrieve
