// ULIDs: 128-bit ids that sort by the time they were made (github.com/ulid/spec).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"

namespace sightline::base {

/// 48 bits of Unix milliseconds, then 80 random bits. Ordered as its text is.
struct Ulid {
  uint64_t high = 0;
  uint64_t low = 0;

  static constexpr size_t kTextSize = 26;

  /// 26 characters of Crockford's base 32, upper case.
  std::string ToString() const;
  /// Reads 26 characters in either case (I and L read as 1, O as 0); kInvalidArgument otherwise.
  static Result<Ulid> Parse(std::string_view text);
  /// When it was made.
  int64_t unix_ms() const { return static_cast<int64_t>(high >> 16); }

  friend auto operator<=>(const Ulid&, const Ulid&) = default;
};

/// Makes ULIDs, each greater than the one before, also inside a millisecond and when the clock goes
/// back. Thread-safe.
class UlidGenerator {
 public:
  /// Both must live longer than the generator.
  UlidGenerator(const Clock& clock, RandomSource& random) : clock_(clock), random_(random) {}
  Ulid Next();

 private:
  const Clock& clock_;
  RandomSource& random_;
  Mutex mutex_;
  Ulid last_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::base
