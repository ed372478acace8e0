#include "engine/page_pictures.h"

#include <utility>

namespace sightline::engine {

using base::CancelToken;
using base::Result;
using base::StatusCode;

Result<PagePictures::Pointer> PagePictures::Get(const PagePictureKey& key,
                                                const CancelToken& cancel) {
  const cache::CacheKey cache_key = cache::CacheKeyBuilder()
                                        .Text("page picture")
                                        .Text(key.blob_sha256)
                                        .Number(key.page_number)
                                        .Number(key.width_px)
                                        .Build();
  if (Pointer found = pictures_.Find(cache_key)) return found;
  return drawings_.Do(cache_key, cancel, [&]() -> Result<Pointer> {
    // It may have been made between the look above and this flight.
    if (Pointer found = pictures_.Find(cache_key)) return found;
    SIGHTLINE_ASSIGN_OR_RETURN(Pointer drawn, Draw(key, cancel));
    pictures_.Insert(cache_key, drawn, drawn->bytes.size());
    return drawn;
  });
}

Result<PagePictures::Pointer> PagePictures::Draw(const PagePictureKey& key,
                                                 const CancelToken& cancel) {
  media::DrawRequest request;
  SIGHTLINE_ASSIGN_OR_RETURN(request.path, blobs_.LocalPath(key.blob_sha256));
  request.page_number = key.page_number;
  request.width_px = key.width_px;
  Result<media::EncodedImage> drawn = decoder_.DrawPage(request, cancel);
  if (drawn.ok()) return std::make_shared<const media::EncodedImage>(*std::move(drawn));
  switch (drawn.status().code()) {
    case StatusCode::kInvalidArgument:
    case StatusCode::kDataLoss:
    case StatusCode::kResourceExhausted:
      return base::NotFound("this page cannot be drawn: " + drawn.status().message());
    default:
      return drawn.status();
  }
}

}  // namespace sightline::engine
