// What the pipeline works with.
#pragma once

#include "media/decoder.h"
#include "model/models.h"
#include "store/blob_store.h"
#include "store/catalog.h"
#include "store/vector_store.h"

namespace sightline::ingest {

/// Not owned; every one must live longer than the pipeline.
struct IngestServices {
  store::Catalog& catalog;
  store::BlobStore& blobs;
  store::VectorStore& vectors;
  media::Decoder& decoder;
  model::Models& models;
};

}  // namespace sightline::ingest
