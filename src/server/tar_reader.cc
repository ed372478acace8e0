#include "server/tar_reader.h"

#include <cstdint>
#include <optional>

namespace sightline::server {
namespace {

constexpr size_t kBlockBytes = 512;

// A field of a header up to its first NUL.
std::string_view Field(std::string_view header, size_t offset, size_t size) {
  const std::string_view field = header.substr(offset, size);
  return field.substr(0, field.find('\0'));
}

std::optional<uint64_t> Octal(std::string_view digits) {
  uint64_t value = 0;
  for (const char c : digits) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

// "./assets/a.js" → "/assets/a.js".
std::string AbsolutePath(std::string_view header) {
  std::string path;
  const std::string_view prefix = Field(header, 345, 155);
  if (Field(header, 257, 6) == "ustar" && !prefix.empty()) path = std::string(prefix) + "/";
  path += Field(header, 0, 100);
  if (path.starts_with("./")) path.erase(0, 1);
  if (!path.starts_with('/')) path.insert(path.begin(), '/');
  return path;
}

}  // namespace

std::map<std::string, std::string_view, std::less<>> ReadTar(std::string_view archive) {
  std::map<std::string, std::string_view, std::less<>> files;
  while (archive.size() >= kBlockBytes && archive[0] != '\0') {
    const std::string_view header = archive.substr(0, kBlockBytes);
    archive.remove_prefix(kBlockBytes);
    const std::optional<uint64_t> size = Octal(Field(header, 124, 12));
    if (!size.has_value() || *size > archive.size()) break;
    const char type = header[156];
    if (type == '0' || type == '\0') files[AbsolutePath(header)] = archive.substr(0, *size);
    const uint64_t padded = (*size + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    archive.remove_prefix(padded < archive.size() ? padded : archive.size());
  }
  return files;
}

}  // namespace sightline::server
