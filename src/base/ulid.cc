#include "base/ulid.h"

namespace sightline::base {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

int DigitValue(char c) {
  if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (c == 'I' || c == 'L') return 1;
  if (c == 'O') return 0;
  const size_t at = kAlphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string Ulid::ToString() const {
  std::string text(kTextSize, '0');
  uint64_t hi = high;
  uint64_t lo = low;
  for (size_t i = kTextSize; i-- > 0;) {
    text[i] = kAlphabet[lo & 31];
    lo = (lo >> 5) | (hi << 59);
    hi >>= 5;
  }
  return text;
}

Result<Ulid> Ulid::Parse(std::string_view text) {
  if (text.size() != kTextSize) {
    return InvalidArgument("not an id (26 characters): " + std::string(text.substr(0, 64)));
  }
  Ulid id;
  for (size_t i = 0; i < kTextSize; ++i) {
    const int digit = DigitValue(text[i]);
    // 26 digits hold 130 bits: the first may be 7 at most.
    if (digit < 0 || (i == 0 && digit > 7)) {
      return InvalidArgument("not an id (a character outside base 32): " + std::string(text));
    }
    id.high = (id.high << 5) | (id.low >> 59);
    id.low = (id.low << 5) | static_cast<uint64_t>(digit);
  }
  return id;
}

Ulid UlidGenerator::Next() {
  const uint64_t unix_ms = static_cast<uint64_t>(UnixMillis(clock_.UtcNow())) & 0xFFFFFFFFFFFF;
  MutexLock lock(mutex_);
  if (unix_ms > last_.high >> 16) {
    last_.high = (unix_ms << 16) | (random_.NextUint64() & 0xFFFF);
    last_.low = random_.NextUint64();
    return last_;
  }
  // The same millisecond, or the clock went back: the next number. Running over 80 bits carries
  // into the time, which keeps the order.
  if (++last_.low == 0) ++last_.high;
  return last_;
}

}  // namespace sightline::base
