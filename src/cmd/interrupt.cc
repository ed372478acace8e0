#include "cmd/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/thread_pool.h"

namespace sightline::cmd {
namespace {

constexpr int kWakeSignal = SIGUSR2;  // ends the watcher itself

sigset_t WatchedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, kWakeSignal}) sigaddset(&set, number);
  return set;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t set = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  watcher_ = std::thread([this] { Watch(); });
}

Interrupt::~Interrupt() {
  pthread_kill(watcher_.native_handle(), kWakeSignal);
  watcher_.join();
}

void Interrupt::Watch() {
  base::SetThreadName("interrupt");
  const sigset_t set = WatchedSignals();
  while (true) {
    int number = 0;
    if (sigwait(&set, &number) != 0) continue;
    if (number == kWakeSignal) return;
    if (token_.IsCancelled()) _exit(128 + number);
    token_.Cancel();
  }
}

void RestoreSignals() {
  const sigset_t set = WatchedSignals();
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &standard, nullptr);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace sightline::cmd
