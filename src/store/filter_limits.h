// What a filter may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace sightline::store {

inline constexpr int kMaxFilterConditions = 64;
inline constexpr int kMaxFilterDepth = 8;
/// What a search itself adds to an accepted filter (the language, the regions of a page) has room.
inline constexpr int kMaxWrittenConditions = 16 * kMaxFilterConditions;
inline constexpr int kMaxWrittenDepth = kMaxFilterDepth + 2;
/// Values of all `any` lists of one filter together.
inline constexpr std::size_t kMaxFilterValues = 4096;
inline constexpr std::string_view kMetadataPrefix = "metadata.";

/// Whether SQLite's JSON paths can name this key: 1 to 128 bytes without quotes, backslashes and
/// control characters.
bool IsMetadataName(std::string_view name);

}  // namespace sightline::store
