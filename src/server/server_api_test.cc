// The operations of the API against an engine in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/digest.h"
#include "server/fake_engine.h"

namespace sightline::server {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

json::object Body(const io::HttpResponse& response) {
  boost::system::error_code error;
  json::value value = json::parse(response.body, error);
  EXPECT_TRUE(!error && value.is_object()) << response.body;
  return value.is_object() ? value.get_object() : json::object();
}

std::string ErrorMessage(const io::HttpResponse& response) {
  return std::string(Body(response).at("error").at("message").as_string());
}

class ServerApiTest : public testing::Test {
 protected:
  ServedEngine served_;
};

TEST_F(ServerApiTest, AnUploadBecomesADocumentOnce) {
  served_.Start();
  const std::string path = "/v1/documents?filename=" + io::UrlEncode("实验室 手册.pdf") +
                           "&tag=a&tag=" + io::UrlEncode("标签") +
                           "&metadata=" + io::UrlEncode(R"({"year":2026})");
  const io::HttpResponse added = served_.Post(path, "%PDF-1.7 内容");
  EXPECT_EQ(added.status, 202);
  const json::object document = Body(added).at("document").as_object();
  EXPECT_EQ(document.at("filename").as_string(), "实验室 手册.pdf");
  EXPECT_EQ(document.at("tags").as_array().size(), 2U);
  EXPECT_EQ(document.at("metadata").at("year").as_int64(), 2026);
  EXPECT_EQ(document.at("sha256").as_string(), base::Sha256Hex("%PDF-1.7 内容"));
  EXPECT_EQ(document.at("state").as_string(), "queued");
  EXPECT_EQ(document.at("created_at").as_string(), "1970-01-01T00:00:00.000Z");
  EXPECT_TRUE(document.at("page_count").is_null());
  EXPECT_EQ(served_.Post(path, "%PDF-1.7 内容").status, 200);
}

TEST_F(ServerApiTest, ALargeChunkedUploadArrivesWhole) {
  served_.Start();
  std::string sent;
  io::HttpRequest request;
  request.method = "POST";
  request.url = served_.url("/v1/documents?filename=video.mp4");
  request.body_reader = [&](std::span<char> out) -> base::Result<size_t> {
    if (sent.size() > 3'000'000) return size_t{0};
    for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>((sent.size() + i) * 31 >> 3);
    sent.append(out.data(), out.size());
    return out.size();
  };
  const io::HttpResponse response = served_.Send(request);
  EXPECT_EQ(response.status, 202);
  const json::object document = Body(response).at("document").as_object();
  EXPECT_EQ(document.at("sha256").as_string(), base::Sha256Hex(sent));
}

TEST_F(ServerApiTest, BadUploadsAreRefusedWithTheReason) {
  served_.Start();
  EXPECT_THAT(ErrorMessage(served_.Post("/v1/documents", "x")), HasSubstr("filename"));
  EXPECT_THAT(ErrorMessage(served_.Post("/v1/documents?filename=a&metadata=%5B%5D", "x")),
              HasSubstr("metadata"));
  EXPECT_THAT(ErrorMessage(served_.Post("/v1/documents?filename=a&tag=", "x")), HasSubstr("tag"));
  EXPECT_EQ(served_.Post("/v1/documents?filename=a&collection=", "x").status, 400);
}

TEST_F(ServerApiTest, AFailingEngineFailsTheUploadAndDiscardsIt) {
  served_.engine.append_status = base::Unavailable("the store does not answer");
  served_.Start();
  const io::HttpResponse response = served_.Post("/v1/documents?filename=a", "bytes");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(ErrorMessage(response), HasSubstr("does not answer"));
  EXPECT_EQ(served_.engine.discarded_uploads(), 1);
}

// The answer to a request for which the disk had no room.
void ExpectStorageFull(const io::HttpResponse& response) {
  EXPECT_EQ(response.status, 507) << response.body;
  EXPECT_EQ(Body(response).at("error").at("code").as_string(), "storage_full");
  EXPECT_EQ(Body(response).at("error").at("type").as_string(), "storage_full");
  EXPECT_THAT(ErrorMessage(response), HasSubstr("free space"));
  EXPECT_THAT(ErrorMessage(response), Not(HasSubstr("/srv/data")));
  EXPECT_EQ(response.header("retry-after"), "") << "waiting a second does not help";
}

TEST_F(ServerApiTest, AFullDiskIsToldWhileAnUploadArrives) {
  served_.engine.append_status =
      base::StorageFull("cannot write /srv/data/blobs/new/x: No space left on device");
  served_.Start();
  ExpectStorageFull(served_.Post("/v1/documents?filename=a", "bytes"));
  ExpectStorageFull(served_.Post("/v1/documents?filename=b", std::string(3'000'000, 'b')));
  EXPECT_EQ(served_.engine.discarded_uploads(), 2);
}

TEST_F(ServerApiTest, AFullDiskIsToldWhateverIsWritten) {
  const std::string id = served_.engine.AddDocument("旧.pdf", "old", "application/pdf");
  served_.engine.write_status =
      base::StorageFull("the disk is full: database or disk is full (13): /srv/data/catalog");
  served_.Start();
  ExpectStorageFull(served_.Post("/v1/documents?filename=refused", "bytes"));
  ExpectStorageFull(served_.Post("/v1/documents?filename=a", "bytes"));
  ExpectStorageFull(served_.Post("/v1/documents/" + id + "/retry", ""));
  io::HttpRequest removal;
  removal.method = "DELETE";
  removal.url = served_.url("/v1/documents/" + id);
  ExpectStorageFull(served_.Send(removal));
  EXPECT_EQ(served_.Get("/v1/documents/" + id + "/content").body, "old");
}

TEST_F(ServerApiTest, DocumentsAreListedByPageShownAndRemoved) {
  const std::string first = served_.engine.AddDocument("一.pdf", "1", "application/pdf");
  served_.engine.AddDocument("two.pdf", "2", "application/pdf");
  served_.Start();
  const json::object page = Body(served_.Get("/v1/documents?limit=1"));
  EXPECT_EQ(page.at("documents").as_array().size(), 1U);
  const std::string cursor(page.at("next_cursor").as_string());
  const json::object last = Body(served_.Get("/v1/documents?limit=1&cursor=" + cursor));
  EXPECT_EQ(last.at("documents").as_array().at(0).at("filename").as_string(), "two.pdf");
  EXPECT_TRUE(last.at("next_cursor").is_null());
  EXPECT_EQ(served_.Get("/v1/documents?limit=0").status, 400);
  EXPECT_EQ(served_.Get("/v1/documents?limit=1001").status, 400);
  EXPECT_EQ(served_.Get("/v1/documents?state=lost").status, 400);

  EXPECT_EQ(Body(served_.Get("/v1/documents/" + first)).at("filename").as_string(), "一.pdf");
  EXPECT_EQ(served_.Post("/v1/documents/" + first + "/retry", "").status, 409);
  io::HttpRequest removal;
  removal.method = "DELETE";
  removal.url = served_.url("/v1/documents/" + first);
  EXPECT_EQ(served_.Send(removal).status, 204);
  const io::HttpResponse gone = served_.Send(removal);
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(Body(gone).at("error").at("code").as_string(), "not_found");
  EXPECT_EQ(served_.Get("/v1/documents/not-an-id").status, 404);
}

TEST_F(ServerApiTest, UnitsSayWhereTheyAre) {
  const std::string id = served_.engine.AddDocument("a.pdf", "1", "application/pdf");
  store::Unit unit;
  unit.id = 5;
  unit.document_id = id;
  unit.kind = store::UnitKind::kPage;
  unit.text = "离心机";
  unit.locator.page = 4;
  unit.locator.box = {1, 2, 3, 4};
  unit.locator.page_width = 595;
  served_.engine.AddUnit(unit);
  served_.Start();
  const json::object body = Body(served_.Get("/v1/documents/" + id + "/units?page=4"));
  const json::object out = body.at("units").as_array().at(0).as_object();
  EXPECT_EQ(out.at("text").as_string(), "离心机");
  EXPECT_EQ(out.at("locator").at("page").as_int64(), 4);
  EXPECT_EQ(out.at("locator").at("box").at("page_width").as_double(), 595);
  EXPECT_EQ(served_.Get("/v1/documents/" + id + "/units?page=x").status, 400);
}

TEST_F(ServerApiTest, AQuestionReachesTheEngineAndItsHitsComeBack) {
  retrieve::SearchRequest asked;
  served_.engine.on_search = [&](const retrieve::SearchRequest& request, const base::CancelToken&) {
    asked = request;
    retrieve::SearchResponse response;
    retrieve::Hit hit;
    hit.rank = 1;
    hit.document.id = "D";
    hit.unit.kind = store::UnitKind::kShot;
    hit.unit.locator.start_ms = 1000;
    hit.unit.locator.end_ms = 2000;
    hit.snippet = {"转速 3000", {{0, 2}}};
    hit.scores[retrieve::Route::kDense] = {3, 0.5F};
    response.hits.push_back(hit);
    response.timing.push_back({"encode", 12.5});
    return base::Result<retrieve::SearchResponse>(response);
  };
  served_.Start();
  const io::HttpResponse response = served_.Post(
      "/v1/search",
      R"({"query":"离心机 speed","top_k":3,"exact":true,"image":null,"filter":{"must":[{"key":"kind","match":{"value":"page"}}]}})");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(asked.query, "离心机 speed");
  EXPECT_EQ(asked.top_k, 3);
  EXPECT_EQ(asked.mode, store::SearchMode::kExact);
  EXPECT_EQ(asked.filter.must.size(), 1U);
  const json::object hit = Body(response).at("hits").as_array().at(0).as_object();
  EXPECT_EQ(hit.at("locator").at("start_ms").as_int64(), 1000);
  EXPECT_EQ(hit.at("snippet").as_string(), "转速 3000");
  EXPECT_EQ(hit.at("highlights").as_array().at(0).as_array().at(1).as_int64(), 2);
  EXPECT_EQ(hit.at("scores").at("dense").at("rank").as_int64(), 3);
  EXPECT_THAT(std::string(response.header("server-timing")), HasSubstr("encode;dur=12.50, total"));
  EXPECT_THAT(served_.Get("/metrics").body,
              HasSubstr("sightline_search_stage_duration_seconds_count{stage=\"encode\"} 1"));
}

TEST_F(ServerApiTest, APictureReachesTheEngineAsAFileThatIsGoneAfterwards) {
  const std::string picture("\x89PNG\r\n\0图", 10);
  std::string path;
  std::string content;
  served_.engine.on_search = [&](const retrieve::SearchRequest& request, const base::CancelToken&) {
    path = request.image_path;
    std::ifstream file(path, std::ios::binary);
    std::stringstream stream;
    stream << file.rdbuf();
    content = stream.str();
    return base::Result<retrieve::SearchResponse>(retrieve::SearchResponse());
  };
  served_.Start();
  const std::string base64 = "iVBORw0KAOWbvg==";
  EXPECT_EQ(served_.Post("/v1/search", R"({"image":")" + base64 + "\"}").status, 200);
  EXPECT_EQ(content, picture);
  EXPECT_FALSE(std::filesystem::exists(path));
  content.clear();
  const std::string form =
      "--B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\n" +
      picture +
      "\r\n--B\r\nContent-Disposition: form-data; "
      "name=\"options\"\r\n\r\n{\"top_k\":2}\r\n--B--\r\n";
  EXPECT_EQ(served_.Post("/v1/search", form, {{"Content-Type", "multipart/form-data; boundary=B"}})
                .status,
            200);
  EXPECT_EQ(content, picture);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ServerApiTest, BadQuestionsAreRefusedWithTheReason) {
  served_.Start();
  const auto refusal = [&](const std::string& body) {
    const io::HttpResponse response = served_.Post("/v1/search", body);
    EXPECT_EQ(response.status, 400) << body;
    return ErrorMessage(response);
  };
  EXPECT_THAT(refusal(""), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{\"query\":"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{} {}"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not an object"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{}"), HasSubstr("nothing to search for"));
  EXPECT_THAT(refusal(R"({"query":7})"), HasSubstr("query is not a text"));
  EXPECT_THAT(refusal(R"({"query":"图","top-k":1})"), HasSubstr("did you mean \"top_k\"?"));
  EXPECT_THAT(refusal(R"({"query":"图","exact":1})"), HasSubstr("exact is not true or false"));
  EXPECT_THAT(refusal(R"({"query":"图","top_k":0})"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(refusal(R"({"query":"图","top_k":1000000000})"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(refusal(R"({"query":"图","top_k":"5"})"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(refusal(R"({"query":"图","routes":["lexcal"]})"), HasSubstr("\"lexical\""));
  EXPECT_THAT(refusal(R"({"image":"%%%"})"), HasSubstr("image: not base64"));
  EXPECT_THAT(refusal(R"({"query":"图","filter":{"must":[{"key":"colour","match":{"value":1}}]}})"),
              HasSubstr("filter"));
  EXPECT_THAT(refusal(R"({"query":")" + std::string(8193, 'q') + "\"}"), HasSubstr("8.0 KiB"));
  EXPECT_EQ(served_.Post("/v1/search", R"({"query":")" + std::string(8192, 'q') + "\"}").status,
            200);
}

TEST_F(ServerApiTest, ContentComesWholeInRangesOrNotAtAll) {
  const std::string bytes = "0123456789";
  const std::string id = served_.engine.AddDocument("视 \"频\".mp4", bytes, "video/mp4");
  served_.Start();
  const std::string path = "/v1/documents/" + id + "/content";
  const io::HttpResponse whole = served_.Get(path);
  EXPECT_EQ(whole.body, bytes);
  EXPECT_EQ(whole.header("content-type"), "video/mp4");
  EXPECT_EQ(whole.header("accept-ranges"), "bytes");
  EXPECT_EQ(whole.header("content-disposition"),
            "inline; filename*=UTF-8''%E8%A7%86%20%22%E9%A2%91%22.mp4");
  const std::string tag(whole.header("etag"));
  EXPECT_EQ(tag, "\"" + base::Sha256Hex(bytes) + "\"");

  const io::HttpResponse part = served_.Get(path, {{"Range", "bytes=2-4"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "234");
  EXPECT_EQ(part.header("content-range"), "bytes 2-4/10");
  EXPECT_EQ(served_.Get(path, {{"Range", "bytes=-3"}}).body, "789");
  const io::HttpResponse behind = served_.Get(path, {{"Range", "bytes=10-"}});
  EXPECT_EQ(behind.status, 416);
  EXPECT_EQ(behind.header("content-range"), "bytes */10");
  EXPECT_EQ(served_.Get(path, {{"Range", "bytes=5-2"}}).status, 200);

  EXPECT_EQ(served_.Get(path, {{"If-None-Match", "\"x\", W/" + tag}}).status, 304);
  EXPECT_EQ(served_.Get(path, {{"Range", "bytes=2-4"}, {"If-Range", tag}}).status, 206);
  EXPECT_EQ(served_.Get(path, {{"Range", "bytes=2-4"}, {"If-Range", "\"old\""}}).status, 200);

  io::HttpRequest head;
  head.method = "HEAD";
  head.url = served_.url(path);
  const io::HttpResponse headers = served_.Send(head);
  EXPECT_EQ(headers.header("content-length"), "10");
  EXPECT_EQ(headers.body, "");
}

TEST_F(ServerApiTest, LargeContentStreams) {
  std::string bytes(2'000'001, 'x');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 >> 4);
  const std::string id = served_.engine.AddDocument("a.bin", bytes, "");
  served_.Start();
  EXPECT_EQ(served_.Get("/v1/documents/" + id + "/content").body, bytes);
}

TEST_F(ServerApiTest, WhatABrowserWouldRunIsShownAsText) {
  served_.Start();
  for (const char* type :
       {"text/html", "image/svg+xml", "application/xhtml+xml", "text/plain", "text/javascript"}) {
    const std::string id = served_.engine.AddDocument("a", std::string("<script>") + type, type);
    const io::HttpResponse response = served_.Get("/v1/documents/" + id + "/content");
    EXPECT_EQ(response.header("content-type"), "text/plain; charset=utf-8") << type;
    EXPECT_EQ(response.header("x-content-type-options"), "nosniff");
  }
}

TEST_F(ServerApiTest, PreviewsArePicturesOnly) {
  const std::string jpeg = "\xFF\xD8\xFF\xE0 picture";
  const std::string digest = served_.engine.AddBlob(jpeg);
  const std::string secret = served_.engine.AddBlob("%PDF a document");
  const std::string id = served_.engine.AddDocument("a.pdf", "1", "application/pdf");
  store::Unit page;
  page.document_id = id;
  page.kind = store::UnitKind::kPage;
  page.locator.page = 2;
  page.preview_sha256 = digest;
  served_.engine.AddUnit(page);
  served_.Start();
  const io::HttpResponse preview = served_.Get("/v1/previews/" + digest);
  EXPECT_EQ(preview.body, jpeg);
  EXPECT_EQ(preview.header("content-type"), "image/jpeg");
  EXPECT_THAT(std::string(preview.header("cache-control")), HasSubstr("immutable"));
  EXPECT_EQ(served_.Get("/v1/documents/" + id + "/pages/2/image").body, jpeg);
  for (const std::string& missing :
       {"/v1/previews/" + secret, std::string("/v1/previews/xyz"),
        "/v1/documents/" + id + "/pages/3/image", "/v1/documents/" + id + "/pages/0/image",
        "/v1/documents/" + id + "/pages/zwei/image"}) {
    EXPECT_EQ(served_.Get(missing).status, 404) << missing;
  }
}

TEST_F(ServerApiTest, APageIsDrawnAtTheWidthThatIsAskedFor) {
  const std::string id = served_.engine.AddDocument("手册.pdf", "%PDF", "application/pdf");
  const std::string stored = "\xFF\xD8\xFF\xE0 stored";
  store::Unit unit;
  unit.document_id = id;
  unit.kind = store::UnitKind::kPage;
  unit.locator.page = 2;
  unit.preview_sha256 = served_.engine.AddBlob(stored);
  served_.engine.AddUnit(unit);
  std::vector<engine::PageRequest> asked;
  served_.engine.on_draw =
      [&](const engine::PageRequest& request) -> base::Result<media::EncodedImage> {
    if (request.page_number > 2) return base::NotFound("the PDF has no page 3");
    asked.push_back(request);
    return media::EncodedImage{"image/webp", std::string(300'000, 'w'), request.width_px, 9};
  };
  served_.Start();
  const std::string path = "/v1/documents/" + id + "/pages/2/image";
  const io::HttpResponse drawn = served_.Get(path + "?width=1800");
  ASSERT_EQ(drawn.status, 200) << drawn.body;
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].document_id, id);
  EXPECT_EQ(asked[0].page_number, 2);
  EXPECT_EQ(asked[0].width_px, 1800);
  EXPECT_EQ(drawn.header("content-type"), "image/webp");
  EXPECT_EQ(drawn.body, std::string(300'000, 'w'));
  const std::string tag(drawn.header("etag"));
  EXPECT_EQ(tag, "\"" + base::Sha256Hex(drawn.body) + "\"");
  EXPECT_EQ(served_.Get(path + "?width=1800", {{"If-None-Match", tag}}).status, 304);
  const io::HttpResponse part = served_.Get(path + "?width=1800", {{"Range", "bytes=299990-"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, std::string(10, 'w'));

  EXPECT_EQ(served_.Get(path).body, stored) << "without a width: what is stored";
  const io::HttpResponse missing = served_.Get("/v1/documents/" + id + "/pages/3/image?width=800");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(Body(missing).at("error").at("param").as_string(), "page");
}

TEST_F(ServerApiTest, WidthsOfPagesAreBounded) {
  const std::string id = served_.engine.AddDocument("a.pdf", "%PDF", "application/pdf");
  served_.engine.on_draw = [](const engine::PageRequest& request) {
    return base::Result<media::EncodedImage>(
        media::EncodedImage{"image/webp", "picture", request.width_px, 9});
  };
  served_.Start();
  const std::string path = "/v1/documents/" + id + "/pages/1/image?width=";
  for (const char* width : {"200", "3000"}) EXPECT_EQ(served_.Get(path + width).status, 200);
  for (const char* width : {"199", "3001", "-800", "800px", "8e2", "", "99999999999999999999"}) {
    const io::HttpResponse response = served_.Get(path + width);
    EXPECT_EQ(response.status, 400) << width;
    EXPECT_THAT(ErrorMessage(response), HasSubstr("from 200 to 3000"));
    EXPECT_EQ(Body(response).at("error").at("param").as_string(), "width");
  }
}

TEST_F(ServerApiTest, ParametersWithoutEffectAreRefused) {
  const std::string id = served_.engine.AddDocument("a.pdf", "%PDF", "application/pdf");
  served_.Start();
  const auto refusal = [&](const io::HttpResponse& response) {
    EXPECT_EQ(response.status, 400) << response.body;
    return ErrorMessage(response);
  };
  EXPECT_THAT(refusal(served_.Post("/v1/documents?filename=a&replace=true", "x")),
              HasSubstr("unknown parameter \"replace\""));
  EXPECT_THAT(refusal(served_.Post("/v1/documents?filename=a&tags=b", "x")),
              HasSubstr("did you mean \"tag\"?"));
  EXPECT_THAT(refusal(served_.Get("/v1/documents?limit=1&limit=2")), HasSubstr("limit is given"));
  EXPECT_THAT(refusal(served_.Get("/v1/documents?kind=picture")), HasSubstr("kind is none of"));
  EXPECT_THAT(refusal(served_.Get("/v1/documents/" + id + "/units?pages=2")),
              HasSubstr("did you mean \"page\"?"));
  EXPECT_THAT(refusal(served_.Get("/v1/documents/" + id + "/pages/1/image?wdith=800")),
              HasSubstr("did you mean \"width\"?"));
  EXPECT_THAT(refusal(served_.Get("/v1/system?verbose=1")), HasSubstr("\"verbose\""));
  EXPECT_THAT(refusal(served_.Post("/v1/search?explain=1", R"({"query":"图"})")),
              HasSubstr("\"explain\""));
  EXPECT_THAT(refusal(served_.Post("/v1/search", R"({"query":"图","explain":true})")),
              HasSubstr("unknown field \"explain\""));
  EXPECT_EQ(served_.Post("/v1/documents?filename=a&tag=x&tag=y", "x").status, 202);
}

TEST_F(ServerApiTest, FormsWithPartsWithoutEffectAreRefused) {
  served_.Start();
  const auto refusal = [&](const std::string& fields) {
    const io::HttpResponse response = served_.Post(
        "/v1/search", fields + "--B--\r\n", {{"Content-Type", "multipart/form-data; boundary=B"}});
    EXPECT_EQ(response.status, 400) << response.body;
    return ErrorMessage(response);
  };
  const auto field = [](const std::string& name, const std::string& value) {
    return "--B\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  };
  EXPECT_THAT(refusal(field("query", "图") + field("top_k", "3")),
              HasSubstr("unknown part of the form \"top_k\""));
  EXPECT_THAT(refusal(field("query", "图") + field("option", "{}")),
              HasSubstr("did you mean \"options\"?"));
  EXPECT_THAT(refusal(field("query", "图") + field("options", R"({"query":"other"})")),
              HasSubstr("query is given twice"));
}

TEST_F(ServerApiTest, UnitsCanBeReadPageByPage) {
  const std::string id = served_.engine.AddDocument("a.pdf", "1", "application/pdf");
  for (int i = 1; i <= 5; ++i) {
    store::Unit unit;
    unit.id = i;
    unit.document_id = id;
    served_.engine.AddUnit(unit);
  }
  served_.Start();
  std::string seen;
  std::string cursor;
  for (int i = 0; i < 3; ++i) {
    const json::object page = Body(served_.Get("/v1/documents/" + id + "/units?limit=2" + cursor));
    for (const json::value& unit : page.at("units").as_array()) {
      seen += std::string(unit.at("id").as_string());
    }
    seen += '.';
    if (page.at("next_cursor").is_null()) break;
    cursor = "&cursor=" + std::string(page.at("next_cursor").as_string());
  }
  EXPECT_EQ(seen, "12.34.5.");
  for (const char* wrong : {"limit=0", "limit=10001", "cursor=x", "cursor=-1"}) {
    EXPECT_EQ(served_.Get("/v1/documents/" + id + "/units?" + wrong).status, 400) << wrong;
  }
}

TEST_F(ServerApiTest, TheSystemSaysWhatItIs) {
  served_.Start();
  EXPECT_EQ(Body(served_.Get("/health/live")).at("status").as_string(), "ok");
  EXPECT_EQ(served_.Get("/health/ready").status, 200);
  EXPECT_EQ(Body(served_.Get("/v1/system")).at("units").as_int64(), 77);
  const json::object model =
      Body(served_.Get("/v1/models")).at("models").as_array().at(0).as_object();
  EXPECT_EQ(model.at("licence").as_string(), "MIT");
  EXPECT_TRUE(model.at("source").is_null());
  EXPECT_THAT(served_.Get("/metrics").body, HasSubstr("sightline_units 77"));
  EXPECT_EQ(served_.engine.announced_url(), served_.server->url());
}

}  // namespace
}  // namespace sightline::server
