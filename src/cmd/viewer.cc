#include "cmd/viewer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "cmd/interrupt.h"
#include "cmd/preview_files.h"

namespace sightline::cmd {
namespace {

#ifdef __APPLE__
constexpr const char* kViewer = "open";
#else
constexpr const char* kViewer = "xdg-open";
#endif
constexpr int kNoProgram = 127;
constexpr int64_t kMsPerSecond = 1000;

base::Status View(const std::string& target) {
  const pid_t child = fork();
  if (child < 0) return base::Unavailable("cannot start a viewer");
  if (child == 0) {
    RestoreSignals();
    setsid();
    execlp(kViewer, kViewer, target.c_str(), static_cast<char*>(nullptr));
    _exit(kNoProgram);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return base::OkStatus();
  return base::Unavailable(std::string("no viewer opened it (") + kViewer + "): " + target);
}

std::string PageUrl(const std::string& server_url, const retrieve::Hit& hit) {
  const store::Locator& locator = hit.unit.locator;
  std::string url = server_url + "/d/" + hit.document.id;
  if (locator.page > 0) return url + "/p/" + std::to_string(locator.page);
  if (locator.start_ms >= 0) return url + "?t=" + std::to_string(locator.start_ms / kMsPerSecond);
  return url;
}

}  // namespace

base::Status OpenHit(engine::Engine& engine, const std::string& server_url,
                     const retrieve::Hit& hit) {
  if (!server_url.empty()) return View(PageUrl(server_url, hit));
  const std::string path = PreviewFiles(engine).PathOf(hit.unit.preview_sha256);
  if (path.empty()) return base::Unavailable("the first hit has no preview to open");
  return View(path);
}

}  // namespace sightline::cmd
