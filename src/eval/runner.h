// Asking a data set's questions, by route and combined.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "eval/corpus.h"
#include "eval/data_set.h"
#include "eval/metrics.h"
#include "retrieve/searcher.h"

namespace sightline::eval {

/// Metrics of one way of searching.
struct RouteReport {
  std::string route;  ///< A route's name, or "combined".
  MetricSummary all;
  std::map<std::string, MetricSummary> by_language;
  std::map<std::string, MetricSummary> by_kind;
  double p50_ms = 0;  ///< Of a whole search.
  double p99_ms = 0;
};

/// Everything measured on one set.
struct SetReport {
  std::string set;
  std::size_t documents = 0;
  std::vector<std::string> failures;
  std::size_t unanswerable = 0;  ///< Questions left out: their documents are not here.
  double index_seconds = 0;
  std::vector<RouteReport> routes;  ///< Those that found anything; "combined" last.
};

/// What counts as one result.
enum class ResultUnit {
  kTarget,  ///< What the set's targets name: a page, a moment (it overlaps the target), a document.
  kHit,     ///< Every hit by itself, as tables of passage retrieval count: two passages of one
            ///< document take two ranks.
};

/// One search a question and route.
base::Result<SetReport> RunQuestions(const DataSet& set, const Corpus& corpus,
                                     const retrieve::Searcher& searcher, ResultUnit unit,
                                     const base::CancelToken& cancel);

/// Aligned columns, one row a route, percent with one decimal.
std::string ReportTable(const SetReport& report);
/// The same as one JSON object.
std::string ReportJson(const SetReport& report);

}  // namespace sightline::eval
