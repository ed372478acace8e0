// Every instruction set against the scalar reference, and the reference against the definition.
#include "kernels/hamming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/dispatch.h"

namespace sightline::kernels {
namespace {

constexpr std::uint32_t kFarthest = std::numeric_limits<std::uint32_t>::max();

/// Random codes, `shift` bytes past where a vector of the standard library starts.
class Input {
 public:
  Input(std::size_t rows, std::size_t count, std::size_t code_bytes, std::size_t shift)
      : rows_(rows),
        count_(count),
        code_bytes_(code_bytes),
        shift_(shift),
        query_(rows * code_bytes + shift),
        codes_(count * code_bytes + shift) {
    std::mt19937 random(static_cast<unsigned>(rows * 1000 + count * 10 + code_bytes));
    for (auto& byte : query_) byte = static_cast<std::uint8_t>(random());
    for (auto& byte : codes_) byte = static_cast<std::uint8_t>(random());
  }

  /// So that every bit differs.
  void SetOpposites() {
    std::ranges::fill(query_, std::uint8_t{0x00});
    std::ranges::fill(codes_, std::uint8_t{0xFF});
  }

  std::vector<std::uint32_t> Best(HammingBestFunction hamming_best, std::uint32_t start) const {
    // One more, to see that nothing is written past the end.
    std::vector<std::uint32_t> best(rows_ + 1, start);
    best.back() = 4711;
    hamming_best(query_.data() + shift_, rows_, codes_.data() + shift_, count_, code_bytes_,
                 best.data());
    return best;
  }

  /// One bit after the other.
  std::vector<std::uint32_t> ByDefinition(std::uint32_t start) const {
    std::vector<std::uint32_t> best(rows_ + 1, start);
    best.back() = 4711;
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t c = 0; c < count_; ++c) {
        std::uint32_t distance = 0;
        for (std::size_t bit = 0; bit < code_bytes_ * 8; ++bit) {
          const int a = query_[shift_ + row * code_bytes_ + bit / 8] >> bit % 8 & 1;
          const int b = codes_[shift_ + c * code_bytes_ + bit / 8] >> bit % 8 & 1;
          distance += a != b ? 1 : 0;
        }
        best[row] = std::min(best[row], distance);
      }
    }
    return best;
  }

 private:
  std::size_t rows_;
  std::size_t count_;
  std::size_t code_bytes_;
  std::size_t shift_;
  std::vector<std::uint8_t> query_;
  std::vector<std::uint8_t> codes_;
};

TEST(HammingTest, TheReferenceFollowsTheDefinition) {
  for (const std::size_t code_bytes : {1U, 7U, 8U, 9U, 16U, 21U}) {
    const Input input(3, 5, code_bytes, 1);
    for (const std::uint32_t start : {kFarthest, 3U}) {
      EXPECT_EQ(input.Best(&HammingBestScalar, start), input.ByDefinition(start)) << code_bytes;
    }
  }
}

class HammingIsaTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (const KernelTable* table : RunnableKernels()) {
      if (GetParam() == table->name) hamming_best_ = table->hamming_best;
    }
    if (hamming_best_ != nullptr) return;
    std::printf("SKIP: this machine has no %s\n", GetParam().c_str());
    GTEST_SKIP() << "this machine has no " << GetParam();
  }

  HammingBestFunction hamming_best_ = nullptr;
};

TEST_P(HammingIsaTest, EqualsTheReference) {
  for (const std::size_t code_bytes :
       {1U,   2U,   3U,   4U,   5U,   7U,   8U,   16U,  17U,  48U,
        123U, 124U, 125U, 127U, 128U, 129U, 249U, 511U, 512U, 513U}) {
    for (const std::size_t rows :
         {0U, 1U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 66U, 258U}) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 10U}) {
        const Input input(rows, count, code_bytes, (rows + count) % 5);
        for (const std::uint32_t start : {kFarthest, static_cast<std::uint32_t>(code_bytes * 4)}) {
          EXPECT_EQ(input.Best(hamming_best_, start), input.Best(&HammingBestScalar, start))
              << code_bytes << " bytes, " << rows << " rows, " << count << " codes";
        }
      }
    }
  }
}

TEST_P(HammingIsaTest, TheLargestDistancesDoNotOverflow) {
  for (const std::size_t code_bytes : {124U, 128U, 512U, 4096U}) {
    Input input(33, 2, code_bytes, 1);
    input.SetOpposites();
    auto expected = std::vector<std::uint32_t>(33, static_cast<std::uint32_t>(code_bytes * 8));
    expected.push_back(4711);
    EXPECT_EQ(input.Best(hamming_best_, kFarthest), expected) << code_bytes;
  }
}

std::vector<std::string> BuiltNames() {
  const auto names = BuiltKernelNames();
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Isa, HammingIsaTest, testing::ValuesIn(BuiltNames()),
                         [](const auto& isa) { return isa.param; });

}  // namespace
}  // namespace sightline::kernels
