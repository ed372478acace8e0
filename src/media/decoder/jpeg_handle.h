// libjpeg-turbo's handle, which is destroyed with its owner.
#pragma once

#include <turbojpeg.h>

#include <memory>
#include <type_traits>

namespace sightline::media {

/// Destroys a compressor or decompressor.
struct DestroyJpegHandle {
  void operator()(tjhandle handle) const { tjDestroy(handle); }
};
/// A compressor or decompressor; null when there was no memory for it.
using JpegHandle = std::unique_ptr<std::remove_pointer_t<tjhandle>, DestroyJpegHandle>;

}  // namespace sightline::media
