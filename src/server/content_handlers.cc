// Bytes: a document's content, pictures of its pages, previews by digest.
#include <algorithm>
#include <charconv>
#include <functional>

#include "base/digest.h"
#include "base/ulid.h"
#include "server/api.h"
#include "server/byte_range.h"
#include "server/error_response.h"
#include "server/query_value.h"

namespace sightline::server {
namespace {

constexpr uint64_t kPieceBytes = 256 << 10;

// Reads a part of a blob piece by piece.
class BlobSource final : public BodySource {
 public:
  BlobSource(engine::Engine& engine, std::string sha256, const ByteRange& range)
      : engine_(engine), sha256_(std::move(sha256)), at_(range.first), left_(range.size_bytes) {}

  base::Result<std::string> Next() override {
    if (left_ == 0) return std::string();
    const uint64_t wanted = std::min(kPieceBytes, left_);
    SIGHTLINE_ASSIGN_OR_RETURN(
        std::string piece,
        engine_.ReadBlob(sha256_, static_cast<int64_t>(at_), static_cast<int64_t>(wanted)));
    if (piece.empty() || piece.size() > wanted) {
      return base::DataLoss("the blob is shorter than its size: " + sha256_);
    }
    at_ += piece.size();
    left_ -= piece.size();
    return piece;
  }

 private:
  engine::Engine& engine_;
  const std::string sha256_;
  uint64_t at_;
  uint64_t left_;
};

// Gives a part of a drawn page.
class DrawnSource final : public BodySource {
 public:
  DrawnSource(std::shared_ptr<const media::EncodedImage> drawn, const ByteRange& range)
      : drawn_(std::move(drawn)), at_(range.first), left_(range.size_bytes) {}

  base::Result<std::string> Next() override {
    const uint64_t wanted = std::min(kPieceBytes, left_);
    std::string piece = drawn_->bytes.substr(at_, wanted);
    at_ += wanted;
    left_ -= wanted;
    return piece;
  }

