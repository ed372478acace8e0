// What sightline-decode does after it has entered the sandbox.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace sightline::media {

/// Largest frame in either direction: a picture of the request's limits and its text fit.
inline constexpr std::uint32_t kMaxDecodeFrameBytes = std::uint32_t{128} << 20;

/// Reads one request from `read_fd`, decodes the file behind `input_fd` and writes replies to
/// `write_fd`. A failure of the document is an `end` message, and ok here; failures here are those
/// of the pipes.
base::Status ServeOneDocument(int input_fd, int read_fd, int write_fd);

}  // namespace sightline::media
