// The version of the program.
#pragma once

#include <string_view>

namespace sightline::base {

/// Semantic version, set by the build from the project's version.
inline constexpr std::string_view kVersion = SIGHTLINE_VERSION;

}  // namespace sightline::base
