#include <fmt/format.h>

#include <boost/json.hpp>

#include "eval/index_bench.h"

namespace sightline::eval {

std::string IndexBenchTable(const IndexBenchReport& report) {
  std::string text = fmt::format(
      "{} units, {} vectors of {} dims; {} queries; kernels {}; truth in floats took {:.1f} s\n",
      report.units, report.vectors, report.dims, report.queries, report.instructions,
      report.truth_seconds);
  text +=
      fmt::format("{:<26}{:>10}{:>10}{:>10}{:>9}{:>9}{:>10}{:>9}\n", "search",
                  fmt::format("R@{}", report.top_k), "QPS", fmt::format("QPS ×{}", report.threads),
                  "p50 ms", "p99 ms", "hot B/vec", "build s");
  for (const IndexBenchLine& line : report.lines) {
    text += fmt::format("{:<26}{:>10.4f}{:>10.1f}{:>10.1f}{:>9.2f}{:>9.2f}{:>10.1f}{:>9.1f}\n",
                        line.name, line.recall, line.qps, line.qps_threads, line.p50_ms,
                        line.p99_ms, line.hot_bytes, line.build_seconds);
  }
  return text;
}

std::string IndexBenchJson(const IndexBenchReport& report) {
  boost::json::array lines;
  for (const IndexBenchLine& line : report.lines) {
    lines.push_back(boost::json::object{{"search", line.name},
                                        {"recall", line.recall},
                                        {"qps", line.qps},
                                        {"qps_all_threads", line.qps_threads},
                                        {"p50_ms", line.p50_ms},
                                        {"p99_ms", line.p99_ms},
                                        {"hot_bytes_per_vector", line.hot_bytes},
                                        {"build_seconds", line.build_seconds}});
  }
  return boost::json::serialize(boost::json::object{{"units", report.units},
                                                    {"vectors", report.vectors},
                                                    {"dims", report.dims},
                                                    {"queries", report.queries},
                                                    {"top_k", report.top_k},
                                                    {"threads", report.threads},
                                                    {"kernels", report.instructions},
                                                    {"truth_seconds", report.truth_seconds},
                                                    {"file_bytes", report.file_bytes},
                                                    {"results", std::move(lines)}});
}

}  // namespace sightline::eval
