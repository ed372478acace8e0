// Every instruction set against the scalar reference, and the reference against the definition.
#include "kernels/float_max_sim.h"

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

namespace sightline::kernels {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// A finite binary16 as the standard defines it.
double HalfValue(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const int fraction = half & 0x3FF;
  const double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -value : value;
}

/// Query vectors and documents of random floats and halves, `shift` numbers past where a vector of
/// the standard library starts.
class Input {
 public:
  Input(std::size_t rows, std::size_t count, std::size_t dims, std::size_t shift)
      : rows_(rows),
        count_(count),
        dims_(dims),
        shift_(shift),
        query_(rows * dims + shift),
        vectors_(count * dims + shift),
        halves_(count * dims + shift) {
    std::mt19937 random(static_cast<unsigned>(rows * 1000 + count * 10 + dims));
    std::normal_distribution<float> normal;
    for (float& value : query_) value = normal(random);
    for (float& value : vectors_) value = normal(random);
    // Numbers from 2^-24, subnormal, to below 4, of both signs.
    for (auto& half : halves_) {
      half = static_cast<std::uint16_t>((random() % 0x4400) | (random() % 2 << 15));
    }
    for (std::size_t row = 0; row < rows; ++row) magnitudes_.push_back(Magnitude(row));
  }

  const float* query() const { return query_.data() + shift_; }
  const float* vectors() const { return vectors_.data() + shift_; }
  const std::uint16_t* halves() const { return halves_.data() + shift_; }
  std::size_t rows() const { return rows_; }

  std::vector<float> MaxF32(const KernelTable& table, float start) const {
    std::vector<float> best = Start(start);
    table.max_dots_f32(query(), rows_, vectors(), count_, dims_, best.data());
    return best;
  }
  std::vector<float> MaxF16(const KernelTable& table, float start) const {
    std::vector<float> best = Start(start);
    table.max_dots_f16(query(), rows_, halves(), count_, dims_, best.data());
    return best;
  }

  /// Sum of the magnitudes of products that a row and a vector have at most, of either kind.
  double magnitude(std::size_t row) const { return magnitudes_[row]; }

 private:
  // One more, to see that nothing is written past the end.
  std::vector<float> Start(float start) const {
    std::vector<float> best(rows_ + 1, start);
    best.back() = 77;
    return best;
  }

  double Magnitude(std::size_t row) const {
    double most = 0;
    for (std::size_t v = 0; v < count_; ++v) {
      double float_sum = 0;
      double half_sum = 0;
      for (std::size_t i = 0; i < dims_; ++i) {
        const double factor = std::abs(double{query()[row * dims_ + i]});
        float_sum += factor * std::abs(double{vectors()[v * dims_ + i]});
        half_sum += factor * std::abs(HalfValue(halves()[v * dims_ + i]));
      }
      most = std::max({most, float_sum, half_sum});
    }
    return most;
  }

