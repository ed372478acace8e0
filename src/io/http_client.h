// HTTP(S) requests to other services: bounded in size and time, never following where it was not
// told.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/status.h"

namespace sightline::io {

/// One header field.
struct HttpHeader {
  std::string name;
  std::string value;
};

/// Fills the span and returns how many bytes it wrote, 0 at the end. A failure ends the request
/// with that Status.
using HttpBodyReader = std::function<base::Result<size_t>(std::span<char>)>;
/// Takes the next bytes of the response body. A failure ends the request with that Status.
using HttpBodyWriter = std::function<base::Status(std::string_view)>;

/// One request and its bounds.
struct HttpRequest {
  std::string method = "GET";
  /// http:// or https:// only.
  std::string url;
  std::vector<HttpHeader> headers;

  /// The body; ignored when `body_reader` is set.
  std::string body;
  /// Streams the body instead: with `body_size_bytes` when it is known, chunked otherwise.
  HttpBodyReader body_reader;
  std::optional<uint64_t> body_size_bytes;

  /// Where to connect, whatever the name in the URL resolves to ("192.0.2.7", "::1"): the address
  /// that was checked is the one that is used. TLS still verifies the name.
  std::string pinned_address;
  /// A PEM file of authorities instead of the system's.
  std::string ca_file;

  /// Redirects that are followed; each must stay on http(s). With a pinned address none is
  /// followed.
  uint32_t max_redirects = 0;
  uint64_t max_body_bytes = uint64_t{64} << 20;
  uint64_t max_header_bytes = uint64_t{64} << 10;
  /// For the connection; the whole request is bounded by `cancel`'s deadline and by `timeout_ms`.
  uint32_t connect_timeout_ms = 10'000;
  uint32_t timeout_ms = 60'000;
  base::CancelToken cancel;

  /// Takes the body of a 2xx response as it arrives instead of collecting it in
  /// `HttpResponse::body`. Bodies of other responses are still collected, so that their error text
  /// can be shown.
  HttpBodyWriter body_writer;
};

/// What came back. A 4xx or 5xx is a response, not a failure.
struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers;
  std::string body;
  /// The URL that answered, after redirects.
  std::string url;

  /// The first header of that name, compared without case; empty when there is none.
  std::string_view header(std::string_view name) const;
};

/// Sends requests. Thread-safe; blocks the calling thread.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// kInvalidArgument (the URL), kUnavailable (no connection, TLS), kDeadlineExceeded, kCancelled,
  /// kResourceExhausted (over a bound), or what a reader or writer returned.
  virtual base::Result<HttpResponse> Send(const HttpRequest& request) = 0;
};

/// A client on libcurl; connections are kept and used again between calls. It ignores proxies of
/// the environment, so that a pinned address means what it says.
std::unique_ptr<HttpClient> MakeHttpClient();

/// `text` with every byte outside A-Z a-z 0-9 - . _ ~ as %XX, for a part of a URL.
std::string UrlEncode(std::string_view text);

}  // namespace sightline::io
