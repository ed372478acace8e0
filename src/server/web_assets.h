// The files of the web page: built into the program, or from a folder while the page is worked on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sightline::server {

/// One file that was built in.
struct EmbeddedFile {
  std::string_view path;  ///< "/assets/index-1a2b.js"
  std::string_view content;
};

/// Every file of web/dist as it was when the program was built; empty when there was none.
/// Generated.
std::span<const EmbeddedFile> EmbeddedWebFiles();

/// The description of the API that was built in (openapi.json). Generated.
std::string_view EmbeddedOpenApi();

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
