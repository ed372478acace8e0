// Pages drawn on request, for people who zoom in, and the ones drawn lately.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "cache/lru_cache.h"
#include "cache/single_flight.h"
#include "media/decoder.h"
#include "store/blob_store.h"

namespace sightline::engine {

/// A page of the document whose bytes are this blob.
struct PagePictureKey {
  std::string blob_sha256;
  int page_number = 1;
  int width_px = 0;
};

/// Thread-safe. Draws in the sandbox; what was drawn lately is kept in memory, and several who ask
/// for the same at once wait for one drawing.
class PagePictures {
 public:
  using Pointer = std::shared_ptr<const media::EncodedImage>;  // shared with the cache

  /// Keeps at most `capacity_bytes` of pictures. The ports must live longer.
  PagePictures(store::BlobStore& blobs, media::Decoder& decoder, std::uint64_t capacity_bytes)
      : blobs_(blobs), decoder_(decoder), pictures_(capacity_bytes) {}

  /// See `media::Decoder::DrawPage`. A page that cannot be drawn, whatever is wrong with the
  /// document, is `kNotFound` with the reason.
  base::Result<Pointer> Get(const PagePictureKey& key, const base::CancelToken& cancel);

 private:
  base::Result<Pointer> Draw(const PagePictureKey& key, const base::CancelToken& cancel);

  store::BlobStore& blobs_;
  media::Decoder& decoder_;
  cache::LruCache<media::EncodedImage> pictures_;
  cache::SingleFlight<Pointer> drawings_;
};

}  // namespace sightline::engine
