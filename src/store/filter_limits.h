// What a filter may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace sightline::store {

inline constexpr int kMaxFilterConditions = 64;
inline constexpr int kMaxFilterDepth = 8;
/// Values of all `any` lists of one filter together.
inline constexpr std::size_t kMaxFilterValues = 4096;
inline constexpr std::string_view kMetadataPrefix = "metadata.";

/// Whether SQLite's JSON paths can name this key: 1 to 128 bytes without quotes, backslashes and
/// control characters.
bool IsMetadataName(std::string_view name);

}  // namespace sightline::store
