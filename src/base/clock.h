// Clocks: monotonic time for inside, UTC for what people and other systems read.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

namespace sightline::base {

/// A point of monotonic time; only differences mean something.
using MonotonicTime = std::chrono::steady_clock::time_point;
/// A point of UTC.
using UtcTime = std::chrono::system_clock::time_point;

/// Where time comes from. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Time since some start of its own; never goes back.
  virtual MonotonicTime Now() const = 0;
  /// The time of day as the machine believes it; may jump.
  virtual UtcTime UtcNow() const = 0;
};

/// The clocks of the machine. Lives as long as the process.
const Clock& SystemClock();

/// A clock that stands still until it is moved, for tests.
class FakeClock final : public Clock {
 public:
  /// Starts at monotonic 1 h and at `utc_start` (2030-01-01T00:00:00Z unless given).
  explicit FakeClock(UtcTime utc_start = UtcTime(std::chrono::seconds(1'893'456'000)));
  MonotonicTime Now() const override;
  UtcTime UtcNow() const override;
  /// Moves both clocks.
  void Advance(std::chrono::nanoseconds by);

 private:
  mutable Mutex mutex_;
  MonotonicTime now_ SIGHTLINE_GUARDED_BY(mutex_);
  UtcTime utc_now_ SIGHTLINE_GUARDED_BY(mutex_);
};

/// Milliseconds since 1970 in UTC.
int64_t UnixMillis(UtcTime time);
/// The inverse of UnixMillis.
UtcTime FromUnixMillis(int64_t unix_ms);
/// "2030-01-02T03:04:05.678Z" (RFC 3339, milliseconds, rounded down).
std::string FormatRfc3339(UtcTime time);
/// Reads RFC 3339 with any offset and fraction; kInvalidArgument with the text otherwise.
Result<UtcTime> ParseRfc3339(std::string_view text);

}  // namespace sightline::base
