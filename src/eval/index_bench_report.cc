#include <fmt/format.h>

#include <boost/json.hpp>

#include "eval/index_bench.h"

namespace sightline::eval {

namespace {

double Mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::string IndexBenchTable(const IndexBenchReport& report) {
  std::string text =
      fmt::format("{} units, {} vectors of {} dims; {} queries; kernels {}\n", report.units,
                  report.vectors, report.dims, report.queries, report.instructions);
  text += fmt::format("segment {:.0f} MiB, codes {}, {} lists", Mebibytes(report.file_bytes),
                      report.codec.empty() ? "none: too few vectors" : report.codec, report.lists);
  text += fmt::format("; opened in {:.1f} ms", report.open_ms);
  if (report.build_seconds > 0) {
    text += fmt::format("; built in {:.1f} s with {} threads, at most {:.0f} MiB",
                        report.build_seconds, report.threads, Mebibytes(report.build_peak_bytes));
  }
  if (report.truth_seconds > 0) text += fmt::format("; truth {:.1f} s", report.truth_seconds);
  text +=
      fmt::format("\n{:<32}{:>9}{:>10}{:>10}{:>9}{:>9}{:>10}{:>10}{:>12}\n", "search",
                  fmt::format("R@{}", report.top_k), "QPS", fmt::format("QPS ×{}", report.threads),
                  "p50 ms", "p99 ms", "first ms", "hot B/vec", "resident");
  for (const IndexBenchLine& line : report.lines) {
    text += fmt::format(
        "{:<32}{:>9.4f}{:>10.1f}{:>10.1f}{:>9.2f}{:>9.2f}{:>10.1f}{:>10.1f}{:>8.0f} MiB\n",
        line.name, line.recall, line.qps, line.qps_threads, line.p50_ms, line.p99_ms, line.first_ms,
        line.hot_bytes, Mebibytes(line.resident_bytes));
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
                                        {"first_ms", line.first_ms},
                                        {"hot_bytes_per_vector", line.hot_bytes},
                                        {"resident_bytes", line.resident_bytes}});
  }
  return boost::json::serialize(boost::json::object{{"units", report.units},
                                                    {"vectors", report.vectors},
                                                    {"dims", report.dims},
                                                    {"queries", report.queries},
                                                    {"top_k", report.top_k},
                                                    {"threads", report.threads},
                                                    {"kernels", report.instructions},
                                                    {"codec", report.codec},
                                                    {"lists", report.lists},
                                                    {"open_ms", report.open_ms},
                                                    {"truth_seconds", report.truth_seconds},
                                                    {"build_seconds", report.build_seconds},
                                                    {"build_peak_bytes", report.build_peak_bytes},
                                                    {"file_bytes", report.file_bytes},
                                                    {"results", std::move(lines)}});
}

}  // namespace sightline::eval
