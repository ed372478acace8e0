// Query latency by stage, warm, over an existing data folder.
//
//   build/bench/bench/query_bench DATA QUESTIONS.txt    (one question a line; JSON on stdout)

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/components.h"
#include "retrieve/searcher.h"

namespace sightline {
namespace {

using base::Status;

constexpr int kWarmUps = 10;
constexpr int kRounds = 3;

double Percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Status Run(const std::string& folder, const std::string& questions_path) {
  std::ifstream file(questions_path);
  std::vector<std::string> questions;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) questions.push_back(line);
  }
  if (questions.empty()) return base::InvalidArgument("no questions in " + questions_path);
  engine::Config config;
  config.data_dir = folder;
  config.registry = "models/registry.toml";
  SIGHTLINE_ASSIGN_OR_RETURN(engine::Components components, engine::OpenComponents(config));
  const retrieve::Searcher searcher(components.search_services());
  std::map<std::string, std::vector<double>> times;
  const int total = kWarmUps + kRounds * static_cast<int>(questions.size());
  for (int i = 0; i < total; ++i) {
    retrieve::SearchRequest request;
    request.query = questions[static_cast<std::size_t>(i) % questions.size()];
    SIGHTLINE_ASSIGN_OR_RETURN(const retrieve::SearchResponse response,
                               searcher.Search(request, {}));
    if (i < kWarmUps) continue;
    for (const retrieve::StageTiming& stage : response.timing) {
      times[stage.stage].push_back(stage.ms);
    }
    times["total"].push_back(response.took_ms);
  }
  boost::json::object report;
  for (auto& [stage, values] : times) {
    report[stage] = boost::json::object{{"p50_ms", Percentile(values, 0.5)},
                                        {"p99_ms", Percentile(values, 0.99)},
                                        {"n", values.size()}};
  }
  report["total_over_encode_p50"] =
      Percentile(times["total"], 0.5) / Percentile(times["encode"], 0.5);
  std::puts(boost::json::serialize(report).c_str());
  return base::OkStatus();
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: query_bench DATA QUESTIONS.txt  (from the repository's root)\n", stderr);
    return 2;
  }
  const sightline::base::Status status = sightline::Run(argv[1], argv[2]);
  if (!status.ok()) std::fprintf(stderr, "query_bench: %s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
