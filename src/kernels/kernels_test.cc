// Every instruction set against the scalar reference, and the reference against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/kernel_table.h"
#include "kernels/random_groups.h"

namespace sightline::kernels {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

std::vector<std::size_t> CountsAround(std::size_t n) { return {0, 1, n - 1, n, n + 1, 8 * n + 2}; }

class KernelsTest : public testing::TestWithParam<std::string> {
 protected:
  /// Null when the machine cannot run it.
  const KernelTable* Table() const {
    for (const KernelTable* table : RunnableKernels()) {
      if (GetParam() == table->name) return table;
    }
    return nullptr;
  }
};

#define SIGHTLINE_TABLE_OR_SKIP(name)                                  \
  const KernelTable* name = Table();                                   \
  if (name == nullptr) {                                               \
    std::printf("SKIP: this machine has no %s\n", GetParam().c_str()); \
    GTEST_SKIP() << "this machine has no " << GetParam();              \
  }

std::vector<float> Dots(const KernelTable& table, const RandomRows& query,
                        const RandomGroups& groups) {
  // One more, to see that nothing is written past the end.
  std::vector<float> values(query.count() * 16 + 1, 77);
  const QueryRows rows = query.rows();
  table.dots(&rows, groups.data(), groups.dims(), values.data());
  EXPECT_EQ(values.back(), 77) << table.name;
  values.pop_back();
  return values;
}

std::vector<float> MaxDots(const KernelTable& table, const RandomRows& query,
                           const RandomGroups& groups, float start) {
  std::vector<float> best(query.count() * 16 + 1, start);
  best.back() = 77;
  const QueryRows rows = query.rows();
  table.max_dots(&rows, groups.data(), groups.count(), groups.dims(), best.data());
  EXPECT_EQ(best.back(), 77) << table.name;
  best.pop_back();
  return best;
}

// The values of `best_dots`, and the numbers of the vectors as a second half.
struct Best {
  std::vector<float> values;
  std::vector<std::uint32_t> vectors;
  bool operator==(const Best&) const = default;
};

Best BestDots(const KernelTable& table, const RandomRows& query, const RandomGroups& groups,
              float start) {
  const std::size_t lanes = query.count() * 16;
  Best best = {std::vector<float>(lanes + 1, start), std::vector<std::uint32_t>(lanes + 1, 4711)};
  best.values.back() = 77;
  const QueryRows rows = query.rows();
  table.best_dots(&rows, groups.data(), groups.count(), groups.dims(), best.values.data(),
                  best.vectors.data());
  EXPECT_EQ(best.values.back(), 77) << table.name;
  EXPECT_EQ(best.vectors.back(), 4711) << table.name;
  return best;
}

TEST(ScalarKernelsTest, DotsFollowTheDefinition) {
  for (const std::size_t dims : {1U, 3U, 4U, 5U, 130U}) {
    const RandomRows query(3, dims, 1);
    const RandomGroups groups(1, dims, 0, 2);
    const auto values = Dots(kScalarKernels, query, groups);
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t lane = 0; lane < 16; ++lane) {
        std::int32_t dot = 0;
        for (std::size_t i = 0; i < dims; ++i) dot += query.code(q, i) * groups.code(lane, i);
        EXPECT_EQ(values[q * 16 + lane], static_cast<float>(dot) * groups.scale(lane));
      }
    }
  }
}

TEST(ScalarKernelsTest, MaxDotsAreTheLargestOfDots) {
  const RandomRows query(2, 9, 3);
  const RandomGroups groups(5, 9, 0, 4);
  std::vector<float> expected(2 * 16, kLowest);
  for (std::size_t g = 0; g < groups.count(); ++g) {
    std::vector<float> values(2 * 16);
    const QueryRows rows = query.rows();
    kScalarKernels.dots(&rows, groups.data() + g * GroupBytes(9), 9, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) expected[i] = std::max(expected[i], values[i]);
  }
  EXPECT_EQ(MaxDots(kScalarKernels, query, groups, kLowest), expected);
}

TEST(ScalarKernelsTest, BestDotsNameTheFirstOfTheLargestOfDots) {
  const RandomRows query(3, 9, 3);
  const RandomGroups groups(7, 9, 0, 4);
  const float start = 0.1F;
  const Best best = BestDots(kScalarKernels, query, groups, start);
  std::vector<float> expected(3 * 16, start);
  std::vector<std::uint32_t> vectors(3 * 16, 4711);
  for (std::size_t g = 0; g < groups.count(); ++g) {
    std::vector<float> values(3 * 16);
    const QueryRows rows = query.rows();
    kScalarKernels.dots(&rows, groups.data() + g * GroupBytes(9), 9, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] <= expected[i]) continue;
      expected[i] = values[i];
      vectors[i] = static_cast<std::uint32_t>(g * 16 + i % 16);
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(best.values[i], expected[i]) << i;
    EXPECT_EQ(best.vectors[i], vectors[i]) << i;
  }
}

