// The program that sandbox_test starts: enters the sandbox, then does what its argument says.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/frame_stream.h"
#include "io/sandbox.h"

namespace sightline::io {
namespace {

constexpr uint32_t kMaxFrameBytes = 1 << 20;

void Send(const std::string& text) {
  if (!FrameStream(0, 1, kMaxFrameBytes).Write(text).ok()) _exit(3);
}

void Echo() {
  FrameStream frames(0, 1, kMaxFrameBytes);
  for (;;) {
    auto frame = frames.Read();
    if (!frame.ok()) _exit(4);
    if (!frame->has_value()) return;
    Send(**frame);
  }
}

void SendInput() {
  std::string content(1000, '\0');
  const ssize_t got = read(kSandboxInputFd, content.data(), content.size());
  content.resize(got < 0 ? 0 : static_cast<size_t>(got));
  Send(content + (write(kSandboxInputFd, "x", 1) < 0 ? " (read-only)" : " (writable)"));
}

void SendErrnoOfOpen(const char* path, int flags) {
  const int fd = open(path, flags, 0600);
  Send(fd >= 0 ? "opened" : std::strerror(errno));
}

void SendOpenDescriptors() {
  std::string open_fds;
  for (int fd = 0; fd < 64; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) open_fds += std::to_string(fd) + " ";
  }
  Send(open_fds);
}

void WriteScratch(size_t size_bytes) {
  const std::string block(size_bytes, 's');
  const ssize_t put = write(kSandboxScratchFd, block.data(), block.size());
  Send(std::to_string(put));
  // Over the limit the first call writes what fits; the next one is the one too many.
  Send(std::to_string(write(kSandboxScratchFd, block.data(), block.size())));
}

void Allocate() {
  std::vector<std::vector<char>> blocks;
  for (;;) blocks.emplace_back(size_t{8} << 20, 'm');
}

void Spin() {
  std::atomic<unsigned> count = 0;
  for (;;) ++count;
}

void SendThreadSum() {
  int sum = 0;
  std::thread([&] { sum = 42; }).join();
  Send(std::to_string(sum));
}

void SendExecutableMemory() {
  void* page =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Send(page == MAP_FAILED ? "refused" : "mapped");
}

void SendEnvironment() {
  std::string text;
  for (char** entry = environ; *entry != nullptr; ++entry) text += std::string(*entry) + "\n";
  Send(text);
}

const std::map<std::string_view, std::function<void()>>& Acts() {
  static const std::map<std::string_view, std::function<void()>> acts = {
      {"echo", &Echo},
      {"input", &SendInput},
      {"open_password_file", [] { SendErrnoOfOpen("/etc/passwd", O_RDONLY); }},
      {"open_library", [] { SendErrnoOfOpen("/usr/lib", O_RDONLY | O_DIRECTORY); }},
      {"write_file", [] { SendErrnoOfOpen("/tmp/sightline_sandbox_escape", O_WRONLY | O_CREAT); }},
      {"descriptors", &SendOpenDescriptors},
      {"environment", &SendEnvironment},
      {"scratch_in_limit", [] { WriteScratch(400); }},
      {"scratch_over_limit", [] { WriteScratch(3000); }},
      {"memory", &Allocate},
      {"spin", &Spin},
      {"thread", &SendThreadSum},
      {"executable_memory", &SendExecutableMemory},
      {"socket", [] { Send(std::to_string(socket(AF_INET, SOCK_STREAM, 0))); }},
      {"exec", [] { execl("/bin/true", "true", nullptr); }},
      {"fork", [] { Send(std::to_string(fork())); }},
      {"ptrace", [] { Send(std::to_string(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr))); }},
      {"kill_parent", [] { Send(std::to_string(kill(getppid(), SIGTERM))); }},
      {"abort", [] { std::abort(); }},
      {"hang", [] { sleep(3600); }},
      {"exit_with_message",
       [] {
         std::fprintf(stderr, "first line\n视线: 坏 page 7 \xFF\n");
         std::exit(9);
       }},
      {"long_frame", [] { [[maybe_unused]] auto n = write(1, "\xFF\xFF\xFF\x7F", 4); }},
      {"torn_frame", [] { [[maybe_unused]] auto n = write(1, "\x09\0\0\0abc", 7); }},
  };
  return acts;
}

}  // namespace
}  // namespace sightline::io

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto state = sightline::io::EnterSandbox({});
  if (!state.ok()) {
    std::fprintf(stderr, "%s\n", state.status().ToString().c_str());
    return 2;
  }
  if (std::string_view(argv[1]) == "state") {
    sightline::io::Send(std::to_string(state->landlock_abi) + " " +
                        std::to_string(static_cast<int>(state->network_namespace)));
    return 0;
  }
  const auto act = sightline::io::Acts().find(argv[1]);
  if (act == sightline::io::Acts().end()) return 2;
  act->second();
  return 0;
}
