#include "cmd/document_text.h"

#include <fmt/format.h>

#include "cmd/display_text.h"

namespace sightline::cmd {

std::string ExtentText(const store::Document& document) {
  if (document.page_count == 1) return "1 page";
  if (document.page_count > 0) return fmt::format("{} pages", document.page_count);
  if (document.duration_ms >= 0) return ClockText(document.duration_ms);
  if (document.width > 0 && document.height > 0) {
    return fmt::format("{}×{}", document.width, document.height);
  }
  return "";
}

std::string PlaceText(const store::Document& document, const store::Unit& unit) {
  const store::Locator& locator = unit.locator;
  if (locator.start_ms >= 0) return TimeRangeText(locator.start_ms, locator.end_ms);
  if (locator.page <= 0) return store::UnitKindName(unit.kind);
  const std::string number = std::to_string(locator.page);
  const std::string of =
      document.page_count > 0 ? fmt::format(" of {}", document.page_count) : std::string();
  if (!locator.page_label.empty() && locator.page_label != number) {
    return fmt::format("page {} ({}{})", Printable(locator.page_label), number, of);
  }
  return "page " + number + of;
}

std::string TitleText(const store::Document& document) {
  return Printable(document.title.empty() ? document.file_name : document.title);
}

std::string ResultLine(const Console& console, const store::Document& document) {
  const bool ready = document.state == store::DocumentState::kReady;
  const std::string state = fmt::format("{:<7}", store::DocumentStateName(document.state));
  std::string line = console.Styled(state, ready ? Style::kGreen : Style::kRed) + " " +
                     document.id + "  " + Printable(document.file_name);
  if (!ready) return line + ": " + Printable(document.reason);
  const std::string extent = ExtentText(document);
  line += fmt::format("  ({}{}{})", media::DocumentKindName(document.kind),
                      extent.empty() ? "" : ", ", extent);
  return line;
}

}  // namespace sightline::cmd
