// The Decoder port over sightline-decode: a sandboxed process for each document.
#pragma once

#include <memory>
#include <string>

#include "media/decoder.h"

namespace sightline::media {

/// Where the child program is.
struct SandboxedDecoderOptions {
  std::string executable;  ///< Absolute path of sightline-decode.
};

/// A decoder that starts `options.executable` for each document. Thread-safe. A page that kills the
/// process becomes a warning and decoding goes on behind it, up to three times a document.
std::unique_ptr<Decoder> MakeSandboxedDecoder(SandboxedDecoderOptions options);

}  // namespace sightline::media
