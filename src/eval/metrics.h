// Ranking metrics.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sightline::eval {

/// For one question: which ranks (0-based, best first) hold a relevant result, out of how many
/// relevant ones exist. Each relevant thing is counted once, at its best rank.
struct RankedRelevance {
  std::vector<bool> relevant;      ///< By rank.
  std::size_t relevant_total = 1;  ///< ≥ 1.
};

/// 1 when a relevant result is among the first k, else 0 (success at k; with one relevant result a
/// question it equals recall).
double RecallAt(const RankedRelevance& ranked, std::size_t k);
/// 1 / rank of the first relevant result among the first 10, else 0.
double ReciprocalRank(const RankedRelevance& ranked);
/// Binary nDCG (Järvelin, Kekäläinen 2002) at k.
double NdcgAt(const RankedRelevance& ranked, std::size_t k);

/// Means over questions.
struct MetricSummary {
  std::size_t questions = 0;
  double ndcg_at_5 = 0;
  double recall_at_1 = 0;
  double recall_at_5 = 0;
  double mrr_at_10 = 0;
};

/// Means; an empty input has only zeros and `questions == 0`.
MetricSummary Summarize(std::span<const RankedRelevance> questions);

}  // namespace sightline::eval