 private:
  const std::shared_ptr<const media::EncodedImage> drawn_;  // shared with the engine's cache
  uint64_t at_;
  uint64_t left_;
};

// Bytes that are answered whole, in ranges, or not at all when the client has them.
struct Entity {
  std::string sha256;
  uint64_t size_bytes = 0;
  std::string content_type;
  /// As a browser shall save it; empty: no Content-Disposition.
  std::string file_name;
  std::function<std::unique_ptr<BodySource>(const ByteRange&)> open;
};

// A type that a browser would run scripts from is shown as text.
std::string SafeContentType(const std::string& media_type) {
  if (media_type.empty()) return "application/octet-stream";
  const bool scripted = media_type.find("html") != std::string::npos ||
                        media_type.find("xml") != std::string::npos ||
                        media_type.find("svg") != std::string::npos ||
                        media_type.find("javascript") != std::string::npos;
  if (scripted || media_type.starts_with("text/")) return "text/plain; charset=utf-8";
  return media_type;
}

// RFC 6266: UTF-8 with escapes, and nothing that could end the header.
std::string Disposition(std::string_view file_name) {
  std::string out = "inline; filename*=UTF-8''";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : file_name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_';
    if (plain) {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
  return out;
}

Response RangeNotSatisfiable(uint64_t size_bytes) {
  Response response = ErrorResponse(
      {416, "range_not_satisfiable", "the range begins behind the end of the file", "Range"});
  response.AddHeader("Content-Range", "bytes */" + std::to_string(size_bytes));
  return response;
}

Response AnswerEntity(const Request& request, const Entity& entity) {
  const uint64_t size_bytes = entity.size_bytes;
  const std::string entity_tag = "\"" + entity.sha256 + "\"";
  Response response;
  // The tag is the digest: the bytes behind it never change.
  response.AddHeader("ETag", entity_tag);
  response.AddHeader("Accept-Ranges", "bytes");
  response.AddHeader("Cache-Control", "private, max-age=31536000, immutable");
  if (MatchesEntityTag(request.header("if-none-match"), entity_tag)) {
    response.status = 304;
    return response;
  }
  response.AddHeader("Content-Type", SafeContentType(entity.content_type));
  if (!entity.file_name.empty()) {
    response.AddHeader("Content-Disposition", Disposition(entity.file_name));
  }
  ByteRange range{0, size_bytes};
  const std::string_view if_range = request.header("if-range");
  if (if_range.empty() || if_range == entity_tag) {
    const RangeRequest wanted = ParseRange(request.header("range"), size_bytes);
    if (wanted.kind == RangeRequest::Kind::kUnsatisfiable) return RangeNotSatisfiable(size_bytes);
    if (wanted.kind == RangeRequest::Kind::kPart) {
      range = wanted.range;
      response.status = 206;
      response.AddHeader("Content-Range", "bytes " + std::to_string(range.first) + "-" +
                                              std::to_string(range.first + range.size_bytes - 1) +
                                              "/" + std::to_string(size_bytes));
    }
  }
  response.source_bytes = range.size_bytes;
  response.source = entity.open(range);
  return response;
}

// `entity` with its size and bytes, which are those of the blob.
Response AnswerBlob(const ApiContext& api, const Request& request, Entity entity) {
  const base::Result<int64_t> size = api.engine.BlobSize(entity.sha256);
  if (!size.ok()) return ErrorResponse(size.status());
  entity.size_bytes = static_cast<uint64_t>(*size);
  entity.open = [&engine = api.engine, sha256 = entity.sha256](const ByteRange& range) {
    return std::make_unique<BlobSource>(engine, sha256, range);
  };
  return AnswerEntity(request, entity);
}

base::Result<store::Document> FindDocument(const ApiContext& api, const Request& request) {
  if (!base::Ulid::Parse(request.parameter("id")).ok()) {
    return base::NotFound("there is no document with this id");
  }
  return api.engine.GetDocument(request.parameter("id"));
}

Response DocumentContent(const ApiContext& api, const Request& request) {
  const base::Result<store::Document> document = FindDocument(api, request);
  if (!document.ok()) return ErrorResponse(document.status(), "id");
  Response response = AnswerBlob(api, request,
                                 {.sha256 = document->blob_sha256,
                                  .content_type = document->media_type,
                                  .file_name = document->file_name,
                                  .open = nullptr});
  // A document that was removed must not be shown from a cache: ask each time.
  for (Header& header : response.headers) {
    if (header.name == "Cache-Control") header.value = "private, no-cache";
  }
  return response;
}

// The type of a picture that our own decoder wrote, by its first bytes.
std::string PictureType(std::string_view first_bytes) {
  if (first_bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (first_bytes.starts_with("\x89PNG")) return "image/png";
  if (first_bytes.starts_with("RIFF") && first_bytes.substr(8).starts_with("WEBP")) {
    return "image/webp";
  }
  return "";
}

Response AnswerPicture(const ApiContext& api, const Request& request, const std::string& sha256) {
  const base::Result<std::string> first_bytes = api.engine.ReadBlob(sha256, 0, 12);
  if (!first_bytes.ok()) return ErrorResponse(first_bytes.status());
  const std::string type = PictureType(*first_bytes);
  // Documents have their own address, with their own rights.
  if (type.empty()) return ErrorResponse(base::NotFound("there is no preview with this id"), "id");
  return AnswerBlob(api, request,
                    {.sha256 = sha256, .content_type = type, .file_name = "", .open = nullptr});
}

Response Preview(const ApiContext& api, const Request& request) {
  const std::string& id = request.parameter("id");
  const bool is_digest = id.size() == 64 && std::ranges::all_of(id, [](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                         });
  if (!is_digest) return ErrorResponse(base::NotFound("there is no preview with this id"), "id");
  return AnswerPicture(api, request, id);
}

// The picture of a page that was stored when the document was read.
Response StoredPageImage(const ApiContext& api, const Request& request,
                         const store::Document& document, int page) {
  if (document.kind == media::DocumentKind::kImage && page == 1 &&
      !document.preview_sha256.empty()) {
    return AnswerPicture(api, request, document.preview_sha256);
  }
  store::Catalog::UnitQuery query;
  query.document_id = document.id;
  query.page = page;
  const base::Result<std::vector<store::Unit>> units = api.engine.ListUnits(query);
  if (!units.ok()) return ErrorResponse(units.status());
  for (const store::Unit& unit : *units) {
    if (unit.kind == store::UnitKind::kPage && !unit.preview_sha256.empty()) {
      return AnswerPicture(api, request, unit.preview_sha256);
    }
  }
  return ErrorResponse(base::NotFound("there is no picture of this page"), "page");
}

// The page drawn at the width that is asked for.
Response DrawnPageImage(const ApiContext& api, const Request& request,
                        const engine::PageRequest& page) {
  const auto drawn = api.engine.DrawPage(page, request.cancel);
  if (!drawn.ok()) {
    const bool missing = drawn.status().code() == base::StatusCode::kNotFound;
    return ErrorResponse(drawn.status(), missing ? "page" : "");
  }
  return AnswerEntity(request, {.sha256 = base::Sha256Hex((*drawn)->bytes),
                                .size_bytes = (*drawn)->bytes.size(),
                                .content_type = (*drawn)->media_type,
                                .file_name = "",
                                .open = [&](const ByteRange& range) {
                                  return std::make_unique<DrawnSource>(*drawn, range);
                                }});
}

Response PageImage(const ApiContext& api, const Request& request) {
  const std::string& text = request.parameter("page");
  int page = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), page);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && page >= 1;
  const base::Result<int64_t> width = QueryInteger(
      request, "width",
      {.low = engine::kMinPageWidthPx, .high = engine::kMaxPageWidthPx, .fallback = 0});
  if (!width.ok()) return ErrorResponse(width.status(), "width");
  const base::Result<store::Document> document = FindDocument(api, request);
  if (!document.ok()) return ErrorResponse(document.status(), "id");
  const bool behind_end = document->page_count > 0 && page > document->page_count;
  if (!is_number || behind_end) {
    return ErrorResponse(base::NotFound("there is no such page"), "page");
  }
  if (*width == 0) return StoredPageImage(api, request, *document, page);
  return DrawnPageImage(api, request, {document->id, page, static_cast<int>(*width)});
}

}  // namespace

bool MatchesEntityTag(std::string_view header, std::string_view entity_tag) {
  while (!header.empty()) {
    const size_t comma = header.find(',');
    std::string_view tag = header.substr(0, comma);
    while (tag.starts_with(' ')) tag.remove_prefix(1);
    while (tag.ends_with(' ')) tag.remove_suffix(1);
    if (tag == "*") return true;
    // If-None-Match compares weakly (RFC 9110, 13.1.2).
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == entity_tag) return true;
    header = comma == std::string_view::npos ? std::string_view() : header.substr(comma + 1);
  }
  return false;
}

void AddContentRoutes(const ApiContext& api, Router& router) {
  const auto make = [&](const char* pattern,
                        Response (*handle)(const ApiContext&, const Request&)) {
    Route route;
    route.method = "GET";
    route.pattern = pattern;
    // The writer's own bound ends a client that does not read.
    route.timeout_ms = 0;
    route.handler = [api, handle](const Request& request) { return handle(api, request); };
    return route;
  };
  router.Add(make("/v1/documents/{id}/content", &DocumentContent));
  Route image = make("/v1/documents/{id}/pages/{page}/image", &PageImage);
  image.query = std::vector<QueryName>{{"width"}};
  image.timeout_ms = api.options.limits.request_timeout_ms;
  image.choose_pool = [](const Request& request) {
    return request.query_value("width").has_value() ? HandlerPool::kDraw : HandlerPool::kEngine;
  };
  router.Add(std::move(image));
  router.Add(make("/v1/previews/{id}", &Preview));
}

}  // namespace sightline::server
