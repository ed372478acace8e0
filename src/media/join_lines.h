// The lines of a text as one string.
#pragma once

#include <span>
#include <string>

#include "media/decoded.h"

namespace sightline::media {

/// `lines` of one block joined: with a space between words, with nothing between two Chinese or
/// Japanese characters, unless the first line ends well before the longest: rows of a table and
/// items of a list are no sentence. Lines without boxes count as equally long. Leaders (four dots
/// or more, as in tables of contents) become one "…".
std::string JoinLines(std::span<const TextLine> lines);

}  // namespace sightline::media
