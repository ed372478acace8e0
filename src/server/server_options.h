// How a server listens and what it allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sightline::server {

/// Bounds of the server (docs/ARCHITECTURE.md, "Limits"). Going over one is answered at once.
struct ServerLimits {
  size_t head_bytes = 16 << 10;                ///< Request line and headers: 431.
  uint64_t json_bytes = uint64_t{8} << 20;     ///< JSON bodies: 413.
  uint64_t search_bytes = uint64_t{32} << 20;  ///< A search with its picture: 413.
  uint64_t image_bytes = uint64_t{20} << 20;   ///< The query picture itself: 400.
  uint64_t upload_bytes = uint64_t{20} << 30;  ///< One document: 413.
  size_t metadata_bytes = 64 << 10;            ///< A document's metadata: 400.
  size_t query_bytes = 8 << 10;                ///< The words of a question: 400.
  int json_depth = 16;                         ///< Nesting of JSON: 400.
  size_t connections = 1024;                   ///< More are answered 503 and closed.
  size_t connections_per_address = 64;
  size_t in_flight_requests = 256;        ///< More are answered 503.
  size_t event_streams = 64;              ///< More are answered 503.
  uint32_t head_timeout_ms = 10'000;      ///< For a whole head, from its first byte: 408.
  uint32_t idle_timeout_ms = 60'000;      ///< Between requests: closed.
  uint32_t body_bytes_per_second = 1024;  ///< At least, after `body_grace_ms`: 408.
  uint32_t body_grace_ms = 10'000;
  uint32_t write_timeout_ms = 30'000;    ///< For each 256 KiB of an answer: closed.
  uint32_t search_timeout_ms = 30'000;   ///< Deadline of a search: 504.
  uint32_t request_timeout_ms = 60'000;  ///< Deadline of every other request: 504.
  uint32_t heartbeat_ms = 15'000;        ///< Comment on a silent event stream.
  uint32_t shutdown_ms = 30'000;         ///< For requests in flight when stopping.
};

/// How to start a server.
struct ServerOptions {
  std::string listen = "127.0.0.1";  ///< A loopback address; another one is refused.
  int port = 7801;                   ///< 0: any free one, see `Server::port`.
  std::string web_dir;               ///< The web page's files; empty: those built in.
  std::string temporary_dir;         ///< For pictures that are asked with; must be given.
  size_t search_threads = 2;
  size_t engine_threads = 4;
  size_t draw_threads = 2;  ///< For pages at widths that are not stored.
  ServerLimits limits;
};

}  // namespace sightline::server
