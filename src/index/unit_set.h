// A set of unit ids as a bitmap: what filters and deletes become before anything is scored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sightline::index {

/// Id of a unit: positive, given once by the catalog, never used again. Ids are dense, so a plain
/// bitmap (one bit an id ever given) is small: 1 million units are 125 KB.
using UnitId = std::int64_t;

/// Set of unit ids. Thread-compatible.
class UnitSet {
 public:
  /// False for ids that were never inserted, negative ones too.
  bool Contains(UnitId id) const {
    const auto word = static_cast<std::size_t>(id) >> 6U;
    return id >= 0 && word < words_.size() &&
           ((words_[word] >> (static_cast<std::size_t>(id) & 63U)) & 1U) != 0;
  }
  /// `id` must not be negative.
  void Insert(UnitId id) {
    const auto word = static_cast<std::size_t>(id) >> 6U;
    if (word >= words_.size()) words_.resize(word + 1, 0);
    const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::size_t>(id) & 63U);
    if ((words_[word] & bit) == 0) ++size_;
    words_[word] |= bit;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace sightline::index
