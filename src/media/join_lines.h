// The lines of a text as one string.
#pragma once

#include <span>
#include <string>

#include "media/decoded.h"

namespace sightline::media {

/// `lines` joined: with a space between words, with nothing between two Chinese or Japanese
/// characters. Leaders (four dots or more, as in tables of contents) become one "…".
std::string JoinLines(std::span<const TextLine> lines);

}  // namespace sightline::media
