// Remembers which files were read in full and found to be as published.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "io/file_system.h"

namespace sightline::model {

/// The `.verified` file of a model's folder: a line a file, `sha256 size_bytes modified_ns name`.
/// Lines that do not parse are ignored, so a damaged stamp only costs a new check.
class VerificationStamp {
 public:
  /// Reads the content of the file.
  static VerificationStamp Parse(std::string_view content);
  /// The content of the file.
  std::string Format() const;

  /// Whether the file was checked with that digest and has not changed since.
  bool Covers(const std::string& name, const std::string& sha256, const io::FileInfo& info) const;
  /// Notes that the file was checked and is as published.
  void Add(const std::string& name, const std::string& sha256, const io::FileInfo& info);

 private:
  struct Line {
    std::string sha256;
    std::uint64_t size_bytes = 0;
    std::int64_t modified_ns = 0;
  };
  std::map<std::string, Line> lines_;
};

}  // namespace sightline::model
