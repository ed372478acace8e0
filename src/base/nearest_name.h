// "Did you mean …?" for keys, commands and models.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sightline::base {

/// Number of insertions, deletions, substitutions and swaps of neighbours between two texts of
/// bytes (optimal string alignment; Damerau 1964).
size_t EditDistance(std::string_view a, std::string_view b);

/// The name that `text` was probably meant to be: the one at the least distance without regard to
/// case, if that is at most a third of the longer of the two; the first of equals. nullopt
/// otherwise.
std::optional<std::string> NearestName(std::string_view text, std::span<const std::string> names);

/// " (did you mean \"NAME\"?)", or nothing: for the end of an error message.
std::string DidYouMean(std::string_view text, std::span<const std::string> names);

}  // namespace sightline::base
