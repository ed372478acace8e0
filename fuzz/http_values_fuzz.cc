// What stands in request lines and headers: targets, ranges, entity tags, hosts, base64.
#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/byte_source.h"
#include "fuzz/target.h"
#include "server/api.h"
#include "server/base64.h"
#include "server/byte_range.h"
#include "server/origin_check.h"
#include "server/query_value.h"
#include "server/request_target.h"

namespace sightline::fuzz {
namespace {

void CheckTarget(std::string_view text) {
  auto target = server::ParseRequestTarget(text);
  if (!target.ok()) return;
  CHECK(target->path.starts_with('/') && base::IsValidUtf8(target->path), target->path);
  CHECK((target->path + "/").find("/../") == std::string::npos, target->path);
  CHECK(target->path.find_first_of(std::string_view("\0\r\n\\", 4)) == std::string::npos);
  server::Request request;
  request.query = std::move(target->query);
  const auto number =
      server::QueryInteger(request, "limit", {.low = 1, .high = 500, .fallback = 7});
  CHECK(!number.ok() || (*number >= 1 && *number <= 500));
}

void CheckRange(std::string_view text, std::uint64_t size_bytes) {
  const server::RangeRequest wanted = server::ParseRange(text, size_bytes);
  if (wanted.kind != server::RangeRequest::Kind::kPart) return;
  CHECK(wanted.range.size_bytes > 0 && wanted.range.first < size_bytes &&
        wanted.range.size_bytes <= size_bytes - wanted.range.first);
}

void CheckEntityTags(std::string_view header) {
  const bool matches = server::MatchesEntityTag(header, "\"abc\"");
  CHECK(!matches || header.find("\"abc\"") != std::string_view::npos ||
        header.find('*') != std::string_view::npos);
}

void CheckHost(std::string_view host, std::string_view origin) {
  server::Request request;
  request.method = "POST";
  request.headers = {{"Host", std::string(host)}, {"Origin", std::string(origin)}};
  [[maybe_unused]] const base::Status status = server::CheckOrigin(request);
}

// The first byte says which of them is read.
void Run(std::string_view input) {
  ByteSource source(input);
  switch (source.Byte() % 5) {
    case 0:
      CheckTarget(source.Rest());
      break;
    case 1: {
      const std::uint64_t size_bytes = source.Word();
      CheckRange(source.Rest(), size_bytes);
      break;
    }
    case 2: {
      const std::string_view text = source.Rest();
      const auto bytes = server::Base64Decode(text);
      CHECK(!bytes.ok() || bytes->size() <= text.size());
      break;
    }
    case 3:
      CheckEntityTags(source.Rest());
      break;
    default: {
      const std::string_view host = source.TakeUntil('\n');
      CheckHost(host, source.Rest());
    }
  }
}

const Registration kTarget({.name = "http_values", .max_bytes = 2048, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
