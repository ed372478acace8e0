// Page content to layout blocks in reading order: paragraphs, headings, captions, lists, tables,
// figures.
#pragma once

#include <map>
#include <vector>

#include "media/decoded.h"
#include "media/decoder/page_content.h"

namespace sightline::media {

/// How much text of the document so far is set in which size: a heading is larger than the body of
/// the document, not only of its page.
class BodySize {
 public:
  /// Counts the characters of a page.
  void Add(const PageContent& page);
  /// The size (points, to a tenth) that most characters have; 0 before any.
  double Points() const;

 private:
  std::map<int, long> chars_by_tenth_pt_;
};

/// The blocks of a page. `body` must have seen the page. Pure and deterministic.
std::vector<LayoutBlock> LayoutPage(const PageContent& page, const BodySize& body);

/// Whether the text of a page can be searched: no (too little is legible) when a third or more of
/// the characters are U+FFFD, private use or control codes.
bool IsTextUsable(const PageContent& page);

}  // namespace sightline::media
