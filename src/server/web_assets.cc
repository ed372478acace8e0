#include "server/web_assets.h"

#include <array>
#include <filesystem>
#include <utility>

#include "io/file_system.h"
#include "server/embedded_files.h"

namespace sightline::server {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{32} << 20;

constexpr std::string_view kPlaceholder = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sightline</title>
<h1>Sightline 视线</h1>
<p>The server runs, but this program was built without its web page. Build it, then build the program
again, or point the server at it:</p>
<pre>npm --prefix web ci
npm --prefix web run build
sightline serve --set server.web_dir=web/dist</pre>
<p lang="zh">服务已启动，但此程序构建时没有包含网页。请先运行上面的命令构建网页，再重新构建程序，或用
<code>server.web_dir</code> 指定网页目录。</p>
<p>The API is described in <a href="/openapi.json">/openapi.json</a>.</p>
</html>
)";

// The file below `directory`, unless a link leads out of it.
std::optional<std::string> ReadBelow(const std::string& directory, std::string_view path) {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(directory, error);
  if (error) return std::nullopt;
  const std::filesystem::path file = std::filesystem::canonical(root / path.substr(1), error);
  if (error || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::string inside = root.string() + "/";
  if (!file.string().starts_with(inside)) return std::nullopt;
  base::Result<std::string> content = io::PosixFileSystem().ReadFile(file.string(), kMaxFileBytes);
  if (!content.ok()) return std::nullopt;
  return *std::move(content);
}

}  // namespace

std::optional<std::string> WebAssets::Find(std::string_view path) const {
  if (!directory_.empty()) return ReadBelow(directory_, path);
  const auto found = EmbeddedWebFiles().find(path);
  if (found == EmbeddedWebFiles().end()) return std::nullopt;
  return std::string(found->second);
}

std::string WebAssets::Index() const {
  return Find("/index.html").value_or(std::string(kPlaceholder));
}

std::string_view WebAssets::ContentType(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".webp", "image/webp"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".wasm", "application/wasm"},
      {".txt", "text/plain; charset=utf-8"},
      {".map", "application/json; charset=utf-8"},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace sightline::server
