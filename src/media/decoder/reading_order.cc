#include "media/decoder/reading_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "media/decoder/line_kind.h"

namespace sightline::media {
namespace {

using Runs = std::vector<TextRun>;

constexpr int kMaxDepth = 6;
// In font sizes.
constexpr double kMinGutter = 0.8;       // between columns
constexpr double kMinColumnWidth = 9.0;  // of text; narrower ones are labels or cells
constexpr double kMaxBandGap = 3;        // between rows of a band
constexpr double kMinCellGap = 0.6;      // between cells of a table row
// Part of a column's width that its median line fills, at least.
constexpr double kMinFill = 0.55;
constexpr std::size_t kMinColumnLines = 3;
constexpr std::size_t kMinTableRows = 3;

struct Interval {
  double begin = 0;
  double end = 0;
  double width() const { return end - begin; }
};

double MedianFontSize(const Runs& runs) {
  std::vector<double> sizes;
  sizes.reserve(runs.size());
  for (const TextRun& run : runs) sizes.push_back(run.font_size);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

Box HullOf(const Runs& runs) {
  Box hull;
  for (const TextRun& run : runs) hull = Union(hull, run.box);
  return hull;
}

/// Runs that overlap vertically by more than a fifth of the lower one, chained: rows of the page.
std::vector<Runs> Strips(Runs runs) {
  std::stable_sort(runs.begin(), runs.end(), [](const TextRun& a, const TextRun& b) {
    return a.box.y + a.box.height / 2 < b.box.y + b.box.height / 2;
  });
  std::vector<Runs> strips;
  double bottom = 0;
  for (TextRun& run : runs) {
    const double overlap = bottom - run.box.y;
    if (strips.empty() || overlap < 0.35 * run.box.height) {
      strips.emplace_back();
      bottom = run.box.bottom();
    }
    bottom = std::max(bottom, run.box.bottom());
    strips.back().push_back(std::move(run));
  }
  return strips;
}

/// What of `span` no run of the strip covers, margins included.
std::vector<Interval> WhiteOf(const Runs& strip, Interval span) {
  std::vector<Interval> covered;
  for (const TextRun& run : strip) covered.push_back({run.box.x, run.box.right()});
  std::sort(covered.begin(), covered.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> white;
  double at = span.begin;
  for (const Interval& c : covered) {
    if (c.begin > at) white.push_back({at, c.begin});
    at = std::max(at, c.end);
  }
  if (at < span.end) white.push_back({at, span.end});
  return white;
}

std::vector<Interval> Intersect(const std::vector<Interval>& a, const std::vector<Interval>& b,
                                double min_width) {
  std::vector<Interval> out;
  for (const Interval& x : a) {
    for (const Interval& y : b) {
      const Interval shared{std::max(x.begin, y.begin), std::min(x.end, y.end)};
      if (shared.width() >= min_width) out.push_back(shared);
    }
  }
  return out;
}

/// Whether some strip of the band has runs on both sides of the gap.
bool IsBetween(const std::vector<Runs>& band, const Interval& gap) {
  bool left = false;
  bool right = false;
  for (const Runs& strip : band) {
    for (const TextRun& run : strip) {
      left = left || run.box.right() <= gap.begin + 0.01;
      right = right || run.box.x >= gap.end - 0.01;
    }
  }
  return left && right;
}

Runs Flatten(std::vector<Runs> strips) {
  Runs runs;
  for (Runs& strip : strips) {
    for (TextRun& run : strip) runs.push_back(std::move(run));
  }
  return runs;
}

/// Strips next to each other that share at least one gutter, with the gutters that they share.
struct Band {
  std::vector<Runs> strips;
  std::vector<Interval> gutters;
};

std::vector<Interval> Between(const std::vector<Runs>& strips, const std::vector<Interval>& gaps) {
  std::vector<Interval> out;
  for (const Interval& gap : gaps) {
    if (IsBetween(strips, gap)) out.push_back(gap);
  }
  return out;
}

std::vector<Band> Bands(std::vector<Runs> strips, Interval span, double min_gutter) {
  std::vector<Band> bands;
  std::vector<Interval> shared;
  for (Runs& strip : strips) {
    const std::vector<Interval> white = WhiteOf(strip, span);
    std::vector<Interval> next = Intersect(shared, white, min_gutter);
    // A gutter that the band lives from must not be lost to the strip.
    const bool had = !bands.empty() && !Between(bands.back().strips, shared).empty();
    const bool keeps =
        !bands.empty() && (had ? !Between(bands.back().strips, next).empty() : !next.empty());
    if (!keeps) {
      bands.emplace_back();
      next = Intersect(white, {span}, min_gutter);
    }
    shared = std::move(next);
    bands.back().strips.push_back(std::move(strip));
    bands.back().gutters = shared;
  }
  for (Band& band : bands) band.gutters = Between(band.strips, band.gutters);
  return bands;
}

bool BeginsCaption(const Runs& strip) {
  const auto leftmost =
      std::min_element(strip.begin(), strip.end(),
                       [](const TextRun& a, const TextRun& b) { return a.box.x < b.box.x; });
  return StartsCaption(leftmost->text);
}

/// Whether the runs are a column of running text: wide, some lines, most of them filled.
bool IsTextColumn(const Runs& runs, double font_size) {
  const Box hull = HullOf(runs);
  if (hull.width < kMinColumnWidth * font_size) return false;
  std::vector<double> fills;
  for (const Runs& strip : Strips(runs)) {
    double filled = 0;
    for (const TextRun& run : strip) filled += run.box.width;
    fills.push_back(std::min(1.0, filled / hull.width));
  }
  if (fills.size() < kMinColumnLines) return false;
  const auto middle = fills.begin() + static_cast<std::ptrdiff_t>(fills.size() / 2);
  std::nth_element(fills.begin(), middle, fills.end());
  return *middle >= kMinFill;
}

class Orderer {
 public:
  std::vector<LayoutLine> Take() && { return std::move(lines_); }

  void Order(Runs runs, int depth) {
    if (runs.empty()) return;
    const double font_size = MedianFontSize(runs);
    const Box hull = HullOf(runs);
    for (Band& band :
         Bands(Strips(std::move(runs)), {hull.x, hull.right()}, kMinGutter * font_size)) {
      OrderBand(std::move(band), font_size, depth);
    }
  }

 private:
  void OrderBand(Band band, double font_size, int depth) {
    std::vector<Interval> gutters = band.gutters;
    std::stable_sort(gutters.begin(), gutters.end(),
                     [](const Interval& a, const Interval& b) { return a.width() > b.width(); });
    if (depth < kMaxDepth && !gutters.empty()) {
      const Runs runs = Flatten(band.strips);
      for (const Interval& gutter : gutters) {
        const double middle = (gutter.begin + gutter.end) / 2;
        Runs left;
        Runs right;
        for (const TextRun& run : runs) (run.box.x < middle ? left : right).push_back(run);
        if (!IsTextColumn(left, font_size) || !IsTextColumn(right, font_size)) continue;
        ++region_;
        Order(std::move(left), depth + 1);
        ++region_;
        Order(std::move(right), depth + 1);
        ++region_;
        return;
      }
    }
    EmitBand(std::move(band), font_size);
  }

  /// A band without columns of text: rows of a table where they are such, lines otherwise. Wide
  /// gaps part it, and what stands alone above and below a table (a caption) is no row of it.
  void EmitBand(Band band, double font_size) {
    Band part;
    part.gutters = band.gutters;
    double bottom = 0;
    for (Runs& strip : band.strips) {
      const Box hull = HullOf(strip);
      if (!part.strips.empty() && hull.y - bottom > kMaxBandGap * font_size) {
        EmitPart(std::exchange(part.strips, {}), band.gutters);
      }
      bottom = hull.bottom();
      if (BeginsCaption(strip)) {
        EmitPart(std::exchange(part.strips, {}), band.gutters);
        EmitRows(std::move(strip), false);
      } else {
        part.strips.push_back(std::move(strip));
      }
    }
    EmitPart(std::move(part.strips), band.gutters);
  }

  void EmitPart(std::vector<Runs> strips, const std::vector<Interval>& gutters) {
    const auto is_row = [](const Runs& strip) { return strip.size() >= 2; };
    const auto first = std::find_if(strips.begin(), strips.end(), is_row);
    const auto last = std::find_if(strips.rbegin(), strips.rend(), is_row).base();
    Band table;
    table.gutters = gutters;
    if (first < last) table.strips.assign(first, last);
    if (!IsTable(table)) {
      EmitRows(Flatten(std::move(strips)), false);
      return;
    }
    EmitRows(Flatten({strips.begin(), first}), false);
    EmitRows(Flatten(std::move(table.strips)), true);
    EmitRows(Flatten({last, strips.end()}), false);
  }

  /// Rows whose cells stand side by side in most of them, in columns that are no list markers.
  static bool IsTable(const Band& band) {
    if (band.gutters.empty() || band.strips.size() < kMinTableRows) return false;
    std::size_t full = 0;
    double first_column_right = 0;
    double left = std::numeric_limits<double>::max();
    double size = 1;
    for (const Runs& strip : band.strips) {
      full += strip.size() >= 2 ? 1 : 0;
      for (const TextRun& run : strip) {
        left = std::min(left, run.box.x);
        size = std::max(size, run.font_size);
        if (run.box.right() <= band.gutters.front().begin + 0.01) {
          first_column_right = std::max(first_column_right, run.box.right());
        }
      }
    }
    const bool markers = band.gutters.size() == 1 && first_column_right - left < 2.5 * size;
    return !markers && full * 10 >= band.strips.size() * 7;
  }

  void EmitRows(Runs runs, bool table) {
    if (table) ++region_;
    for (Runs& strip : Strips(std::move(runs))) {
      for (Runs& line : SplitBaselines(std::move(strip))) {
        LayoutLine joined = JoinRuns(std::move(line), table);
        joined.region = region_;
        lines_.push_back(std::move(joined));
      }
    }
    if (table) ++region_;
  }

  /// A strip may chain lines that overlap a little: runs whose middles are more than half a
  /// height apart are different lines, unless they are raised or lowered letters beside it.
  static std::vector<Runs> SplitBaselines(Runs strip) {
    std::vector<Runs> lines;
    for (TextRun& run : strip) {
      const double middle = run.box.y + run.box.height / 2;
      Runs* home = nullptr;
      for (Runs& line : lines) {
        const Box hull = HullOf(line);
        const double reach = 0.55 * std::max(hull.height, run.box.height);
        bool collides = false;
        for (const TextRun& other : line) {
          const double shared =
              std::min(other.box.right(), run.box.right()) - std::max(other.box.x, run.box.x);
          collides = collides || shared > 0.5 * std::min(other.box.width, run.box.width);
        }
        if (!collides && std::abs(hull.y + hull.height / 2 - middle) < reach) home = &line;
      }
      if (home == nullptr) {
        lines.emplace_back();
        home = &lines.back();
      }
      home->push_back(std::move(run));
    }
    return lines;
  }

  std::vector<LayoutLine> lines_;
  int region_ = 0;
};

char32_t LastCode(const std::string& text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xC0U) == 0x80U) --at;
  return at == 0 ? U' ' : base::DecodeUtf8(std::string_view(text).substr(at - 1)).value;
}

}  // namespace

LayoutLine JoinRuns(std::vector<TextRun> runs, bool table_row) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const TextRun& a, const TextRun& b) { return a.box.x < b.box.x; });
  LayoutLine line;
  int chars = 0;
  int bold = 0;
  for (const TextRun& run : runs) {
    if (!line.text.empty() && !run.text.empty()) {
      const double gap = run.box.x - line.box.right();
      const bool parted = gap > 0.12 * run.font_size;
      if (table_row && gap > kMinCellGap * run.font_size) {
        line.text.push_back('\t');
      } else if (gap > kMinGutter * run.font_size ||
                 (parted && WantsSpace(LastCode(line.text), base::DecodeUtf8(run.text).value))) {
        line.text.push_back(' ');
      }
    }
    line.text.append(run.text);
    line.box = Union(line.box, run.box);
    line.font_size = std::max(line.font_size, run.font_size);
    line.ends_with_soft_hyphen = run.ends_with_soft_hyphen;
    chars += run.char_count;
    bold += run.bold_count;
  }
  line.bold_share = chars > 0 ? static_cast<double>(bold) / chars : 0;
  line.table_row = table_row;
  return line;
}

std::vector<LayoutLine> OrderLines(std::vector<TextRun> runs) {
  Orderer orderer;
  orderer.Order(std::move(runs), 0);
  return std::move(orderer).Take();
}

}  // namespace sightline::media
