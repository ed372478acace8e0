// The bytes of openapi.json and of the web page's archive, put into the program by the assembler.
#include "server/embedded_files.h"

#include "server/tar_reader.h"

// SIGHTLINE_OPENAPI and SIGHTLINE_WEB_ARCHIVE are paths, given by the build.
asm(".section .rodata\n"
    ".balign 8\n"
    "sightline_openapi_begin: .incbin \"" SIGHTLINE_OPENAPI
    "\"\n"
    "sightline_openapi_end: .byte 0\n"
    ".balign 8\n"
    "sightline_web_begin: .incbin \"" SIGHTLINE_WEB_ARCHIVE
    "\"\n"
    "sightline_web_end: .byte 0\n"
    ".globl sightline_openapi_begin, sightline_openapi_end\n"
    ".globl sightline_web_begin, sightline_web_end\n"
    ".hidden sightline_openapi_begin, sightline_openapi_end\n"
    ".hidden sightline_web_begin, sightline_web_end\n"
    ".previous\n");

extern "C" {
extern const char sightline_openapi_begin[];
extern const char sightline_openapi_end[];
extern const char sightline_web_begin[];
extern const char sightline_web_end[];
}

namespace sightline::server {
namespace {

std::string_view Bytes(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string_view EmbeddedOpenApi() { return Bytes(sightline_openapi_begin, sightline_openapi_end); }

const std::map<std::string, std::string_view, std::less<>>& EmbeddedWebFiles() {
  static const auto files = ReadTar(Bytes(sightline_web_begin, sightline_web_end));
  return files;
}

}  // namespace sightline::server
