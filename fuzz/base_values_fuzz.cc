// Small values as text: UTF-8, times, sizes, ids, hexadecimal digits, archives of the web page.
#include "base/check.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/size_text.h"
#include "base/ulid.h"
#include "base/utf8.h"
#include "fuzz/target.h"
#include "server/tar_reader.h"

namespace sightline::fuzz {
namespace {

void CheckUtf8(std::string_view text) {
  const std::string clean = base::SanitizeUtf8(text);
  CHECK(base::IsValidUtf8(clean) && clean.find('\0') == std::string::npos);
  CHECK(base::CountCodePoints(clean) == base::CountCodePoints(text));
  for (const std::size_t limit : {0U, 1U, 3U, 10U}) {
    const std::string_view cut = base::TruncateUtf8(clean, limit);
    CHECK(cut.size() <= limit && base::IsValidUtf8(cut) && clean.starts_with(cut));
  }
}

void CheckValues(std::string_view text) {
  const auto time = base::ParseRfc3339(text);
  if (time.ok()) {
    const std::int64_t unix_ms = base::UnixMillis(*time);
    const auto again = base::ParseRfc3339(base::FormatRfc3339(base::FromUnixMillis(unix_ms)));
    CHECK(again.ok() && base::UnixMillis(*again) == unix_ms, text);
  }
  const auto id = base::Ulid::Parse(text);
  if (id.ok()) {
    const auto again = base::Ulid::Parse(id->ToString());
    CHECK(again.ok() && *again == *id, text);
  }
  const auto bytes = base::HexDecode(text);
  CHECK(!bytes.ok() || bytes->size() * 2 == text.size());
  [[maybe_unused]] const auto size_bytes = base::ParseSize(text);
}

void CheckArchive(std::string_view archive) {
  for (const auto& [path, content] : server::ReadTar(archive)) {
    CHECK(path.starts_with('/') && content.size() <= archive.size(), path);
  }
}

void Run(std::string_view input) {
  CheckUtf8(input);
  CheckValues(input);
  CheckArchive(input);
}

const Registration kTarget({.name = "base_values", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
