// What a model hub answers: a pull of it stays within its folder and its limit of size.
#include <set>
#include <string>

#include "base/check.h"
#include "fuzz/target.h"
#include "model/hub_listing.h"

namespace sightline::fuzz {
namespace {

// Far more than any model, and far from the end of the numbers, so that sums are what they seem.
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 40;

void Run(std::string_view input) {
  const auto listing = model::ParseHubListing(input);
  if (!listing.ok()) return;
  CHECK(!listing->commit.empty() && !listing->files.empty());
  std::set<std::string> names;
  for (const model::HubFile& file : listing->files) {
    CHECK(file.name.find("..") == std::string::npos && !file.name.starts_with('/'), file.name);
    CHECK(names.insert(file.name).second, "each file once: " + file.name);
    CHECK(file.size_bytes <= kMaxFileBytes, file.name);
  }
}

const Registration kTarget({.name = "hub_listing", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
