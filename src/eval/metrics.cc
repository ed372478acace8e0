#include "eval/metrics.h"

#include <algorithm>
#include <cmath>

namespace sightline::eval {
namespace {

constexpr std::size_t kMrrDepth = 10;

}  // namespace

double RecallAt(const RankedRelevance& ranked, std::size_t k) {
  const std::size_t end = std::min(k, ranked.relevant.size());
  for (std::size_t i = 0; i < end; ++i) {
    if (ranked.relevant[i]) return 1;
  }
  return 0;
}

double ReciprocalRank(const RankedRelevance& ranked) {
  const std::size_t end = std::min(kMrrDepth, ranked.relevant.size());
  for (std::size_t i = 0; i < end; ++i) {
    if (ranked.relevant[i]) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

double NdcgAt(const RankedRelevance& ranked, std::size_t k) {
  const auto gain = [](std::size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 2); };
  double found = 0;
  for (std::size_t i = 0; i < std::min(k, ranked.relevant.size()); ++i) {
    if (ranked.relevant[i]) found += gain(i);
  }
  double ideal = 0;
  for (std::size_t i = 0; i < std::min(k, ranked.relevant_total); ++i) ideal += gain(i);
  return ideal == 0 ? 0 : found / ideal;
}

MetricSummary Summarize(std::span<const RankedRelevance> questions) {
  MetricSummary summary;
  summary.questions = questions.size();
  if (questions.empty()) return summary;
  for (const RankedRelevance& question : questions) {
    summary.ndcg_at_5 += NdcgAt(question, 5);
    summary.recall_at_1 += RecallAt(question, 1);
    summary.recall_at_5 += RecallAt(question, 5);
    summary.mrr_at_10 += ReciprocalRank(question);
  }
  const auto count = static_cast<double>(questions.size());
  summary.ndcg_at_5 /= count;
  summary.recall_at_1 /= count;
  summary.recall_at_5 /= count;
  summary.mrr_at_10 /= count;
  return summary;
}

}  // namespace sightline::eval
