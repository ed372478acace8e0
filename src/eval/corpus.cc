#include "eval/corpus.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/ulid.h"
#include "ingest/document_writer.h"
#include "store/compaction.h"
#include "text/language.h"

namespace sightline::eval {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Result;
using base::Status;
using ingest::IngestServices;
using ingest::UnitDraft;

Result<std::string> StoreFile(const std::string& path, store::BlobStore& blobs,
                              std::int64_t& size_bytes) {
  constexpr std::size_t kChunkBytes = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  if (!file) return base::NotFound("cannot open the file: " + path);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, blobs.NewWriter());
  std::string chunk(kChunkBytes, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    SIGHTLINE_RETURN_IF_ERROR(
        writer->Append({chunk.data(), static_cast<std::size_t>(file.gcount())}));
  }
  size_bytes = writer->size_bytes();
  return writer->Commit();
}

/// Every line of a set's document that stands for one passage.
std::vector<UnitDraft> PassageDrafts(const SetDocument& document) {
  std::vector<UnitDraft> drafts;
  for (const std::string& passage : document.passages) {
    UnitDraft draft;
    draft.unit.kind = store::UnitKind::kPassage;
    draft.unit.text = passage;
    draft.unit.language = text::DetectLanguage(passage);
    draft.index_text = true;
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

class Indexer {
 public:
  Indexer(const IngestServices& services, int pool_factor, const CancelToken& cancel)
      : services_(services),
        encoder_(services.models, pool_factor),
        cancel_(cancel),
        ulids_(base::SystemClock(), base::SystemRandom()) {}

  Result<store::Document> Create(const SetDocument& source) {
    store::Document document;
    document.id = ulids_.Next().ToString();
    document.file_name = source.key;
    document.title = source.key;
    document.created_at_ms = base::UnixMillis(base::SystemClock().UtcNow());
    document.updated_at_ms = document.created_at_ms;
    if (source.path.empty()) {
      // The key makes equal pages of two names two documents.
      std::string bytes = source.key;
      for (const std::string& passage : source.passages) bytes += "\n\n" + passage;
      SIGHTLINE_ASSIGN_OR_RETURN(document.blob_sha256, services_.blobs.Put(bytes));
      document.size_bytes = static_cast<std::int64_t>(bytes.size());
    } else {
      SIGHTLINE_ASSIGN_OR_RETURN(document.blob_sha256,
                                 StoreFile(source.path, services_.blobs, document.size_bytes));
    }
    SIGHTLINE_RETURN_IF_ERROR(services_.catalog.CreateDocument(document));
    return document;
  }

  Status AddPassages(const SetDocument& source, const store::Document& document) {
    SIGHTLINE_ASSIGN_OR_RETURN(ingest::EncodedItem item,
                               encoder_.EncodeDrafts(PassageDrafts(source), cancel_));
    ingest::DocumentWriter writer(services_, document);
    writer.document().kind = media::DocumentKind::kText;
    SIGHTLINE_RETURN_IF_ERROR(writer.Add(std::move(item)));
    return writer.Commit().status();
  }

 private:
  const IngestServices services_;
  ingest::ItemEncoder encoder_;
  const CancelToken cancel_;
  base::UlidGenerator ulids_;
};

bool HasMiddleIn(const media::Box& box, const media::Box& mask) {
  const double x = box.x + box.width / 2;
  const double y = box.y + box.height / 2;
  return x >= mask.x && x <= mask.right() && y >= mask.y && y <= mask.bottom();
}

void PaintWhite(const media::Box& mask, double scale, media::Image& image) {
  const auto clamp = [](double value, int limit) {
    return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  const std::size_t left = clamp(std::floor(mask.x * scale), image.width);
  const std::size_t right = clamp(std::ceil(mask.right() * scale), image.width);
  const std::size_t top = clamp(std::floor(mask.y * scale), image.height);
  const std::size_t bottom = clamp(std::ceil(mask.bottom() * scale), image.height);
  for (std::size_t y = top; y < bottom; ++y) {
    const std::size_t row = y * static_cast<std::size_t>(image.width);
    std::fill(image.pixels.begin() + static_cast<std::ptrdiff_t>((row + left) * 3),
              image.pixels.begin() + static_cast<std::ptrdiff_t>((row + right) * 3), 255);
  }
}

Status IndexFiles(const DataSet& set, const IngestServices& services, const CorpusOptions& how,
                  const CorpusProgress& progress, const CancelToken& cancel, Corpus& corpus) {
  const std::vector<Mask>* masks = nullptr;
  ingest::PipelineOptions options;
  options.encode_threads = how.threads;
  options.pool_factor = how.pool_factor;
  options.edit_page = [&masks](media::DecodedPage& page) { ApplyMasks(*masks, page); };
  ingest::Pipeline pipeline(services, options);
  Indexer indexer(services, how.pool_factor, cancel);
  std::size_t done = 0;
  for (const SetDocument& source : set.documents) {
    masks = &source.masks;
    auto document = indexer.Create(source);
    // Two names of one picture: the questions about either are answered by the one that is there.
    if (document.status().code() == base::StatusCode::kAlreadyExists) {
      corpus.failures.push_back(source.key + ": the same bytes as another file of the set");
      continue;
    }
    if (!document.ok()) return document.status();
    const auto ready = pipeline.Run(*document, {}, cancel);
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    if (!ready.ok()) {
      // A fault of this machine would only lower the figures.
      if (!ingest::IsFaultOfTheFile(ready.status().code())) return ready.status();
      corpus.failures.push_back(source.key + ": " + ready.status().message());
    }
    corpus.key_by_document_id[document->id] = source.key;
    if (progress) progress(++done, set.documents.size());
  }
  return OkStatus();
}

Status IndexPassages(const DataSet& set, const IngestServices& services, const CorpusOptions& how,
                     const CorpusProgress& progress, const CancelToken& cancel, Corpus& corpus) {
  Indexer indexer(services, how.pool_factor, cancel);
  base::Mutex mutex;
  Status first_failure;
  std::size_t done = 0;
  base::ThreadPool pool({.name = "eval", .threads = static_cast<std::size_t>(how.threads)});
  for (const SetDocument& source : set.documents) {
    SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document, indexer.Create(source));
    corpus.key_by_document_id[document.id] = source.key;
    SIGHTLINE_RETURN_IF_ERROR(pool.Submit([&, document] {
      const Status status = indexer.AddPassages(source, document);
      const base::MutexLock lock(mutex);
      if (first_failure.ok()) first_failure = status.WithContext(source.key);
      if (progress) progress(++done, set.documents.size());
    }));
  }
  pool.Shutdown();
  return first_failure;
}

}  // namespace

void ApplyMasks(const std::vector<Mask>& masks, media::DecodedPage& page) {
  for (const Mask& mask : masks) {
    if (mask.page != page.page_number) continue;
    for (media::LayoutBlock& block : page.blocks) {
      std::erase_if(block.lines,
                    [&](const media::TextLine& line) { return HasMiddleIn(line.box, mask.box); });
    }
    std::erase_if(page.blocks, [](const media::LayoutBlock& block) {
      return block.lines.empty() && block.kind != media::BlockKind::kFigure;
    });
    PaintWhite(mask.box, page.pixels_per_point, page.render);
  }
}

Result<Corpus> IndexDataSet(const DataSet& set, const IngestServices& services,
                            const CorpusOptions& options, const CorpusProgress& progress,
                            const CancelToken& cancel) {
  Corpus corpus;
  const auto start = base::SystemClock().Now();
  const bool files = !set.documents.empty() && !set.documents.front().path.empty();
  SIGHTLINE_RETURN_IF_ERROR(files
                                ? IndexFiles(set, services, options, progress, cancel, corpus)
                                : IndexPassages(set, services, options, progress, cancel, corpus));
  // Questions come to a collection at rest, as they do on a server.
  SIGHTLINE_RETURN_IF_ERROR(
      store::CompactCollection("default", services.catalog, services.vectors, cancel));
  corpus.seconds = std::chrono::duration<double>(base::SystemClock().Now() - start).count();
  return corpus;
}

}  // namespace sightline::eval
