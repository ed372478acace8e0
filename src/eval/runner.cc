#include "eval/runner.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace sightline::eval {
namespace {

using base::CancelToken;
using base::Result;
using retrieve::Route;

/// Deep enough that ten different documents are among the hits.
constexpr int kSearchDepth = 100;

/// What a hit is for the set: two hits with one key are one result.
using ResultKey = std::tuple<std::string, int, std::int64_t>;

ResultKey KeyOf(const retrieve::Hit& hit, const std::string& document_key, const Target& shape) {
  if (shape.page > 0) return {document_key, hit.unit.locator.page, 0};
  if (shape.start_ms >= 0) return {document_key, 0, hit.unit.locator.start_ms};
  return {document_key, 0, 0};
}

bool Matches(const retrieve::Hit& hit, const std::string& document_key, const Target& target) {
  if (document_key != target.document_key) return false;
  if (target.page > 0) return hit.unit.locator.page == target.page;
  if (target.start_ms >= 0) {
    return hit.unit.locator.start_ms < target.end_ms && hit.unit.locator.end_ms > target.start_ms;
  }
  return true;
}

RankedRelevance Judge(const Question& question, const Corpus& corpus,
                      const retrieve::SearchResponse& response, ResultUnit unit) {
  RankedRelevance ranked;
  ranked.relevant_total = question.relevant.size();
  std::set<ResultKey> seen;
  std::vector<bool> counted(question.relevant.size(), false);
  for (const retrieve::Hit& hit : response.hits) {
    const auto known = corpus.key_by_document_id.find(hit.document.id);
    if (known == corpus.key_by_document_id.end()) continue;
    const bool is_new = seen.insert(KeyOf(hit, known->second, question.relevant.front())).second;
    if (unit == ResultUnit::kTarget && !is_new) continue;
    bool relevant = false;
    for (std::size_t i = 0; i < question.relevant.size(); ++i) {
      if (counted[i] || !Matches(hit, known->second, question.relevant[i])) continue;
      counted[i] = true;
      relevant = true;
      break;
    }
    ranked.relevant.push_back(relevant);
  }
  return ranked;
}

double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[at];
}

Result<std::optional<RouteReport>> RunRoute(const DataSet& set, const Corpus& corpus,
                                            const retrieve::Searcher& searcher,
                                            std::optional<Route> route, ResultUnit unit,
                                            const CancelToken& cancel) {
  RouteReport report;
  report.route = route ? retrieve::RouteName(*route) : "combined";
  std::vector<RankedRelevance> all;
  std::map<std::string, std::vector<RankedRelevance>> by_language;
  std::map<std::string, std::vector<RankedRelevance>> by_kind;
  std::vector<double> times_ms;
  bool found_anything = false;
  for (const Question& question : set.questions) {
    retrieve::SearchRequest request;
    request.query = question.text;
    request.top_k = kSearchDepth;
    if (route) request.routes = {*route};
    SIGHTLINE_ASSIGN_OR_RETURN(const retrieve::SearchResponse response,
                               searcher.Search(request, cancel));
    found_anything = found_anything || !response.hits.empty();
    times_ms.push_back(response.took_ms);
    const RankedRelevance ranked = Judge(question, corpus, response, unit);
    all.push_back(ranked);
    by_language[question.language].push_back(ranked);
    by_kind[question.kind].push_back(ranked);
  }
  if (!found_anything) return std::optional<RouteReport>();
  report.all = Summarize(all);
  for (const auto& [language, ranked] : by_language) {
    report.by_language[language] = Summarize(ranked);
  }
  for (const auto& [kind, ranked] : by_kind) report.by_kind[kind] = Summarize(ranked);
  report.p50_ms = Percentile(times_ms, 0.5);
  report.p99_ms = Percentile(times_ms, 0.99);
  return std::optional<RouteReport>(std::move(report));
}

}  // namespace

Result<SetReport> RunQuestions(const DataSet& set, const Corpus& corpus,
                               const retrieve::Searcher& searcher, ResultUnit unit,
                               const CancelToken& cancel) {
  SetReport report;
  report.set = set.name;
  report.documents = corpus.key_by_document_id.size();
  report.failures = corpus.failures;
  report.unanswerable = set.unanswerable;
  report.index_seconds = corpus.seconds;
  for (const std::optional<Route> route :
       {std::optional(Route::kLexical), std::optional(Route::kDense),
        std::optional(Route::kLateInteraction), std::optional(Route::kConcept),
        std::optional(Route::kDual), std::optional<Route>()}) {
    SIGHTLINE_ASSIGN_OR_RETURN(std::optional<RouteReport> run,
                               RunRoute(set, corpus, searcher, route, unit, cancel));
    if (run) report.routes.push_back(*std::move(run));
  }
  return report;
}

}  // namespace sightline::eval
