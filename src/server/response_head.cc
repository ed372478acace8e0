#include "server/response_head.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace sightline::server {
namespace {

// The page loads nothing from elsewhere and nobody else frames it.
constexpr std::string_view kPagePolicy =
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
constexpr std::string_view kOtherPolicy = "frame-ancestors 'self'";

void AddLine(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  // Values come from file names and the like: nothing in them may start a line.
  for (const char c : value) {
    if (c != '\r' && c != '\n' && c != '\0') out.push_back(c);
  }
  out.append("\r\n");
}

// IMF-fixdate (RFC 9110, 5.6.7).
std::string HttpDate(base::UtcTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 64> text;
  const int size = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 kDays[static_cast<size_t>(parts.tm_wday)], parts.tm_mday,
                                 kMonths[static_cast<size_t>(parts.tm_mon)], parts.tm_year + 1900,
                                 parts.tm_hour, parts.tm_min, parts.tm_sec);
  return {text.data(), static_cast<size_t>(size)};
}

std::string ServerTiming(const Response& response, double total_ms) {
  std::string out;
  std::array<char, 48> number;
  for (const Timing& timing : response.timing) {
    std::snprintf(number.data(), number.size(), ";dur=%.2f, ", timing.ms);
    out += timing.stage + number.data();
  }
  std::snprintf(number.data(), number.size(), "total;dur=%.2f", total_ms);
  return out + number.data();
}

bool IsPage(const Response& response) {
  for (const Header& header : response.headers) {
    if (header.name == "Content-Type") return header.value.starts_with("text/html");
  }
  return false;
}

}  // namespace

bool StatusHasBody(int status) { return status >= 200 && status != 204 && status != 304; }

std::string FormatResponseHead(const Response& response, const ResponseContext& context) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + " " +
                    std::string(ReasonPhrase(response.status)) + "\r\n";
  AddLine(out, "Server", "sightline");
  AddLine(out, "Date", HttpDate(context.now));
  for (const Header& header : response.headers) AddLine(out, header.name, header.value);
  if (StatusHasBody(response.status) && response.events == nullptr) {
    const uint64_t size = response.source != nullptr ? response.source_bytes : response.body.size();
    AddLine(out, "Content-Length", std::to_string(size));
  }
  AddLine(out, "Connection", context.keep_alive ? "keep-alive" : "close");
  AddLine(out, "X-Request-Id", context.request_id);
  AddLine(out, "Server-Timing", ServerTiming(response, context.total_ms));
  AddLine(out, "X-Content-Type-Options", "nosniff");
  AddLine(out, "Referrer-Policy", "no-referrer");
  AddLine(out, "Cross-Origin-Resource-Policy", "same-origin");
  AddLine(out, "Cross-Origin-Opener-Policy", "same-origin");
  AddLine(out, "Content-Security-Policy", IsPage(response) ? kPagePolicy : kOtherPolicy);
  out.append("\r\n");
  return out;
}

}  // namespace sightline::server
