// A folder for the time that a measurement takes.
#pragma once

#include <string>

namespace sightline::cmd {

/// A new folder in the system's folder for temporary files, gone with all that is in it at the end.
class TemporaryFolder {
 public:
  /// `purpose` becomes part of the name.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// False when it could not be made.
  bool made() const { return made_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

}  // namespace sightline::cmd
