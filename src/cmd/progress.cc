#include "cmd/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmd/display_text.h"

namespace sightline::cmd {
namespace {

constexpr int64_t kBarColumns = 20;
constexpr std::chrono::milliseconds kMinBetweenDraws{100};
constexpr std::chrono::seconds kMinForEstimate{2};
constexpr std::string_view kEraseLine = "\r\x1b[2K";

std::string Bar(int64_t done, int64_t total) {
  if (total <= 0) return "";
  const int64_t filled = std::clamp<int64_t>(done * kBarColumns / total, 0, kBarColumns);
  return fmt::format("[{:#<{}}{:-<{}}] ", "", filled, "", kBarColumns - filled);
}

std::string Amount(const store::Document& document) {
  if (document.progress_total <= 0) return "";
  const bool is_time =
      document.kind == media::DocumentKind::kVideo || document.kind == media::DocumentKind::kAudio;
  if (is_time) {
    return fmt::format(" {} of {}", ClockText(document.progress_done),
                       ClockText(document.progress_total));
  }
  return fmt::format(" {} of {}", document.progress_done, document.progress_total);
}

}  // namespace

void Progress::SetTotal(size_t files) {
  const base::MutexLock lock(mutex_);
  files_ = files;
}

void Progress::Reading(std::string_view file) {
  const base::MutexLock lock(mutex_);
  Draw("reading " + std::string(file), 0, 0);
}

void Progress::Update(const store::Document& document) {
  const base::MutexLock lock(mutex_);
  if (document.state != store::DocumentState::kProcessing) return;
  const base::MonotonicTime now = clock_.Now();
  if (drawn_ && now - last_drawn_ < kMinBetweenDraws) return;
  const auto started = started_.try_emplace(document.id, now).first->second;
  std::string what = document.file_name + Amount(document);
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - started);
  if (elapsed >= kMinForEstimate && document.progress_done > 0 && document.progress_total > 0) {
    const int64_t left_ms = elapsed.count() * (document.progress_total - document.progress_done) /
                            document.progress_done;
    what += ", " + ClockText(std::max<int64_t>(left_ms, 0)) + " left";
  }
  Draw(what, document.progress_done, document.progress_total);
}

void Progress::Done() {
  const base::MutexLock lock(mutex_);
  ++done_;
}

void Progress::Clear() {
  const base::MutexLock lock(mutex_);
  if (drawn_) console_.ErrorStream(kEraseLine);
  drawn_ = false;
}

void Progress::Draw(const std::string& what, int64_t done, int64_t total) {
  if (!console_.error_is_terminal()) return;
  std::string line = files_ > 1 ? fmt::format("{} of {}  ", done_ + 1, files_) : std::string();
  const size_t width = console_.width();
  if (width > 50) line += Bar(done, total);
  line += what;
  console_.ErrorStream(std::string(kEraseLine) + FitToWidth(line, width - 1));
  drawn_ = true;
  last_drawn_ = clock_.Now();
}

}  // namespace sightline::cmd
