// Console: results to standard output, everything else to standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"

namespace sightline::cmd {

/// How the program may speak.
struct ConsoleOptions {
  bool quiet = false;     ///< No progress and no remarks; results and errors stay.
  bool json = false;      ///< Results are JSON, one object a line.
  bool no_color = false;  ///< As NO_COLOR in the environment.
};

/// Emphasis on a terminal; nothing else than a terminal ever sees it.
enum class Style { kPlain, kBold, kDim, kGreen, kRed, kYellow, kMatch };

/// Thread-safe. Writes that find the pipe closed set `pipe_closed` and are dropped from then on.
class Console {
 public:
  /// Looks at the terminals behind both streams, at NO_COLOR and TERM.
  explicit Console(const ConsoleOptions& options);

  /// A result. Flushed at the end of the program, and at once with `--json` or on a terminal.
  void Print(std::string_view text) SIGHTLINE_EXCLUDES(mutex_);
  /// `Print` and a line feed.
  void PrintLine(std::string_view line);
  /// A remark on standard error; nothing when quiet.
  void Remark(std::string_view line) SIGHTLINE_EXCLUDES(mutex_);
  /// "sightline: message" and, if it is known, what to do next ("Try: …") on standard error.
  void Error(std::string_view message, std::string_view next = {}) SIGHTLINE_EXCLUDES(mutex_);
  /// The same from a Status.
  void Error(const base::Status& status, std::string_view next = {});
  /// A warning that is shown even when quiet.
  void Warn(std::string_view message);
  /// Raw bytes on standard error (progress). Nothing when quiet.
  void ErrorStream(std::string_view bytes) SIGHTLINE_EXCLUDES(mutex_);

  /// `text` with emphasis for standard output, where that is a terminal with colours.
  std::string Styled(std::string_view text, Style style) const;

  /// Whether progress may redraw its line.
  bool error_is_terminal() const { return error_is_terminal_; }
  bool output_is_terminal() const { return output_is_terminal_; }
  bool input_is_terminal() const { return input_is_terminal_; }
  /// Columns of the terminal, 80 without one; read again each time, at least 20.
  size_t width() const;
  const ConsoleOptions& options() const { return options_; }

  /// Writes out what is buffered.
  void Flush() SIGHTLINE_EXCLUDES(mutex_);
  /// Whether the reader of standard output has gone away.
  bool pipe_closed() const SIGHTLINE_EXCLUDES(mutex_);
  /// Whether standard output failed for another reason (a full disk).
  bool output_failed() const SIGHTLINE_EXCLUDES(mutex_);

 private:
  void WriteOut(std::string_view bytes) SIGHTLINE_REQUIRES(mutex_);
  static void WriteError(std::string_view bytes);

  const ConsoleOptions options_;
  const bool input_is_terminal_;
  const bool output_is_terminal_;
  const bool error_is_terminal_;
  const bool colors_;
  mutable base::Mutex mutex_;
  std::string buffer_ SIGHTLINE_GUARDED_BY(mutex_);
  bool pipe_closed_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  bool output_failed_ SIGHTLINE_GUARDED_BY(mutex_) = false;
};

}  // namespace sightline::cmd
