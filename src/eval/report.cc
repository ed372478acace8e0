#include <fmt/format.h>

#include <boost/json.hpp>

#include "eval/runner.h"

namespace sightline::eval {
namespace {

constexpr double kPercent = 100;

std::string Row(const std::string& name, const MetricSummary& metrics) {
  return fmt::format("{:<26}{:>6}{:>9.1f}{:>9.1f}{:>9.1f}{:>9.1f}", name, metrics.questions,
                     kPercent * metrics.ndcg_at_5, kPercent * metrics.recall_at_1,
                     kPercent * metrics.recall_at_5, kPercent * metrics.mrr_at_10);
}

boost::json::object MetricsJson(const MetricSummary& metrics) {
  return {{"questions", metrics.questions},
          {"ndcg_at_5", metrics.ndcg_at_5},
          {"recall_at_1", metrics.recall_at_1},
          {"recall_at_5", metrics.recall_at_5},
          {"mrr_at_10", metrics.mrr_at_10}};
}

boost::json::object SlicesJson(const std::map<std::string, MetricSummary>& slices) {
  boost::json::object json;
  for (const auto& [name, metrics] : slices) json[name] = MetricsJson(metrics);
  return json;
}

}  // namespace

std::string ReportTable(const SetReport& report) {
  std::string text = fmt::format("{}: {} documents, indexed in {:.1f} s, {} left out\n", report.set,
                                 report.documents, report.index_seconds, report.failures.size());
  if (report.unanswerable > 0) {
    text += fmt::format("{} questions about documents that are not here were left out\n",
                        report.unanswerable);
  }
  text += fmt::format("{:<26}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "route", "n", "nDCG@5", "R@1",
                      "R@5", "MRR@10", "p50 ms", "p99 ms");
  for (const RouteReport& route : report.routes) {
    text +=
        Row(route.route, route.all) + fmt::format("{:>9.1f}{:>9.1f}\n", route.p50_ms, route.p99_ms);
    for (const auto* slices : {&route.by_language, &route.by_kind}) {
      if (slices->size() < 2) continue;
      for (const auto& [name, metrics] : *slices) text += Row("  " + name, metrics) + "\n";
    }
  }
  return text;
}

std::string ReportJson(const SetReport& report) {
  boost::json::array routes;
  for (const RouteReport& route : report.routes) {
    boost::json::object json = MetricsJson(route.all);
    json["route"] = route.route;
    json["p50_ms"] = route.p50_ms;
    json["p99_ms"] = route.p99_ms;
    json["by_language"] = SlicesJson(route.by_language);
    json["by_kind"] = SlicesJson(route.by_kind);
    routes.push_back(std::move(json));
  }
  boost::json::array failures;
  for (const std::string& failure : report.failures) failures.emplace_back(failure);
  return boost::json::serialize(boost::json::object{{"set", report.set},
                                                    {"documents", report.documents},
                                                    {"index_seconds", report.index_seconds},
                                                    {"failures", failures},
                                                    {"unanswerable", report.unanswerable},
                                                    {"routes", routes}});
}

}  // namespace sightline::eval
