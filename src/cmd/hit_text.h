// A hit as people read it in a terminal.
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "cmd/console.h"
#include "retrieve/search.h"

namespace sightline::cmd {

/// Two to four lines: rank, score, title, place, reasons; snippet with the matches in bold; path of
/// the preview (left out when empty).
std::string HitText(const Console& console, const retrieve::Hit& hit,
                    const std::string& preview_path);

/// Standard input to its end, without white space at the ends. `kInvalidArgument` over `max_bytes`.
base::Result<std::string> ReadQueryFromInput(size_t max_bytes, const base::CancelToken& cancel);

}  // namespace sightline::cmd