TEST_P(KernelsTest, DotsEqualScalarToTheBit) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const std::size_t dims : {1U, 2U, 3U, 4U, 5U, 63U, 64U, 65U, 128U, 250U, 514U, 4096U}) {
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 33U}) {
      const RandomRows query(count, dims, 5);
      const RandomGroups groups(1, dims, 4 * (count % 16), 6);
      EXPECT_EQ(Dots(*table, query, groups), Dots(kScalarKernels, query, groups))
          << "dims " << dims << " query vectors " << count;
    }
  }
}

TEST_P(KernelsTest, MaxDotsEqualScalarToTheBit) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const std::size_t dims : {1U, 3U, 4U, 60U, 64U, 65U, 128U, 250U, 4096U}) {
    for (const std::size_t count : {1U, 2U, 5U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 65U}) {
      for (const std::size_t groups : CountsAround(2)) {
        if (dims == 4096 && (count > 17 || groups > 3)) continue;
        const RandomRows query(count, dims, 7);
        const RandomGroups documents(groups, dims, 4 * ((groups + count) % 16), 8);
        for (const float start : {kLowest, 0.5F}) {
          EXPECT_EQ(MaxDots(*table, query, documents, start),
                    MaxDots(kScalarKernels, query, documents, start))
              << "dims " << dims << " query vectors " << count << " groups " << groups;
        }
      }
    }
  }
}

TEST_P(KernelsTest, BestDotsEqualScalarToTheBit) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const std::size_t dims : {1U, 3U, 4U, 64U, 65U, 128U, 250U}) {
    for (const std::size_t count : {1U, 4U, 7U, 8U, 9U, 16U, 17U, 32U, 33U, 65U}) {
      for (const std::size_t groups : CountsAround(2)) {
        const RandomRows query(count, dims, 9);
        const RandomGroups documents(groups, dims, 4 * ((groups + count) % 16), 10);
        for (const float start : {kLowest, 0.5F}) {
          EXPECT_TRUE(BestDots(*table, query, documents, start) ==
                      BestDots(kScalarKernels, query, documents, start))
              << "dims " << dims << " query vectors " << count << " groups " << groups;
        }
      }
    }
  }
}

TEST_P(KernelsTest, TheFirstOfEqualVectorsIsTheBest) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const std::size_t rows : {1U, 33U}) {
    const Best best = BestDots(*table, RandomRows::Constant(rows, 8, 3),
                               RandomGroups::Constant(5, 8, 2), kLowest);
    for (std::size_t i = 0; i < rows * 16; ++i) EXPECT_EQ(best.vectors[i], i % 16);
    // What only equals the old value leaves the old vector.
    const Best kept =
        BestDots(*table, RandomRows::Constant(rows, 8, 3), RandomGroups::Constant(5, 8, 2), 48);
    for (std::size_t i = 0; i < rows * 16; ++i) EXPECT_EQ(kept.vectors[i], 4711U);
  }
}

TEST_P(KernelsTest, ExtremeCodesDoNotSaturate) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const int query_code : {-64, 64}) {
    for (const int code : {-128, 127}) {
      const RandomRows query = RandomRows::Constant(17, 4096, query_code);
      const RandomGroups groups = RandomGroups::Constant(2, 4096, code);
      const auto expected = static_cast<float>(4096 * query_code * code);
      EXPECT_EQ(Dots(*table, query, groups), std::vector<float>(17 * 16, expected));
      EXPECT_EQ(MaxDots(*table, query, groups, kLowest), std::vector<float>(17 * 16, expected));
    }
  }
}

TEST_P(KernelsTest, FloatDotIsCloseToDouble) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (const std::size_t dims : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 258U, 384U}) {
    for (std::size_t shift = 0; shift <= 3; ++shift) {
      std::vector<float> a(dims + shift);
      std::vector<float> b(dims + shift);
      double expected = 0;
      double magnitude = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = normal(random);
        b[i] = normal(random);
        if (i < shift) continue;
        expected += double{a[i]} * double{b[i]};
        magnitude += std::abs(double{a[i]} * double{b[i]});
      }
      const float got = table->dot_f32(a.data() + shift, b.data() + shift, dims);
      EXPECT_NEAR(got, expected, magnitude * 1e-6) << "dims " << dims << " shift " << shift;
    }
  }
}

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  for (const auto name : BuiltKernelNames()) names.emplace_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Isa, KernelsTest, testing::ValuesIn(AllNames()),
                         [](const auto& isa) { return isa.param; });

TEST(DispatchTest, ForcedNameWinsAndUnknownNameIsIgnored) {
  EXPECT_STREQ(ChooseKernels("scalar").name, "scalar");
  EXPECT_EQ(&ChooseKernels("no-such-isa"), RunnableKernels().back());
  EXPECT_EQ(&ChooseKernels(""), RunnableKernels().back());
}

TEST(DispatchTest, EveryTableOfThisMachineCanBePinned) {
  for (const KernelTable* table : RunnableKernels()) {
    EXPECT_EQ(&ChooseKernels(table->name), table);
  }
}

}  // namespace
}  // namespace sightline::kernels
