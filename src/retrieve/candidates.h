// Candidates: what each route finds, under the same filter and snapshot.
#pragma once

#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "model/encoder.h"
#include "retrieve/plan.h"
#include "retrieve/services.h"

namespace sightline::retrieve {

/// The question as vectors.
struct EncodedQuery {
  std::optional<model::TextEmbedding> text;
  std::vector<float> concepts;  ///< Words in the concept space; empty: none.
  std::vector<float> image;     ///< Picture features; empty: none.
  std::vector<float> dual;      ///< Words or picture in the dual encoder's space; empty: none.
  std::vector<std::string> notes;
};

/// Ranked units of every route, best first.
struct Candidates {
  std::map<Route, std::vector<store::ScoredUnit>> by_route;
  float lexical_bound = 0;  ///< What no lexical score can exceed; 0: nothing matched.
  /// Dense hits by language; `by_route[kDense]` is both in one list.
  std::vector<store::ScoredUnit> same_language;
  std::vector<store::ScoredUnit> other_language;
};

/// Encodes the words and the picture for the routes of the plan. Models that are not installed
/// become notes; when that leaves no route at all the question fails with what to install.
base::Result<EncodedQuery> EncodeQuery(const SearchRequest& request, QueryPlan& plan,
                                       const SearchServices& services,
                                       const base::CancelToken& cancel);

/// Starts the lexical route, which needs no vectors, beside the encoding of the question. It owns
/// copies of what it uses but for the services, which outlive `pool`. Empty without that route.
std::future<base::Result<store::LexicalHits>> StartLexical(const SearchRequest& request,
                                                           const QueryPlan& plan,
                                                           const SearchServices& services,
                                                           base::ThreadPool& pool,
                                                           const base::CancelToken& cancel);

/// Runs the routes that need no other route's result (all but late interaction) and joins them with
/// what the lexical route found.
base::Result<Candidates> FindCandidates(const SearchRequest& request, const QueryPlan& plan,
                                        const EncodedQuery& query, store::LexicalHits lexical,
                                        const SearchServices& services, base::ThreadPool& pool,
                                        const base::CancelToken& cancel);

/// Late interaction: exact MaxSim over the token vectors of the best candidates of the other text
/// routes (E5.md: 50 of the same language by RRF, 100 of the other by the sentence vector). Scores
/// are the mean over the query's tokens, so that they compare across questions; where the lexical
/// route was asked too, a unit gets a part of its lexical score as well (`kLexicalSupport`).
base::Result<std::vector<store::ScoredUnit>> RerankByMaxSim(
    const QueryPlan& plan, const EncodedQuery& query, const Candidates& candidates,
    const SearchRequest& request, const SearchServices& services, base::ThreadPool& pool,
    const base::CancelToken& cancel);

}  // namespace sightline::retrieve