  std::size_t rows_;
  std::size_t count_;
  std::size_t dims_;
  std::size_t shift_;
  std::vector<float> query_;
  std::vector<float> vectors_;
  std::vector<std::uint16_t> halves_;
  std::vector<double> magnitudes_;
};

void ExpectClose(const std::vector<float>& got, const std::vector<float>& expected,
                 const Input& input, const std::string& what) {
  EXPECT_EQ(got.back(), 77) << what;
  for (std::size_t row = 0; row < input.rows(); ++row) {
    if (got[row] == expected[row]) continue;  // Infinity, where there is no vector.
    EXPECT_NEAR(got[row], expected[row], input.magnitude(row) * 1e-6) << what << " row " << row;
  }
}

TEST(FloatMaxSimTest, TheReferenceFollowsTheDefinition) {
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kCount = 5;
  constexpr std::size_t kDims = 7;
  const Input input(kRows, kCount, kDims, 1);
  const auto floats = input.MaxF32(kScalarKernels, 1.5F);
  const auto halves = input.MaxF16(kScalarKernels, 1.5F);
  for (std::size_t row = 0; row < kRows; ++row) {
    double expected_floats = 1.5;
    double expected_halves = 1.5;
    for (std::size_t v = 0; v < kCount; ++v) {
      double float_sum = 0;
      double half_sum = 0;
      for (std::size_t i = 0; i < kDims; ++i) {
        const double factor = input.query()[row * kDims + i];
        float_sum += factor * input.vectors()[v * kDims + i];
        half_sum += factor * HalfValue(input.halves()[v * kDims + i]);
      }
      expected_floats = std::max(expected_floats, float_sum);
      expected_halves = std::max(expected_halves, half_sum);
    }
    EXPECT_NEAR(floats[row], expected_floats, input.magnitude(row) * 1e-6);
    EXPECT_NEAR(halves[row], expected_halves, input.magnitude(row) * 1e-6);
  }
}

class FloatMaxSimIsaTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (const KernelTable* table : RunnableKernels()) {
      if (GetParam() == table->name) table_ = table;
    }
    if (table_ != nullptr) return;
    std::printf("SKIP: this machine has no %s\n", GetParam().c_str());
    GTEST_SKIP() << "this machine has no " << GetParam();
  }

  const KernelTable* table_ = nullptr;
};

void ExpectEqualsScalar(const KernelTable& table, const Input& input, const std::string& what) {
  for (const float start : {kLowest, 0.5F}) {
    ExpectClose(input.MaxF32(table, start), input.MaxF32(kScalarKernels, start), input,
                "f32 " + what);
    ExpectClose(input.MaxF16(table, start), input.MaxF16(kScalarKernels, start), input,
                "f16 " + what);
  }
}

std::string Describe(std::size_t rows, std::size_t count, std::size_t dims) {
  return std::to_string(rows) + " rows, " + std::to_string(count) + " vectors, " +
         std::to_string(dims) + " dims";
}

TEST_P(FloatMaxSimIsaTest, EqualsTheReferenceForEveryNumberOfVectors) {
  // Around the documents of a tile and of a block, as each instruction set has them.
  for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 34U, 50U, 66U, 119U, 120U,
                                  121U, 127U, 128U, 129U, 258U}) {
    for (const std::size_t rows : {1U, 17U}) {
      const Input input(rows, count, 9, count % 4);
      ExpectEqualsScalar(*table_, input, Describe(rows, count, 9));
    }
  }
}

TEST_P(FloatMaxSimIsaTest, EqualsTheReferenceForEveryNumberOfRowsAndDims) {
  for (const std::size_t rows :
       {0U, 1U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 66U, 258U}) {
    for (const std::size_t dims : {1U, 2U, 3U, 4U, 5U, 7U, 15U, 16U, 17U, 33U, 131U}) {
      const Input input(rows, 11, dims, (rows + dims) % 4);
      ExpectEqualsScalar(*table_, input, Describe(rows, 11, dims));
    }
  }
}

TEST_P(FloatMaxSimIsaTest, EqualsTheReferenceForManyDims) {
  for (const std::size_t dims : {511U, 512U, 513U, 1030U}) {
    const Input input(17, 130, dims, 3);
    ExpectEqualsScalar(*table_, input, Describe(17, 130, dims));
  }
  const Input input(17, 9, 4097, 1);
  ExpectEqualsScalar(*table_, input, Describe(17, 9, 4097));
}

TEST_P(FloatMaxSimIsaTest, EveryFiniteHalfIsConvertedExactly) {
  const float one = 1;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if ((half & 0x7C00) == 0x7C00) continue;
    float best = kLowest;
    table_->max_dots_f16(&one, 1, &half, 1, 1, &best);
    ASSERT_EQ(double{best}, HalfValue(half)) << bits;
  }
}

std::vector<std::string> BuiltNames() {
  const auto names = BuiltKernelNames();
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Isa, FloatMaxSimIsaTest, testing::ValuesIn(BuiltNames()),
                         [](const auto& isa) { return isa.param; });

}  // namespace
}  // namespace sightline::kernels
