#include "cmd/hit_text.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "base/utf8.h"
#include "cmd/display_text.h"
#include "cmd/document_text.h"
#include "cmd/standard_input.h"

namespace sightline::cmd {
namespace {

constexpr std::string_view kIndent = "    ";
constexpr std::string_view kWhiteSpace = " \t\r\n";

/// Indices of the code points that begin a new line of `width` columns: behind a space where the
/// line has one, else anywhere (Chinese has none).
std::set<int> LineStarts(const std::u32string& text, size_t width) {
  std::set<int> starts;
  size_t column = 0;
  size_t since_space = 0;  // columns behind the last space of the line
  int last_space = -1;
  for (int i = 0; i < static_cast<int>(text.size()); ++i) {
    std::string glyph;
    base::AppendUtf8(text[static_cast<size_t>(i)], glyph);
    const size_t columns = DisplayWidth(glyph);
    if (column + columns > width) {
      const bool has_space = last_space >= 0 && since_space < width / 2;
      starts.insert(has_space ? last_space + 1 : i);
      column = has_space ? since_space : 0;
      last_space = -1;
    }
    column += columns;
    since_space += columns;
    if (text[static_cast<size_t>(i)] != U' ') continue;
    last_space = i;
    since_space = 0;
  }
  return starts;
}

/// The snippet in lines of `width` columns at most, matches in style.
std::string SnippetText(const Console& console, const retrieve::HighlightedText& snippet,
                        size_t width) {
  std::u32string code_points;
  for (const char32_t c : base::Utf8View(snippet.text)) code_points += c;
  const std::set<int> starts = LineStarts(code_points, width);
  std::string text(kIndent);
  std::string run;
  bool marked = false;
  size_t range = 0;
  const auto flush = [&] {
    text += console.Styled(run, marked ? Style::kMatch : Style::kPlain);
    run.clear();
  };
  for (int index = 0; index < static_cast<int>(code_points.size()); ++index) {
    while (range < snippet.highlights.size() && snippet.highlights[range].second <= index) ++range;
    const bool inside =
        range < snippet.highlights.size() && snippet.highlights[range].first <= index;
    if (inside != marked || starts.contains(index)) flush();
    marked = inside;
    if (starts.contains(index)) {
      text += "\n";
      text += kIndent;
    }
    std::string glyph;
    base::AppendUtf8(code_points[static_cast<size_t>(index)], glyph);
    run += Printable(glyph);
  }
  flush();
  return text + "\n";
}

std::string Reasons(const retrieve::Hit& hit) {
  std::string text;
  for (const std::string& reason : hit.reasons) {
    text += text.empty() ? "" : ", ";
    for (const char c : reason) text += c == '_' ? ' ' : c;
  }
  return text;
}

}  // namespace

std::string HitText(const Console& console, const retrieve::Hit& hit,
                    const std::string& preview_path) {
  const size_t width = console.width();
  const std::string place = PlaceText(hit.document, hit.unit);
  const std::string reasons = Reasons(hit);
  const std::string rank = fmt::format("{:>2}", hit.rank);
  const std::string score = fmt::format("{:.3f}", hit.score);
  const std::string why = reasons.empty() ? "" : "  [" + reasons + "]";
  const size_t taken = rank.size() + 2 + score.size() + 2 + 2 + DisplayWidth(place) + why.size();
  constexpr size_t kMinTitleColumns = 12;
  const size_t room = width > taken + kMinTitleColumns ? width - taken : kMinTitleColumns;
  const std::string title = FitToWidth(TitleText(hit.document), room);
  std::string text =
      console.Styled(rank, Style::kBold) + "  " + console.Styled(score, Style::kDim) + "  " +
      console.Styled(title, Style::kBold) + "  " + place + console.Styled(why, Style::kDim) + "\n";
  const size_t inner = width > kIndent.size() + 10 ? width - kIndent.size() : 10;
  if (!hit.snippet.text.empty()) text += SnippetText(console, hit.snippet, inner);
  // A path is never cut: it is there to be used.
  if (!preview_path.empty()) text += std::string(kIndent) + preview_path + "\n";
  return text;
}

base::Result<std::string> ReadQueryFromInput(size_t max_bytes, const base::CancelToken& cancel) {
  std::string query;
  std::array<char, 4096> buffer{};
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const size_t size, ReadStandardInput(buffer, cancel));
    if (size == 0) break;
    query.append(buffer.data(), size);
    if (query.size() > max_bytes) {
      return base::InvalidArgument("the words on standard input are too long: at most " +
                                   std::to_string(max_bytes) + " bytes");
    }
  }
  const size_t begin = query.find_first_not_of(kWhiteSpace);
  if (begin == std::string::npos) return std::string();
  return query.substr(begin, query.find_last_not_of(kWhiteSpace) - begin + 1);
}

}  // namespace sightline::cmd
