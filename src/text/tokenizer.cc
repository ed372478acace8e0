#include "text/tokenizer.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace sightline::text {

base::Result<std::string> ReadTokenizerFile(const std::string& path, size_t max_bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    const int error_number = errno;
    if (error_number == ENOENT) return base::NotFound("no tokenizer file: " + path);
    return base::IoError("cannot open tokenizer file " + path, error_number);
  }
  const std::streamoff size = file.tellg();
  if (size < 0) return base::IoError("cannot read tokenizer file: " + path);
  if (static_cast<uint64_t>(size) > max_bytes) {
    return base::DataLoss("tokenizer file is larger than " + std::to_string(max_bytes) +
                          " bytes: " + path);
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) return base::IoError("cannot read tokenizer file: " + path);
  return bytes;
}

}  // namespace sightline::text
