// Documents and places in them, in words for a terminal.
#pragma once

#include <string>

#include "cmd/console.h"
#include "retrieve/search.h"
#include "store/unit.h"

namespace sightline::cmd {

/// "62 pages", "12:31", "640×480".
std::string ExtentText(const store::Document& document);

/// "page iv (4 of 62)", "page 4 of 62", "12:07–12:31", "picture".
std::string PlaceText(const store::Document& document, const store::Unit& unit);

/// "ready   01H…  Pump handbook  (pdf, 62 pages)" or "failed  … : reason".
std::string ResultLine(const Console& console, const store::Document& document);

/// The title, or the file's name.
std::string TitleText(const store::Document& document);

}  // namespace sightline::cmd
