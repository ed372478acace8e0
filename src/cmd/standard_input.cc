#include "cmd/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace sightline::cmd {
namespace {

// Signals go to a thread of their own, so that none of them wakes a read.
constexpr int kLookAgainMs = 100;

}  // namespace

base::Result<std::size_t> ReadStandardInput(std::span<char> out, const base::CancelToken& cancel) {
  while (true) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, kLookAgainMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t size = ready < 0 ? -1 : read(STDIN_FILENO, out.data(), out.size());
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EINTR) return base::IoError("cannot read standard input", errno);
  }
}

}  // namespace sightline::cmd
