#include "base/clock.h"

#include <array>
#include <cstdio>

namespace sightline::base {
namespace {

class MachineClock final : public Clock {
 public:
  MonotonicTime Now() const override { return std::chrono::steady_clock::now(); }
  UtcTime UtcNow() const override { return std::chrono::system_clock::now(); }
};

// Reads exactly `digits` decimal digits at the front of `text` and removes them; -1 when they are
// not there.
int TakeDigits(std::string_view& text, size_t digits) {
  if (text.size() < digits) return -1;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool TakeChar(std::string_view& text, char lower, char upper) {
  if (text.empty() || (text[0] != lower && text[0] != upper)) return false;
  text.remove_prefix(1);
  return true;
}

bool TakeChar(std::string_view& text, char c) { return TakeChar(text, c, c); }

// ".123456789", of which nanoseconds are kept; 0 without a fraction, -1 when malformed.
int64_t TakeFractionNanos(std::string_view& text) {
  if (!TakeChar(text, '.')) return 0;
  int64_t nanos = 0;
  int64_t scale = 100'000'000;
  size_t digits = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    nanos += (text[0] - '0') * scale;
    scale /= 10;
    text.remove_prefix(1);
    ++digits;
  }
  return digits == 0 ? -1 : nanos;
}

// "Z" or "+hh:mm"; nullopt when malformed.
bool TakeOffset(std::string_view& text, std::chrono::minutes& offset) {
  offset = std::chrono::minutes(0);
  if (TakeChar(text, 'z', 'Z')) return true;
  const bool negative = !text.empty() && text[0] == '-';
  if (!TakeChar(text, '+', '-')) return false;
  const int hours = TakeDigits(text, 2);
  if (hours < 0 || hours > 23 || !TakeChar(text, ':')) return false;
  const int minutes = TakeDigits(text, 2);
  if (minutes < 0 || minutes > 59) return false;
  offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  if (negative) offset = -offset;
  return true;
}

}  // namespace

const Clock& SystemClock() {
  static const MachineClock clock;
  return clock;
}

FakeClock::FakeClock(UtcTime utc_start)
    : now_(MonotonicTime(std::chrono::hours(1))), utc_now_(utc_start) {}

MonotonicTime FakeClock::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

UtcTime FakeClock::UtcNow() const {
  MutexLock lock(mutex_);
  return utc_now_;
}

void FakeClock::Advance(std::chrono::nanoseconds by) {
  MutexLock lock(mutex_);
  now_ += std::chrono::duration_cast<MonotonicTime::duration>(by);
  utc_now_ += std::chrono::duration_cast<UtcTime::duration>(by);
}

int64_t UnixMillis(UtcTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

UtcTime FromUnixMillis(int64_t unix_ms) { return UtcTime(std::chrono::milliseconds(unix_ms)); }

std::string FormatRfc3339(UtcTime time) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(ms);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(ms - day);
  std::array<char, 64> out;
  const int length = std::snprintf(
      out.data(), out.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return {out.data(), static_cast<size_t>(length)};
}

Result<UtcTime> ParseRfc3339(std::string_view text) {
  // Quoted in the message, so bounded.
  const Status malformed = InvalidArgument("not an RFC 3339 time (2030-01-02T03:04:05Z): " +
                                           std::string(text.substr(0, 64)));
  const int year = TakeDigits(text, 4);
  if (year < 0 || !TakeChar(text, '-')) return malformed;
  const int month = TakeDigits(text, 2);
  if (month < 0 || !TakeChar(text, '-')) return malformed;
  const int day = TakeDigits(text, 2);
  if (day < 0) return malformed;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || !TakeChar(text, 't', 'T')) return malformed;
  const int hour = TakeDigits(text, 2);
  if (hour < 0 || hour > 23 || !TakeChar(text, ':')) return malformed;
  const int minute = TakeDigits(text, 2);
  if (minute < 0 || minute > 59 || !TakeChar(text, ':')) return malformed;
  const int second = TakeDigits(text, 2);
  if (second < 0 || second > 60) return malformed;
  const int64_t nanos = TakeFractionNanos(text);
  std::chrono::minutes offset;
  if (nanos < 0 || !TakeOffset(text, offset) || !text.empty()) return malformed;
  // system_clock counts nanoseconds in 64 bits: 1678 to 2262.
  if (year < 1700 || year > 2250) return malformed;
  return UtcTime(std::chrono::sys_days(date) + std::chrono::hours(hour) +
                 std::chrono::minutes(minute) - offset + std::chrono::seconds(second) +
                 std::chrono::nanoseconds(nanos));
}

}  // namespace sightline::base
