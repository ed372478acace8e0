// A server's answers as the command line reads and shows them: no answer may control the terminal.
#include <boost/json.hpp>
#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "cmd/api_json.h"
#include "cmd/display_text.h"
#include "fuzz/target.h"

namespace sightline::fuzz {
namespace {

void CheckShown(std::string_view text) {
  constexpr std::size_t kColumns = 12;
  const std::string shown = cmd::FitToWidth(text, kColumns);
  CHECK(base::IsValidUtf8(shown) && cmd::DisplayWidth(shown) <= kColumns, shown);
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    CHECK(byte >= 0x20 && byte != 0x7F, "a control character is shown");
  }
}

void CheckUnit(const store::Unit& unit) {
  CheckShown(unit.text);
  const store::Locator& locator = unit.locator;
  CheckShown(cmd::TimeRangeText(locator.start_ms, locator.end_ms));
}

void Run(std::string_view input) {
  CheckShown(input);
  const auto json = cmd::ParseJson(input);
  if (!json.ok()) return;
  const auto document = cmd::ReadDocument(*json);
  if (document.ok()) CheckShown(document->title);
  const auto unit = cmd::ReadUnit(*json);
  if (unit.ok()) CheckUnit(*unit);
  const auto response = cmd::ReadSearchResponse(*json);
  if (!response.ok()) return;
  for (const retrieve::Hit& hit : response->hits) {
    CheckUnit(hit.unit);
    CheckShown(hit.snippet.text);
  }
}

const Registration kTarget({.name = "server_answer", .max_bytes = 8192, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
