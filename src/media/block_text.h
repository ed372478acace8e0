// The text of a layout block as one string.
#pragma once

#include <string>

#include "media/decoded.h"

namespace sightline::media {

/// The lines of `block` joined: with a space between words, with nothing between two Chinese or
/// Japanese characters; rows of tables and items of lists with a line end.
std::string BlockText(const LayoutBlock& block);

}  // namespace sightline::media
