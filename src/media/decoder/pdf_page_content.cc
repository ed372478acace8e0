#include "media/decoder/pdf_page_content.h"

#include <fpdf_edit.h>
#include <fpdf_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace sightline::media {
namespace {

constexpr int kMaxChars = 200'000;
constexpr std::size_t kMaxGraphics = 20'000;
constexpr int kMaxFormDepth = 4;
// Height of a line around its baseline, in font sizes.
constexpr double kAscent = 0.82;
constexpr double kDescent = 0.22;

struct Point {
  double x = 0;
  double y = 0;
};

/// Page space to points from the top left of the page as it is looked at.
class PageTransform {
 public:
  explicit PageTransform(FPDF_PAGE page)
      : width_(FPDF_GetPageWidthF(page)), height_(FPDF_GetPageHeightF(page)) {
    // PDFium only offers whole device pixels: ask for a device of a thousand pixels a point.
    constexpr double kScale = 1000;
    const auto probe = [&](double x, double y) -> Point {
      int device_x = 0;
      int device_y = 0;
      FPDF_PageToDevice(page, 0, 0, static_cast<int>(width_ * kScale),
                        static_cast<int>(height_ * kScale), 0, x, y, &device_x, &device_y);
      return {device_x / kScale, device_y / kScale};
    };
    origin_ = probe(0, 0);
    const Point right = probe(100, 0);
    const Point up = probe(0, 100);
    x_axis_ = {(right.x - origin_.x) / 100, (right.y - origin_.y) / 100};
    y_axis_ = {(up.x - origin_.x) / 100, (up.y - origin_.y) / 100};
  }

  double width() const { return width_; }
  double height() const { return height_; }
  Point Direction(Point v) const {
    return {x_axis_.x * v.x + y_axis_.x * v.y, x_axis_.y * v.x + y_axis_.y * v.y};
  }
  Point operator()(Point p) const {
    const Point moved = Direction(p);
    return {origin_.x + moved.x, origin_.y + moved.y};
  }

