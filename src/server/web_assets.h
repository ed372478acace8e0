// The files of the web page: built into the program, or from a folder while the page is worked on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::server {

/// Finds the page's files. Thread-safe.
class WebAssets {
 public:
  /// `directory` instead of what was built in; empty: built in.
  explicit WebAssets(std::string directory) : directory_(std::move(directory)) {}

  /// The file at a checked path of a request ("/icon.svg"); nullopt when there is none.
  std::optional<std::string> Find(std::string_view path) const;
  /// The page itself; a small one that says how to build it when there is none.
  std::string Index() const;

  /// The Content-Type for a file name; "application/octet-stream" for an unknown ending.
  static std::string_view ContentType(std::string_view path);

 private:
  const std::string directory_;
};

}  // namespace sightline::server
