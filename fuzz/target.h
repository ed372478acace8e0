// A fuzz target: one reader of foreign bytes, run over arbitrary input by libFuzzer and, over the
// files of fuzz/corpus, by the unit tests.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sightline::fuzz {

/// One target. `run` must take any input of at most `max_bytes`, keep nothing between calls, and
/// end the process (CHECK, sanitizer) when a promise of the reader does not hold.
struct Target {
  std::string_view name;  ///< Of its file, `NAME_fuzz.cc`, and of its folder in fuzz/corpus.
  std::size_t max_bytes = 0;
  void (*run)(std::string_view input) = nullptr;
};

/// Makes a target known; one static object a file.
class Registration {
 public:
  explicit Registration(const Target& target);
};

/// The targets that this program links, in no particular order.
const std::vector<Target>& Targets();

}  // namespace sightline::fuzz
