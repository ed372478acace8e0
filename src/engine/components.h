// The parts that the configuration chooses, opened and wired.
#pragma once

#include <memory>

#include "base/result.h"
#include "engine/config.h"
#include "ingest/services.h"
#include "media/decoder.h"
#include "model/models.h"
#include "queue/job_queue.h"
#include "retrieve/services.h"
#include "store/blob_store.h"
#include "store/catalog.h"
#include "store/lexical_index.h"
#include "store/vector_store.h"

namespace sightline::engine {

/// Owns every port's adapter. Destroy what uses them first.
struct Components {
  std::unique_ptr<store::Catalog> catalog;
  std::unique_ptr<store::BlobStore> blobs;
  std::unique_ptr<store::VectorStore> vectors;
  std::unique_ptr<store::LexicalIndex> lexical;
  std::unique_ptr<queue::JobQueue> queue;
  std::unique_ptr<media::Decoder> decoder;
  std::shared_ptr<model::Models> models;

  ingest::IngestServices ingest_services() {
    return {*catalog, *blobs, *vectors, *decoder, *models};
  }
  retrieve::SearchServices search_services() {
    return {*catalog, *vectors, *lexical, *decoder, *models};
  }
};

/// Opens the stores in `config.data_dir` (which the caller has locked), collects garbage, and
/// prepares decoder and models; models are opened at their first use.
base::Result<Components> OpenComponents(const Config& config);

/// Where the program's own files are: the registry, converters, completion.
std::string SharePath(std::string_view name);
/// `config.registry`, or the registry that came with the program.
std::string RegistryPath(const Config& config);
/// `config.decoder`, or sightline-decode beside this program.
std::string DecoderPath(const Config& config);
/// `config.cache_dir`, or the XDG cache folder of Sightline.
std::string CachePath(const Config& config);
/// Encoder threads: as configured, else one a core.
int EncoderThreads(const Config& config);

}  // namespace sightline::engine
