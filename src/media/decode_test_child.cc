// The program that sandboxed_decoder_test starts instead of sightline-decode: the first word of the
// input file says how it misbehaves.
#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/frame_stream.h"
#include "io/sandbox.h"
#include "media/decode_wire.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

void WriteRaw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(1, bytes.data(), bytes.size());
    if (put <= 0) _exit(9);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

class Child {
 public:
  int Run() {
    const auto request = stream_.Read();
    if (!request.ok() || !*request) return 3;
    const auto parsed = ParseRequest(**request);
    if (!parsed.ok()) return 4;
    first_page_ = parsed->options.first_page;
    std::string word(32, '\0');
    const ssize_t got = pread(io::kSandboxInputFd, word.data(), word.size(), 0);
    word.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return Misbehave(word);
  }

 private:
  void Send(const v1::DecodeReply& reply) {
    const std::string bytes = reply.SerializeAsString();
    if (!stream_.Write(bytes).ok()) _exit(5);
  }

  void SendInfo(int pages) {
    DocumentInfo info;
    info.kind = DocumentKind::kPdf;
    info.page_count = pages;
    v1::DecodeReply reply;
    ToWire(info, reply);
    Send(reply);
  }

  void SendPage(int number) {
    v1::DecodeReply step;
    step.mutable_step()->set_page_number(number);
    Send(step);
    DecodedPage page;
    page.page_number = number;
    page.width_pt = 100;
    page.height_pt = 100;
    v1::DecodeReply reply;
    ToWire(std::move(page), reply);
    Send(reply);
  }

  void SendEnd(const base::Status& status) {
    v1::DecodeReply reply;
    ToWireEnd(status, reply);
    Send(reply);
  }

  /// Pages of which the second kills the process.
  int CrashOnSecondPage(int pages) {
    if (first_page_ == 1) SendInfo(pages);
    for (int number = first_page_; number <= pages; ++number) {
      v1::DecodeReply step;
      step.mutable_step()->set_page_number(number);
      Send(step);
      if (number == 2) std::abort();
      SendPage(number);
    }
    SendEnd(base::OkStatus());
    return 0;
  }

  int Misbehave(std::string_view word) {
    if (word == "garbage") {
      if (!stream_.Write(std::string_view("\xFF\xFE\xFD")).ok()) return 5;
    } else if (word == "torn") {
      WriteRaw(std::string_view("\x64\0\0\0abc", 7));
    } else if (word == "oversize") {
      WriteRaw(std::string_view("\0\0\0\x7F", 4));
    } else if (word == "crash") {
      return CrashOnSecondPage(3);
    } else if (word == "crash-all") {
      SendInfo(1);
      v1::DecodeReply step;
      step.mutable_step()->set_page_number(1);
      Send(step);
      std::abort();
    } else if (word == "memory") {
      SendInfo(0);
      std::vector<std::string> kept;
      for (;;) kept.emplace_back(std::size_t{64} << 20, 'x');
    } else if (word == "hang") {
      for (;;) poll(nullptr, 0, -1);
    } else if (word == "refuse") {
      SendEnd(base::InvalidArgument("the PDF needs a password"));
    }
    return 0;  // "silence": ends without a word
  }

  io::FrameStream stream_{0, 1, std::uint32_t{128} << 20};
  int first_page_ = 1;
};

}  // namespace
}  // namespace sightline::media

int main() {
  if (!sightline::io::EnterSandbox({}).ok()) return 2;
  return sightline::media::Child().Run();
}
