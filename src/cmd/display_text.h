// Text for a terminal: how wide it is, cut to a width, and never able to control the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::cmd {

/// Columns that `text` takes: two for each wide character, none for combining marks.
size_t DisplayWidth(std::string_view text);

/// `text` on one line, without control characters (a document's words must not be able to send
/// escape sequences), invalid UTF-8 as U+FFFD.
std::string Printable(std::string_view text);

/// `Printable`, cut to `columns` with "…" where something is left out.
std::string FitToWidth(std::string_view text, size_t columns);

/// "7:05", "1:02:03": a time in a video.
std::string ClockText(int64_t ms);

/// "12:07–12:31".
std::string TimeRangeText(int64_t start_ms, int64_t end_ms);

}  // namespace sightline::cmd
