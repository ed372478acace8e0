// Progress on standard error: one redrawn line on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "cmd/console.h"
#include "store/unit.h"

namespace sightline::cmd {

/// Follows documents on their way through ingest. Thread-safe: an engine's listener calls it.
class Progress {
 public:
  Progress(Console& console, const base::Clock& clock) : console_(console), clock_(clock) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Another file is on its way.
  void SetTotal(size_t files) SIGHTLINE_EXCLUDES(mutex_);
  /// A file is being read.
  void Reading(std::string_view file) SIGHTLINE_EXCLUDES(mutex_);
  /// A document changed.
  void Update(const store::Document& document) SIGHTLINE_EXCLUDES(mutex_);
  /// A file is finished, whatever came of it.
  void Done() SIGHTLINE_EXCLUDES(mutex_);
  /// Takes the line away, for text that follows.
  void Clear() SIGHTLINE_EXCLUDES(mutex_);

 private:
  void Draw(const std::string& what, int64_t done, int64_t total) SIGHTLINE_REQUIRES(mutex_);

  Console& console_;
  const base::Clock& clock_;
  base::Mutex mutex_;
  size_t files_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  size_t done_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  bool drawn_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  base::MonotonicTime last_drawn_ SIGHTLINE_GUARDED_BY(mutex_);
  /// When the work on a document was first seen, for the time that is left.
  std::map<std::string, base::MonotonicTime> started_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::cmd
