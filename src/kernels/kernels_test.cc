// Every instruction set against the scalar reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr std::size_t kMaxShift = 3;

std::vector<std::size_t> CountsAround(std::size_t n) { return {0, 1, n - 1, n, n + 1, 8 * n + 2}; }

std::vector<std::int8_t> RandomCodes(std::size_t size, std::mt19937& random) {
  // All 256 values, so that -128 and sums at the limit occur.
  std::uniform_int_distribution<int> code(-128, 127);
  std::vector<std::int8_t> codes(size);
  for (auto& value : codes) value = static_cast<std::int8_t>(code(random));
  return codes;
}

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

TEST_P(KernelsTest, DotsEqualScalar) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  std::mt19937 random(1);
  for (const std::size_t dims : {1U, 15U, 16U, 17U, 63U, 64U, 65U, 128U, 384U, 514U, 4096U}) {
    for (const std::size_t count : CountsAround(4)) {
      for (std::size_t shift = 0; shift <= kMaxShift; ++shift) {
        const auto query = RandomCodes(dims + shift, random);
        const auto rows = RandomCodes(count * dims + shift, random);
        std::vector<std::int32_t> expected(count);
        std::vector<std::int32_t> got(count + 1, 77);
        kScalarKernels.dots_i8(query.data() + shift, rows.data() + shift, count, dims,
                               expected.data());
        table->dots_i8(query.data() + shift, rows.data() + shift, count, dims, got.data());
        EXPECT_EQ(got[count], 77) << "wrote past the end";
        got.pop_back();
        EXPECT_EQ(got, expected) << "dims " << dims << " count " << count << " shift " << shift;
      }
    }
  }
}

TEST_P(KernelsTest, DotsOfExtremeCodesAreExact) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  for (const int a : {-128, 127}) {
    for (const int b : {-128, 127}) {
      const std::vector<std::int8_t> query(4096, static_cast<std::int8_t>(a));
      const std::vector<std::int8_t> row(4096, static_cast<std::int8_t>(b));
      std::int32_t dot = 0;
      table->dots_i8(query.data(), row.data(), 1, row.size(), &dot);
      EXPECT_EQ(dot, 4096 * a * b);
    }
  }
}

std::vector<float> MaxDots(const KernelTable& table, const std::vector<std::int8_t>& queries,
                           std::size_t count, const std::int8_t* rows,
                           const std::vector<float>& scales, std::size_t dims) {
  const std::size_t bytes = table.packed_bytes_i8(count, dims);
  std::vector<std::byte> storage(bytes + 64);
  void* packed = storage.data();
  std::size_t space = storage.size();
  std::align(64, bytes, packed, space);
  table.pack_i8(queries.data(), count, dims, packed);
  std::vector<float> best((count + 15) / 16 * 16, -std::numeric_limits<float>::infinity());
  table.max_dots_i8(packed, count, rows, scales.data(), scales.size(), dims, best.data());
  best.resize(count);
  return best;
}

TEST_P(KernelsTest, MaxDotsEqualScalarToTheBit) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  std::mt19937 random(2);
  std::uniform_real_distribution<float> scale(0.001F, 0.01F);
  for (const std::size_t dims : {1U, 2U, 3U, 7U, 64U, 65U, 128U, 384U, 4096U}) {
    for (const std::size_t queries : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 32U, 33U, 49U}) {
      for (const std::size_t rows : CountsAround(8)) {
        if (dims == 4096 && (queries > 17 || rows > 9)) continue;
        const std::size_t shift = (rows + queries) % (kMaxShift + 1);
        const auto query_codes = RandomCodes(queries * dims, random);
        const auto codes = RandomCodes(rows * dims + shift, random);
        std::vector<float> scales(rows);
        for (float& value : scales) value = scale(random);
        const auto expected =
            MaxDots(kScalarKernels, query_codes, queries, codes.data() + shift, scales, dims);
        const auto got = MaxDots(*table, query_codes, queries, codes.data() + shift, scales, dims);
        EXPECT_EQ(got, expected) << "dims " << dims << " queries " << queries << " rows " << rows;
      }
    }
  }
}

TEST_P(KernelsTest, FloatDotIsCloseToDouble) {
  SIGHTLINE_TABLE_OR_SKIP(table)
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (const std::size_t dims : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 258U, 384U}) {
    for (std::size_t shift = 0; shift <= kMaxShift; ++shift) {
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

}  // namespace
}  // namespace sightline::kernels
