// What libFuzzer calls: the one target that the program links, with its own limit of size.
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "fuzz/target.h"

// The names are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using sightline::fuzz::Targets;
  CHECK(Targets().size() == 1, "a fuzzer links one target");
  // In front of the caller's own options, which go before.
  static std::string max_len = "-max_len=" + std::to_string(Targets().front().max_bytes);
  static std::vector<char*> arguments(*argv, *argv + *argc);
  arguments.insert(arguments.begin() + 1, max_len.data());
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sightline::fuzz::Target& target = sightline::fuzz::Targets().front();
  if (size > target.max_bytes) return -1;
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}

// NOLINTEND(readability-identifier-naming)
