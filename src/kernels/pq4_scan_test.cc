// Every instruction set against the scalar reference, and the reference against the definition.
#include "kernels/pq4_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "kernels/dispatch.h"

namespace sightline::kernels {
namespace {

/// Tables and groups of random entries and codes; they start at odd addresses.
class Pq4Input {
 public:
  Pq4Input(std::size_t rows, std::size_t sub_vectors, std::size_t groups, unsigned seed)
      : rows_(rows),
        sub_vectors_(sub_vectors),
        group_count_(groups),
        entries_(rows * sub_vectors * 16 + 1),
        groups_(groups * sub_vectors * 16 + 3) {
    std::mt19937 random(seed);
    for (auto& entry : entries_) entry = static_cast<std::uint8_t>(random() % 64);
    for (auto& byte : groups_) byte = static_cast<std::uint8_t>(random());
  }

  void SetAllEntries(std::uint8_t entry) { std::ranges::fill(entries_, entry); }
  Pq4Tables tables() const { return {entries_.data() + 1, rows_, sub_vectors_}; }
  std::uint8_t entry(std::size_t row, std::size_t sub_vector, unsigned code) const {
    return tables().entries[(row * sub_vectors_ + sub_vector) * 16 + code];
  }
  unsigned code(std::size_t vector, std::size_t sub_vector) const {
    const std::uint8_t byte =
        groups()[(vector / 32 * sub_vectors_ + sub_vector) * 16 + vector % 16];
    return vector % 32 < 16 ? byte & 0xFU : byte >> 4U;
  }
  const std::uint8_t* groups() const { return groups_.data() + 3; }
  std::size_t group_count() const { return group_count_; }

 private:
  std::size_t rows_;
  std::size_t sub_vectors_;
  std::size_t group_count_;
  std::vector<std::uint8_t> entries_;
  std::vector<std::uint8_t> groups_;
};

std::vector<std::uint16_t> Scan(Pq4MaxFunction scan, const Pq4Input& input, std::uint16_t start) {
  const Pq4Tables tables = input.tables();
  // One more, to see that nothing is written past the end.
  std::vector<std::uint16_t> best(tables.rows * kPq4Lanes + 1, start);
  best.back() = 4711;
  scan(&tables, input.groups(), input.group_count(), best.data());
  EXPECT_EQ(best.back(), 4711);
  best.pop_back();
  return best;
}

TEST(Pq4ScanTest, TheReferenceFollowsTheDefinition) {
  const Pq4Input input(3, 8, 2, 1);
  const auto best = Scan(&Pq4MaxScalar, input, 5);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t lane = 0; lane < kPq4Lanes; ++lane) {
      unsigned expected = 5;
      for (const std::size_t vector : {lane, lane + kPq4Lanes}) {
        unsigned sum = 0;
        for (std::size_t s = 0; s < 8; ++s) sum += input.entry(row, s, input.code(vector, s));
        expected = std::max(expected, sum);
      }
      EXPECT_EQ(best[row * kPq4Lanes + lane], expected);
    }
  }
}

class Pq4ScanIsaTest : public testing::TestWithParam<std::string> {};

TEST_P(Pq4ScanIsaTest, EqualsTheReference) {
  const auto tables = RunnableKernels();
  const auto table = std::ranges::find_if(
      tables, [](const KernelTable* candidate) { return candidate->name == GetParam(); });
  if (table == tables.end()) {
    std::printf("SKIP: this machine has no %s\n", GetParam().c_str());
    GTEST_SKIP() << "this machine has no " << GetParam();
  }
  for (const std::size_t sub_vectors : {4U, 8U, 12U, 16U, 20U, 32U, 36U, 48U, 1024U}) {
    for (const std::size_t rows : {0U, 1U, 2U, 7U, 33U}) {
      for (const std::size_t groups : {0U, 1U, 2U, 3U, 18U}) {
        if (sub_vectors == 1024 && groups > 2) continue;
        const Pq4Input input(rows, sub_vectors, groups, 2);
        for (const std::uint16_t start : {std::uint16_t{0}, std::uint16_t{400}}) {
          EXPECT_EQ(Scan((*table)->pq4_max, input, start), Scan(&Pq4MaxScalar, input, start))
              << "sub-vectors " << sub_vectors << " rows " << rows << " groups " << groups;
        }
      }
    }
  }
}

TEST_P(Pq4ScanIsaTest, TheBestOfTheLanesIsFound) {
  std::mt19937 random(4);
  for (const KernelTable* table : RunnableKernels()) {
    if (table->name != GetParam()) continue;
    for (const std::size_t rows : {0U, 1U, 2U, 33U}) {
      std::vector<std::uint16_t> lanes(rows * kPq4Lanes + 1);
      for (auto& lane : lanes) lane = static_cast<std::uint16_t>(random());
      std::vector<std::uint16_t> best(rows + 1, 40'000);
      std::vector<std::uint16_t> expected = best;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t lane = 0; lane < kPq4Lanes; ++lane) {
          expected[row] = std::max(expected[row], lanes[1 + row * kPq4Lanes + lane]);
        }
      }
      table->pq4_best(lanes.data() + 1, rows, best.data());
      EXPECT_EQ(best, expected) << rows;
    }
  }
}

TEST_P(Pq4ScanIsaTest, TheLargestSumsDoNotOverflow) {
  for (const KernelTable* table : RunnableKernels()) {
    if (table->name != GetParam()) continue;
    Pq4Input input(2, kPq4MaxSubVectors, 1, 3);
    input.SetAllEntries(kPq4MaxEntry);
    const auto best = Scan(table->pq4_max, input, 0);
    EXPECT_TRUE(std::ranges::all_of(best, [](unsigned sum) { return sum == 63 * 1024; }));
  }
}

std::vector<std::string> BuiltNames() {
  const auto names = BuiltKernelNames();
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Isa, Pq4ScanIsaTest, testing::ValuesIn(BuiltNames()),
                         [](const auto& isa) { return isa.param; });

}  // namespace
}  // namespace sightline::kernels
