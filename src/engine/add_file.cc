#include <span>
#include <utility>

#include "engine/engine.h"
#include "io/file_system.h"

namespace sightline::engine {

using base::Result;

Result<AddedDocument> AddFile(Engine& engine, const std::string& path, AddOptions options) {
  constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
  if (options.file_name.empty()) options.file_name = path;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, io::PosixFileSystem().OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto upload, engine.BeginUpload(options));
  std::string chunk(kChunkBytes, '\0');
  for (std::uint64_t offset = 0; offset < file->size_bytes();) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        const std::size_t read,
        file->ReadAt(offset, std::as_writable_bytes(std::span(chunk.data(), chunk.size()))));
    if (read == 0) return base::DataLoss("the file became shorter while it was read: " + path);
    SIGHTLINE_RETURN_IF_ERROR(upload->Append(std::string_view(chunk).substr(0, read)));
    offset += read;
  }
  return upload->Finish();
}

}  // namespace sightline::engine
