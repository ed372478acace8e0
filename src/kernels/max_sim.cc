#include "kernels/max_sim.h"

#include <algorithm>
#include <limits>

#include "kernels/vector_group.h"

namespace sightline::kernels {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr std::size_t kNoGroup = std::numeric_limits<std::size_t>::max();

float Larger(float a, float b) { return a > b ? a : b; }

float LargestLane(const float* lanes) {
  float eight[8];
  for (std::size_t i = 0; i < 8; ++i) eight[i] = Larger(lanes[i], lanes[i + 8]);
  float four[4];
  for (std::size_t i = 0; i < 4; ++i) four[i] = Larger(eight[i], eight[i + 4]);
  return Larger(Larger(four[0], four[2]), Larger(four[1], four[3]));
}

}  // namespace

MaxSimScorer::MaxSimScorer(const QueryBatch& queries)
    : queries_(queries),
      rows_(queries.rows()),
      group_bytes_(GroupBytes(queries.dims())),
      best_(rows_.count * kGroupLanes),
      shared_(rows_.count * kGroupLanes) {}

void MaxSimScorer::Score(const std::uint8_t* groups, std::span<const VectorRange> units,
                         std::span<float> scores) {
  shared_group_ = kNoGroup;
  for (std::size_t u = 0; u < units.size(); ++u) {
    float* unit_scores = scores.data() + u * queries_.size();
    const std::size_t group = units[u].first / kGroupLanes;
    const std::size_t base = group * kGroupLanes;
    if (units[u].end - base <= kGroupLanes) {
      ReadShared(groups, group);
      ScoreInGroup(units[u].first - base, units[u].end - base, unit_scores);
    } else {
      ScoreLong(groups, units[u], unit_scores);
    }
  }
}

/// All values of a group, once for the units that share it.
void MaxSimScorer::ReadShared(const std::uint8_t* groups, std::size_t group) {
  if (group == shared_group_) return;
  queries_.table().dots(&rows_, groups + group * group_bytes_, queries_.dims(), shared_.data());
  shared_group_ = group;
}

/// A unit that is lanes [lane, end_lane) of the shared group.
void MaxSimScorer::ScoreInGroup(std::size_t lane, std::size_t end_lane, float* scores) const {
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    float sum = 0;
    for (std::size_t row = queries_.first_row(q); row < queries_.first_row(q + 1); ++row) {
      const float* values = shared_.data() + row * kGroupLanes;
      float top = values[lane];
      for (std::size_t i = lane + 1; i < end_lane; ++i) top = Larger(values[i], top);
      sum += top * queries_.scale(row);
    }
    scores[q] = sum;
  }
}

/// A unit that reaches the end of its first group: whole groups are the unit's alone.
void MaxSimScorer::ScoreLong(const std::uint8_t* groups, VectorRange unit, float* scores) {
  std::fill(best_.begin(), best_.end(), kLowest);
  std::size_t group = unit.first / kGroupLanes;
  const std::size_t end_group = unit.end / kGroupLanes;
  if (unit.first % kGroupLanes != 0) {
    ReadShared(groups, group++);
    TakeLanes(unit.first % kGroupLanes, kGroupLanes);
  }
  if (group < end_group) {
    queries_.table().max_dots(&rows_, groups + group * group_bytes_, end_group - group,
                              queries_.dims(), best_.data());
  }
  if (unit.end % kGroupLanes != 0) {
    ReadShared(groups, end_group);
    TakeLanes(0, unit.end % kGroupLanes);
  }
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    float sum = 0;
    for (std::size_t row = queries_.first_row(q); row < queries_.first_row(q + 1); ++row) {
      sum += LargestLane(best_.data() + row * kGroupLanes) * queries_.scale(row);
    }
    scores[q] = sum;
  }
}

/// Lanes of the shared group belong to the unit in work.
void MaxSimScorer::TakeLanes(std::size_t lane, std::size_t end_lane) {
  for (std::size_t row = 0; row < rows_.count; ++row) {
    for (std::size_t i = row * kGroupLanes + lane; i < row * kGroupLanes + end_lane; ++i) {
      best_[i] = Larger(shared_[i], best_[i]);
    }
  }
}

void MaxSimScorer::Match(const std::uint8_t* groups, VectorRange unit,
                         std::span<BestMatch> matches) {
  std::fill(matches.begin(), matches.end(), BestMatch{0, kLowest});
  shared_group_ = kNoGroup;
  for (std::size_t vector = unit.first; vector < unit.end; ++vector) {
    ReadShared(groups, vector / kGroupLanes);
    for (std::size_t row = 0; row < rows_.count; ++row) {
      const float value = shared_[row * kGroupLanes + vector % kGroupLanes];
      if (value > matches[row].similarity) {
        matches[row] = {static_cast<std::uint32_t>(vector - unit.first), value};
      }
    }
  }
  for (std::size_t row = 0; row < rows_.count; ++row) {
    matches[row].similarity *= queries_.scale(row);
  }
}

}  // namespace sightline::kernels
