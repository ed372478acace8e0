// Forms: the Content-Type up to the first line end, then the body.
#include "base/check.h"
#include "fuzz/byte_source.h"
#include "fuzz/target.h"
#include "server/multipart.h"

namespace sightline::fuzz {
namespace {

void Run(std::string_view input) {
  ByteSource source(input);
  const std::string_view content_type = source.TakeUntil('\n');
  const std::string_view body = source.Rest();
  const auto fields = server::ParseMultipart(content_type, body);
  if (!fields.ok()) return;
  std::size_t total = 0;
  for (const auto& [name, value] : *fields) total += name.size() + value.size();
  CHECK(fields->size() <= 16 && total <= body.size());
}

const Registration kTarget({.name = "multipart", .max_bytes = 8192, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
