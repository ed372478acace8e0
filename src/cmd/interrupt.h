// Ctrl-C as cancellation.
#pragma once

#include <thread>

#include "base/deadline.h"

namespace sightline::cmd {

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of a token; a second one ends the process
/// at once (what is on disk is whole at every instant). Make one before any other thread: it blocks
/// these signals for the threads that follow. SIGPIPE is ignored: writes say EPIPE.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const base::CancelToken& token() const { return token_; }  ///< Cancelled by Ctrl-C.

 private:
  void Watch();

  base::CancelToken token_;
  std::thread watcher_;
};

/// For a child process between fork and exec: signals as a new program expects them.
void RestoreSignals();

}  // namespace sightline::cmd