 private:
  double width_;
  double height_;
  Point origin_;
  Point x_axis_;
  Point y_axis_;
};

Box HullOf(const std::array<Point, 4>& points) {
  Point low = points[0];
  Point high = points[0];
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

Box ClipToPage(const Box& box, const PageTransform& transform) {
  const double left = std::clamp(box.x, 0.0, transform.width());
  const double top = std::clamp(box.y, 0.0, transform.height());
  return {left, top, std::clamp(box.right(), 0.0, transform.width()) - left,
          std::clamp(box.bottom(), 0.0, transform.height()) - top};
}

bool HasBoldName(FPDF_TEXTPAGE text_page, int index) {
  std::array<char, 128> name = {};
  int flags = 0;
  const unsigned long size =
      FPDFText_GetFontInfo(text_page, index, name.data(), name.size() - 1, &flags);
  constexpr int kForceBold = 1 << 18;
  if ((flags & kForceBold) != 0) return true;
  if (size == 0 || size >= name.size()) return false;
  const std::string_view text(name.data());
  for (const std::string_view part : {"Bold", "bold", "BOLD", "Black", "Heavy", "CMBX", "Demi"}) {
    if (text.find(part) != std::string_view::npos) return true;
  }
  return false;
}

/// What the characters of one text object share.
struct ObjectStyle {
  FPDF_PAGEOBJECT object = nullptr;
  double font_size = 0;  // points on the page
  bool bold = false;
  Point along = {1, 0};  // unit vector of the text's direction, page space
  TextDirection direction = TextDirection::kRight;
};

class CharReader {
 public:
  CharReader(FPDF_TEXTPAGE text_page, const PageTransform& transform, PageContent& out)
      : text_page_(text_page), transform_(transform), out_(out) {}

  void ReadAll() {
    const int count = std::min(FPDFText_CountChars(text_page_), kMaxChars);
    for (int i = 0; i < count; ++i) Read(i);
  }

 private:
  static bool IsSpace(char32_t code) {
    return code == ' ' || code == '\t' || code == '\r' || code == '\n' || code == 0xA0 ||
           code == 0x3000 || (code >= 0x2000 && code <= 0x200B) || code == 0;
  }

  /// TeX fonts without a Unicode map show their ligatures as control codes (T1 encoding).
  static char32_t WithoutControls(char32_t code) {
    constexpr char32_t kFirstLigature = 0xFB00;
    if (code >= 0x1B && code <= 0x1F) return kFirstLigature + (code - 0x1B);
    return code < 0x20 && code != 0x02 ? 0xFFFD : code;
  }

  void Read(int index) {
    auto code = static_cast<char32_t>(FPDFText_GetUnicode(text_page_, index));
    if (code >= 0xD800 && code < 0xDC00) {
      high_surrogate_ = code;
      return;
    }
    if (code >= 0xDC00 && code < 0xE000) {
      code = high_surrogate_ != 0 ? 0x10000 + ((high_surrogate_ - 0xD800) << 10U) + (code - 0xDC00)
                                  : 0xFFFD;
    }
    high_surrogate_ = 0;
    if (IsSpace(code)) {
      pending_space_ = true;
      return;
    }
    code = WithoutControls(code);
    PageChar c;
    const bool hyphen_mark = code == 0x02 || code == 0xAD || code == 0xFFFE;
    c.soft_hyphen = hyphen_mark || (code == '-' && FPDFText_IsHyphen(text_page_, index) == 1);
    if (hyphen_mark) code = U'-';
    c.code = code > 0x10FFFF || code == 0xFFFF ? 0xFFFD : code;
    if (!Place(index, c)) return;
    c.space_before = pending_space_;
    pending_space_ = false;
    out_.chars.push_back(c);
  }

  /// Sets size, direction and box; false for a character that is not on the page.
  bool Place(int index, PageChar& c) {
    UpdateStyle(index);
    FS_RECTF loose = {};
    Point origin;
    if (FPDFText_GetLooseCharBox(text_page_, index, &loose) == 0 ||
        FPDFText_GetCharOrigin(text_page_, index, &origin.x, &origin.y) == 0) {
      return false;
    }
    const std::array<Point, 4> corners = {Point{loose.left, loose.bottom},
                                          {loose.right, loose.bottom},
                                          {loose.right, loose.top},
                                          {loose.left, loose.top}};
    double begin = 1e9;
    double end = -1e9;
    double low = 1e9;
    double high = -1e9;
    const Point up = {-style_.along.y, style_.along.x};
    for (const Point& corner : corners) {
      const Point from_origin = {corner.x - origin.x, corner.y - origin.y};
      const double along = from_origin.x * style_.along.x + from_origin.y * style_.along.y;
      const double above = from_origin.x * up.x + from_origin.y * up.y;
      begin = std::min(begin, along);
      end = std::max(end, along);
      low = std::min(low, above);
      high = std::max(high, above);
    }
    double size = style_.font_size;
    const double loose_height = high - low;
    // Type 3 and broken fonts state sizes that have nothing to do with what is drawn.
    const bool plausible = size > 0.4 * loose_height && size < 3 * loose_height;
    if (!plausible) size = loose_height / (kAscent + kDescent);
    if (!(size > 0.3) || !(size < 2000) || !std::isfinite(begin + end)) return false;
    const double top = plausible ? kAscent * size : high;
    const double bottom = plausible ? -kDescent * size : low;
    const auto corner = [&](double along, double above) {
      return transform_({origin.x + along * style_.along.x + above * up.x,
                         origin.y + along * style_.along.y + above * up.y});
    };
    c.box =
        HullOf({corner(begin, bottom), corner(end, bottom), corner(end, top), corner(begin, top)});
    const Point middle = {c.box.x + c.box.width / 2, c.box.y + c.box.height / 2};
    if (middle.x < 0 || middle.y < 0 || middle.x > transform_.width() ||
        middle.y > transform_.height()) {
      return false;
    }
    c.font_size = size;
    c.bold = style_.bold;
    c.direction = style_.direction;
    return true;
  }

  void UpdateStyle(int index) {
    const FPDF_PAGEOBJECT object = FPDFText_GetTextObject(text_page_, index);
    if (object != nullptr && object == style_.object) return;
    style_.object = object;
    FS_MATRIX matrix = {1, 0, 0, 1, 0, 0};
    if (FPDFText_GetMatrix(text_page_, index, &matrix) == 0) matrix = {1, 0, 0, 1, 0, 0};
    const double length = std::hypot(matrix.a, matrix.b);
    style_.along = length > 0 ? Point{matrix.a / length, matrix.b / length} : Point{1, 0};
    // Height of the em on the page: what the matrix does across the text's direction.
    const double across =
        length > 0 ? std::abs(double{matrix.a} * matrix.d - double{matrix.b} * matrix.c) / length
                   : 1;
    style_.font_size = std::abs(FPDFText_GetFontSize(text_page_, index)) * across;
    style_.bold =
        FPDFText_GetFontWeight(text_page_, index) >= 600 || HasBoldName(text_page_, index);
    const Point on_page = transform_.Direction(style_.along);
    if (std::abs(on_page.x) >= std::abs(on_page.y)) {
      style_.direction = on_page.x >= 0 ? TextDirection::kRight : TextDirection::kLeft;
    } else {
      style_.direction = on_page.y >= 0 ? TextDirection::kDown : TextDirection::kUp;
    }
  }

  FPDF_TEXTPAGE text_page_;
  const PageTransform& transform_;
  PageContent& out_;
  ObjectStyle style_;
  char32_t high_surrogate_ = 0;
  bool pending_space_ = false;
};

struct Matrix {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  Point operator()(Point p) const { return {a * p.x + c * p.y + e, b * p.x + d * p.y + f}; }
  /// First `inner`, then this.
  Matrix After(const FS_MATRIX& inner) const {
    return {a * inner.a + c * inner.b,     b * inner.a + d * inner.b,
            a * inner.c + c * inner.d,     b * inner.c + d * inner.d,
            a * inner.e + c * inner.f + e, b * inner.e + d * inner.f + f};
  }
};

class GraphicReader {
 public:
  GraphicReader(const PageTransform& transform, PageContent& out)
      : transform_(transform), out_(out) {}

  void ReadPage(FPDF_PAGE page) {
    const int count = FPDFPage_CountObjects(page);
    for (int i = 0; i < count && out_.graphics.size() < kMaxGraphics; ++i) {
      Read(FPDFPage_GetObject(page, i), Matrix(), 0);
    }
  }

 private:
  void Read(FPDF_PAGEOBJECT object, const Matrix& matrix, int depth) {
    if (object == nullptr) return;
    switch (FPDFPageObj_GetType(object)) {
      case FPDF_PAGEOBJ_FORM:
        ReadForm(object, matrix, depth);
        break;
      case FPDF_PAGEOBJ_IMAGE:
        Add(object, matrix, GraphicKind::kImage, 0);
        break;
      case FPDF_PAGEOBJ_PATH:
        Add(object, matrix, GraphicKind::kPath, std::max(0, FPDFPath_CountSegments(object)));
        break;
      case FPDF_PAGEOBJ_SHADING:
        Add(object, matrix, GraphicKind::kPath, 1);
        break;
      default:
        break;
    }
  }

  void ReadForm(FPDF_PAGEOBJECT form, const Matrix& matrix, int depth) {
    FS_MATRIX own = {};
    if (depth >= kMaxFormDepth || FPDFPageObj_GetMatrix(form, &own) == 0) return;
    const Matrix inner = matrix.After(own);
    const int count = FPDFFormObj_CountObjects(form);
    for (int i = 0; i < count && out_.graphics.size() < kMaxGraphics; ++i) {
      Read(FPDFFormObj_GetObject(form, static_cast<unsigned long>(i)), inner, depth + 1);
    }
  }

  void Add(FPDF_PAGEOBJECT object, const Matrix& matrix, GraphicKind kind, int segments) {
    float left = 0;
    float bottom = 0;
    float right = 0;
    float top = 0;
    if (FPDFPageObj_GetBounds(object, &left, &bottom, &right, &top) == 0) return;
    const auto corner = [&](double x, double y) { return transform_(matrix({x, y})); };
    const Box hull = HullOf(
        {corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)});
    if (!std::isfinite(hull.x + hull.y + hull.width + hull.height)) return;
    const Box box = ClipToPage(hull, transform_);
    const bool off_page = hull.right() < 0 || hull.bottom() < 0 || hull.x > transform_.width() ||
                          hull.y > transform_.height();
    if (off_page || (box.width <= 0 && box.height <= 0)) return;
    out_.graphics.push_back({kind, box, segments});
  }

  const PageTransform& transform_;
  PageContent& out_;
};

}  // namespace

PageContent ReadPageContent(FPDF_PAGE page, FPDF_TEXTPAGE text_page) {
  const PageTransform transform(page);
  PageContent content;
  content.width = transform.width();
  content.height = transform.height();
  if (text_page != nullptr) CharReader(text_page, transform, content).ReadAll();
  GraphicReader(transform, content).ReadPage(page);
  return content;
}

}  // namespace sightline::media
