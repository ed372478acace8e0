// A socket without an HTTP library, for tests of what no library would send.
#pragma once

#include <string>
#include <string_view>

#include "io/unique_fd.h"

namespace sightline::server {

/// A connection to a port of this machine. Reads give up after 20 s.
class RawClient {
 public:
  /// Connects.
  explicit RawClient(int port);

  /// Sends all of it; false when the other side has closed.
  bool Send(std::string_view bytes);
  /// Reads until what was read contains `end` or the other side closes; all that was read.
  std::string ReadUntil(std::string_view end);
  /// Reads until the other side closes.
  std::string ReadAll();
  /// Reads one response with a Content-Length; the rest stays for the next call.
  std::string ReadResponse();
  /// Closes.
  void Close() { fd_.Reset(); }

 private:
  bool ReadMore();

  io::UniqueFd fd_;
  std::string buffer_;
};

}  // namespace sightline::server
