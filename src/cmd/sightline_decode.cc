// sightline-decode: decodes one document inside the sandbox. Started by sightline; the request
// comes on stdin, the document as descriptor 3, replies go to stdout
// (proto/sightline/v1/decode.proto).
#include <malloc.h>

#include <cstdio>

#include "io/sandbox.h"
#include "media/decoder/decode_service.h"

namespace {

int Fail(const sightline::base::Status& status) {
  std::fprintf(stderr, "sightline-decode: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace

int main() {
  // Pictures of megabytes come and go: keep their pages instead of asking for zeroed ones again.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  const auto sandbox = sightline::io::EnterSandbox({});
  if (!sandbox.ok()) return Fail(sandbox.status());
  const auto status = sightline::media::ServeOneDocument(sightline::io::kSandboxInputFd, 0, 1);
  return status.ok() ? 0 : Fail(status);
}
