#include "media/decoder/line_kind.h"

#include <cctype>
#include <string>

#include "base/utf8.h"

namespace sightline::media {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsAlpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string_view SkipSpaces(std::string_view text) {
  const std::size_t at = text.find_first_not_of(' ');
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

bool SkipPrefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Takes "3", "2.1", "A.4", "3-12", "IV" or a Chinese number from the front.
bool SkipNumber(std::string_view& text) {
  const std::string_view before = text;
  while (!text.empty()) {
    const char c = text.front();
    const bool joint = (c == '.' || c == '-') && text.size() > 1 && IsDigit(text[1]) &&
                       text.size() < before.size();
    if (!IsDigit(c) && !joint &&
        std::string_view("IVXLABCDEFGHS").find(c) == std::string_view::npos) {
      break;
    }
    text.remove_prefix(1);
  }
  if (text.size() < before.size()) return true;
  for (const std::string_view han :
       {"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百"}) {
    if (SkipPrefix(text, han)) {
      while (!text.empty()) {
        bool more = false;
        for (const std::string_view next :
             {"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百"}) {
          more = more || SkipPrefix(text, next);
        }
        if (!more) break;
      }
      return true;
    }
  }
  return false;
}

}  // namespace

bool StartsCaption(std::string_view line) {
  std::string_view rest = SkipSpaces(line);
  for (const std::string_view word : {"图", "表", "圖"}) {
    std::string_view after = rest;
    if (!SkipPrefix(after, word)) continue;
    after = SkipSpaces(after);
    return SkipNumber(after);
  }
  for (const std::string_view word :
       {"Figure", "FIGURE", "Figures", "Fig.", "Fig", "FIG.", "Table", "TABLE", "Tab.", "Plate",
        "Listing", "Algorithm", "Scheme", "Chart"}) {
    std::string_view after = rest;
    if (!SkipPrefix(after, word)) continue;
    if (!after.empty() && IsAlpha(after.front())) continue;
    after = SkipSpaces(after);
    if (!SkipNumber(after)) continue;
    if (after.empty()) return true;
    // "Figure 3 shows …" is a sentence; a caption has a stop, or a capital after a wide space.
    const char next = after.front();
    if (next == ':' || next == '.' || next == '|' || next == ')') return true;
    if (SkipPrefix(after, "：") || SkipPrefix(after, "．") || SkipPrefix(after, "—") ||
        SkipPrefix(after, "–")) {
      return true;
    }
    after = SkipSpaces(after);
    const char letter = after.empty() ? 'A' : after.front();
    return std::islower(static_cast<unsigned char>(letter)) == 0;
  }
  return false;
}

bool StartsListItem(std::string_view line) {
  std::string_view rest = SkipSpaces(line);
  for (const std::string_view bullet :
       {"•", "◦", "▪", "■", "●", "○", "–", "—", "‣", "∙", "·", "➢", "\uF0B7", "✓", "◆", "★"}) {
    if (SkipPrefix(rest, bullet)) return !rest.empty();
  }
  if (rest.size() > 2 && (rest.front() == '-' || rest.front() == '*') && rest[1] == ' ')
    return true;
  const bool open = SkipPrefix(rest, "(") || SkipPrefix(rest, "（") || SkipPrefix(rest, "[");
  std::size_t digits = 0;
  while (digits < rest.size() && digits < 3 && IsDigit(rest[digits])) ++digits;
  if (digits == 0 && !rest.empty() && IsAlpha(rest.front())) digits = 1;
  std::string_view after = rest.substr(digits);
  if (digits == 0 && !SkipNumber(after)) return false;
  if (SkipPrefix(after, "、") || SkipPrefix(after, "）")) return true;
  if (open) return !after.empty() && (after.front() == ')' || after.front() == ']');
  return after.size() > 2 && (after.front() == '.' || after.front() == ')') && after[1] == ' ';
}

bool IsPageNumber(std::string_view line) {
  std::size_t digits = 0;
  std::size_t roman = 0;
  std::size_t others = 0;
  for (const char32_t c : base::Utf8View(line)) {
    if (c >= U'0' && c <= U'9') {
      ++digits;
    } else if (std::u32string_view(U"ivxlcIVXLC").find(c) != std::u32string_view::npos) {
      ++roman;
    } else if (std::u32string_view(U" -–—·.|/第页頁共").find(c) == std::u32string_view::npos) {
      ++others;
    }
  }
  if (others > 0) return false;
  return (digits > 0 && digits <= 8 && roman == 0) || (digits == 0 && roman > 0 && roman <= 7);
}

bool StartsNumberedHeading(std::string_view line) {
  std::string_view rest = SkipSpaces(line);
  if (SkipPrefix(rest, "第")) {
    rest = SkipSpaces(rest);
    if (!SkipNumber(rest)) return false;
    rest = SkipSpaces(rest);
    return SkipPrefix(rest, "章") || SkipPrefix(rest, "节") || SkipPrefix(rest, "節") ||
           SkipPrefix(rest, "部分") || SkipPrefix(rest, "篇");
  }
  for (const std::string_view word : {"Chapter ", "Appendix ", "Section ", "附录", "附錄"}) {
    if (SkipPrefix(rest, word)) return true;
  }
  std::size_t at = 0;
  int parts = 0;
  while (at < rest.size() && IsDigit(rest[at])) {
    while (at < rest.size() && IsDigit(rest[at])) ++at;
    ++parts;
    if (at < rest.size() && rest[at] == '.') ++at;
  }
  return parts >= 1 && at <= 8 && at < rest.size() && rest[at] == ' ';
}

}  // namespace sightline::media
