// Small values from the front of an input, for targets whose input is more than one thing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sightline::fuzz {

/// Takes bytes from the front of an input; zeros when there are none left. Views stay those of the
/// input.
class ByteSource {
 public:
  explicit ByteSource(std::string_view input) : rest_(input) {}

  /// Whether everything was taken.
  bool IsEmpty() const { return rest_.empty(); }
  /// The next byte.
  std::uint8_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  /// The next four bytes, little-endian.
  std::uint32_t Word() {
    std::uint32_t word = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) word |= std::uint32_t{Byte()} << shift;
    return word;
  }
  /// A number from `low` to `high`, from one byte; at most 256 of them are reached.
  int Between(int low, int high) { return low + Byte() % (high - low + 1); }
  /// At most `size_bytes` of the next bytes.
  std::string_view Take(std::size_t size_bytes) {
    const std::string_view taken = rest_.substr(0, size_bytes);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  /// What stands before the next `end`, which is taken too; everything when there is none.
  std::string_view TakeUntil(char end) {
    const std::size_t size_bytes = std::min(rest_.find(end), rest_.size());
    const std::string_view taken = Take(size_bytes);
    Take(1);
    return taken;
  }
  /// Everything that is left.
  std::string_view Rest() { return Take(rest_.size()); }

 private:
  std::string_view rest_;
};

}  // namespace sightline::fuzz
