#include "cmd/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace sightline::cmd {
namespace {

constexpr size_t kDefaultColumns = 80;
constexpr size_t kMinColumns = 20;
constexpr size_t kMaxBufferBytes = size_t{64} << 10;

bool HasColors(const ConsoleOptions& options, bool terminal) {
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org: any non-empty value
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return terminal && !dumb && !options.no_color && (no_color == nullptr || *no_color == '\0');
}

/// Writes everything; returns 0 or errno.
int WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

std::string_view Escape(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGreen:
      return "\x1b[32m";
    case Style::kRed:
      return "\x1b[31m";
    case Style::kYellow:
      return "\x1b[33m";
    case Style::kMatch:
      return "\x1b[1;33m";
  }
  return "";
}

}  // namespace

Console::Console(const ConsoleOptions& options)
    : options_(options),
      input_is_terminal_(isatty(STDIN_FILENO) == 1),
      output_is_terminal_(isatty(STDOUT_FILENO) == 1),
      error_is_terminal_(isatty(STDERR_FILENO) == 1),
      colors_(HasColors(options, output_is_terminal_)) {}

void Console::Print(std::string_view text) {
  const base::MutexLock lock(mutex_);
  buffer_ += text;
  if (options_.json || output_is_terminal_ || buffer_.size() >= kMaxBufferBytes) {
    WriteOut(buffer_);
    buffer_.clear();
  }
}

void Console::PrintLine(std::string_view line) { Print(std::string(line) + "\n"); }

void Console::Remark(std::string_view line) { ErrorStream(std::string(line) + "\n"); }

void Console::Error(std::string_view message, std::string_view next) {
  Flush();
  std::string text = "sightline: " + std::string(message) + "\n";
  if (!next.empty()) text += "  Try: " + std::string(next) + "\n";
  const base::MutexLock lock(mutex_);
  WriteError(text);
}

void Console::Error(const base::Status& status, std::string_view next) {
  Error(status.message(), next);
}

void Console::Warn(std::string_view message) { Error("warning: " + std::string(message)); }

void Console::ErrorStream(std::string_view bytes) {
  if (options_.quiet) return;
  const base::MutexLock lock(mutex_);
  WriteError(bytes);
}

std::string Console::Styled(std::string_view text, Style style) const {
  if (!colors_ || style == Style::kPlain || text.empty()) return std::string(text);
  return std::string(Escape(style)) + std::string(text) + "\x1b[0m";
}

size_t Console::width() const {
  winsize size{};
  if (output_is_terminal_ && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max(size_t{size.ws_col}, kMinColumns);
  }
  if (error_is_terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max(size_t{size.ws_col}, kMinColumns);
  }
  return kDefaultColumns;
}

void Console::Flush() {
  const base::MutexLock lock(mutex_);
  WriteOut(buffer_);
  buffer_.clear();
}

bool Console::pipe_closed() const {
  const base::MutexLock lock(mutex_);
  return pipe_closed_;
}

bool Console::output_failed() const {
  const base::MutexLock lock(mutex_);
  return output_failed_;
}

void Console::WriteOut(std::string_view bytes) {
  if (pipe_closed_ || output_failed_ || bytes.empty()) return;
  const int error_number = WriteAll(STDOUT_FILENO, bytes);
  pipe_closed_ = error_number == EPIPE;
  output_failed_ = error_number != 0 && error_number != EPIPE;
}

void Console::WriteError(std::string_view bytes) {
  // Nobody is left to tell when standard error itself is gone.
  static_cast<void>(WriteAll(STDERR_FILENO, bytes));
}

}  // namespace sightline::cmd
