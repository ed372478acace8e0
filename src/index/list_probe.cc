#include "index/list_probe.h"

#include <algorithm>
#include <functional>

namespace sightline::index {
namespace {

constexpr std::size_t kLanes = 16;

bool IsBetter(const ListProbe::Entry& a, const ListProbe::Entry& b) {
  return a.gain != b.gain ? a.gain > b.gain : a.list < b.list;
}

}  // namespace

ListProbe::ListProbe(const Centroids& centroids, const kernels::QueryBatch& query,
                     std::size_t probes) {
  const std::size_t rows = query.rows().count;
  std::vector<float> scores(rows * centroids.count());
  centroids.Scores(query, scores);
  entries_.reserve(rows * probes);
  for (std::size_t row = 0; row < rows; ++row) {
    AddRow(std::span(scores).subspan(row * centroids.count(), centroids.count()), probes);
    ends_.push_back(entries_.size());
  }
}

void ListProbe::AddRow(std::span<const float> scores, std::size_t probes) {
  // One more than is probed: the first that is not.
  const std::size_t wanted = std::min(probes + 1, scores.size());
  best_of_16_.clear();
  for (std::size_t at = 0; at < scores.size(); at += kLanes) {
    best_of_16_.push_back(std::ranges::max(scores.subspan(at, kLanes)));
  }
  // At least `wanted` scores reach the `wanted`th best of these, and not many more.
  float least = 0;
  if (wanted < best_of_16_.size()) {
    const auto nth = best_of_16_.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::ranges::nth_element(best_of_16_, nth, std::greater<>());
    least = *nth;
  } else {
    least = std::ranges::min(scores);
  }
  chosen_.clear();
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (scores[c] >= least) chosen_.push_back({static_cast<std::uint32_t>(c), scores[c]});
  }
  std::ranges::partial_sort(chosen_, chosen_.begin() + static_cast<std::ptrdiff_t>(wanted),
                            IsBetter);
  const float imputed = chosen_[wanted - 1].gain;
  for (std::size_t i = 0; i < std::min(probes, scores.size()); ++i) {
    entries_.push_back({chosen_[i].list, chosen_[i].gain - imputed});
  }
}

}  // namespace sightline::index
