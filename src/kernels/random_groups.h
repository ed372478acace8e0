// Query vectors and document groups for the tests of the kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "kernels/kernel_table.h"
#include "kernels/vector_group.h"

namespace sightline::kernels {

/// Query vectors of random codes, laid out as `QueryRows` asks.
class RandomRows {
 public:
  /// Random codes; many pairs are as large as `QueryRows` allows.
  RandomRows(std::size_t count, std::size_t dims, unsigned seed) : RandomRows(count, dims) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> code(-127, 127);
    int last = 0;
    Fill([&](std::size_t dim) {
      int next = code(random);
      if (dim % 2 != 0 && (next > 0) == (last > 0)) {
        next = next > 0 ? std::min(next, 128 - last) : std::max(next, -128 - last);
      }
      last = next;
      return next;
    });
  }
  /// All codes alike.
  static RandomRows Constant(std::size_t count, std::size_t dims, int code) {
    RandomRows rows(count, dims);
    rows.Fill([&](std::size_t) { return code; });
    return rows;
  }

  std::size_t count() const { return count_; }
  /// Code of a dim of a vector.
  int code(std::size_t row, std::size_t dim) const {
    return reinterpret_cast<const std::int8_t*>(lines_.data())[row * stride_ + dim];
  }
  /// Valid as long as this.
  QueryRows rows() const {
    return {reinterpret_cast<const std::int8_t*>(lines_.data()), starts_.data(), count_, stride_};
  }

 private:
  struct alignas(64) Line {
    std::int8_t codes[64] = {};
  };

  RandomRows(std::size_t count, std::size_t dims)
      : count_(count),
        dims_(dims),
        stride_((dims + 63) / 64 * 64),
        lines_((count + 15) / 16 * 16 * stride_ / 64),
        starts_((count + 15) / 16 * 16) {}

  template <typename CodeOf>
  void Fill(const CodeOf& code_of) {
    auto* codes = reinterpret_cast<std::int8_t*>(lines_.data());
    for (std::size_t q = 0; q < count_; ++q) {
      int sum = 0;
      for (std::size_t i = 0; i < dims_; ++i) {
        const int code = code_of(i);
        codes[q * stride_ + i] = static_cast<std::int8_t>(code);
        sum += code;
      }
      starts_[q] = -kCodeBias * sum;
    }
  }

  std::size_t count_;
  std::size_t dims_;
  std::size_t stride_;
  std::vector<Line> lines_;
  std::vector<std::int32_t> starts_;
};

/// Full groups of random codes, all 256 values, with random scales.
class RandomGroups {
 public:
  /// The first group starts `shift` bytes, a multiple of 4, after a multiple of 64.
  RandomGroups(std::size_t count, std::size_t dims, std::size_t shift, unsigned seed)
      : RandomGroups(count, dims, shift) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> code(-128, 127);
    std::uniform_real_distribution<float> scale(0.001F, 0.01F);
    Fill([&] { return code(random); }, [&] { return scale(random); });
  }
  /// All codes alike, scales 1.
  static RandomGroups Constant(std::size_t count, std::size_t dims, int code) {
    RandomGroups groups(count, dims, 0);
    groups.Fill([&] { return code; }, [] { return 1.0F; });
    return groups;
  }

  std::size_t count() const { return count_; }
  std::size_t dims() const { return dims_; }
  /// Groups.
  const std::uint8_t* data() const { return bytes_.data() + offset_; }
  /// Code of a dim of a vector.
  int code(std::size_t vector, std::size_t dim) const {
    std::vector<std::int8_t> codes(dims_);
    LoadVector(data() + vector / 16 * GroupBytes(dims_), vector % 16, codes);
    return codes[dim];
  }
  /// Scale of a vector.
  float scale(std::size_t vector) const {
    return GroupScales(data() + vector / 16 * GroupBytes(dims_), dims_)[vector % 16];
  }

 private:
  RandomGroups(std::size_t count, std::size_t dims, std::size_t shift)
      : count_(count), dims_(dims), bytes_(count * GroupBytes(dims) + shift + 64) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64;
    offset_ = (64 - past) % 64 + shift % 64;
  }

  template <typename NextCode, typename NextScale>
  void Fill(const NextCode& next_code, const NextScale& next_scale) {
    std::vector<std::int8_t> codes(dims_);
    for (std::size_t g = 0; g < count_; ++g) {
      std::uint8_t* group = bytes_.data() + offset_ + g * GroupBytes(dims_);
      ClearGroup(dims_, group);
      for (std::size_t lane = 0; lane < kGroupLanes; ++lane) {
        for (auto& code : codes) code = static_cast<std::int8_t>(next_code());
        StoreVector(codes, next_scale(), lane, group);
      }
    }
  }

  std::size_t count_;
  std::size_t dims_;
  std::vector<std::uint8_t> bytes_;
  std::size_t offset_;
};

}  // namespace sightline::kernels
