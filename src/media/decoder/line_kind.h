// What a line says about the block it begins: caption, list item, page number.
#pragma once

#include <string_view>

namespace sightline::media {

/// "Figure 3:", "Fig. 2.1", "Table IV.", "图 3", "表2-1", … at the start.
bool StartsCaption(std::string_view line);

/// A bullet, or a number or letter with its stop: "•", "-", "1.", "(a)", "3）", "一、".
bool StartsListItem(std::string_view line);

/// Nothing but a page number, possibly framed ("- 12 -", "xiv", "第 3 页").
bool IsPageNumber(std::string_view line);

/// "3.2 Results", "第二章 方法", "Appendix A": numbered as headings are.
bool StartsNumberedHeading(std::string_view line);

}  // namespace sightline::media
