#include "base/nearest_name.h"

#include <algorithm>
#include <vector>

namespace sightline::base {
namespace {

// Longer texts are no slips of the finger, and the distance is quadratic.
constexpr size_t kMaxTextSize = 128;

std::string LowerAscii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::optional<std::string> NearestName(std::string_view text, std::span<const std::string> names) {
  if (text.size() > kMaxTextSize) return std::nullopt;
  const std::string wanted = LowerAscii(text);
  std::optional<std::string> nearest;
  size_t least = 0;
  for (const std::string& name : names) {
    if (name.size() > kMaxTextSize) continue;
    const size_t distance = EditDistance(wanted, LowerAscii(name));
    if (distance * 3 > std::max(text.size(), name.size())) continue;
    if (!nearest.has_value() || distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view text, std::span<const std::string> names) {
  const std::optional<std::string> nearest = NearestName(text, names);
  return nearest.has_value() ? " (did you mean \"" + *nearest + "\"?)" : "";
}

}  // namespace sightline::base
