// What stands on a page before anybody knows what belongs together: characters and graphics.
#pragma once

#include <vector>

#include "media/geometry.h"

namespace sightline::media {

/// Where the text of a character runs to, on the page as it is looked at.
enum class TextDirection { kRight, kDown, kLeft, kUp };

/// A visible character in the order in which the file draws it. Points, origin top-left.
struct PageChar {
  char32_t code = 0;
  Box box;               ///< Advance width × line height, not the ink.
  double font_size = 0;  ///< Points on the page.
  bool bold = false;
  bool space_before = false;  ///< A space or line end stands between the one before and this.
  bool soft_hyphen = false;   ///< A hyphen at a line end that is no part of the word.
  TextDirection direction = TextDirection::kRight;
};

/// What a graphic is made of.
enum class GraphicKind { kImage, kPath };

/// An image or a vector path. Points, origin top-left, clipped to the page.
struct PageGraphic {
  GraphicKind kind = GraphicKind::kPath;
  Box box;
  int segments = 0;  ///< Of a path.
};

/// Everything on a page.
struct PageContent {
  double width = 0;  ///< Points, after rotation.
  double height = 0;
  std::vector<PageChar> chars;
  std::vector<PageGraphic> graphics;
};

}  // namespace sightline::media
