#include "store/fts5_extension.h"

#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "store/text_lengths.h"

namespace sightline::store {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

// ---- tokenizer

using TokenCallback = int (*)(void*, int, const char*, int, int, int);

int CreateTokenizer(void*, const char**, int, Fts5Tokenizer** tokenizer) {
  // It has no state, but FTS5 wants an address of its own.
  static char place = 0;
  *tokenizer = reinterpret_cast<Fts5Tokenizer*>(&place);
  return SQLITE_OK;
}

void DeleteTokenizer(Fts5Tokenizer*) {}

int Tokenize(Fts5Tokenizer*, void* context, int, const char* text, int size, TokenCallback emit) {
  if (text == nullptr || size <= 0) return SQLITE_OK;
  const std::string_view all(text, static_cast<std::size_t>(size));
  std::size_t at = 0;
  while (at < all.size()) {
    const std::size_t end = std::min(all.find(' ', at), all.size());
    if (end > at) {
      const int code = emit(context, 0, text + at, static_cast<int>(end - at), static_cast<int>(at),
                            static_cast<int>(end));
      if (code != SQLITE_OK) return code;
    }
    at = end + 1;
  }
  return SQLITE_OK;
}

// ---- BM25

/// What stays the same for all rows of one query.
struct QueryStatistics {
  std::vector<double> idf;  // One a phrase.
  double idf_sum = 0;
  double mean_length = 1;
};

int CountRow(const Fts5ExtensionApi*, Fts5Context*, void* rows) {
  ++*static_cast<sqlite3_int64*>(rows);
  return SQLITE_OK;
}

int Gather(const Fts5ExtensionApi* api, Fts5Context* context, QueryStatistics& statistics) {
  sqlite3_int64 rows = 0;
  sqlite3_int64 tokens = 0;
  int code = api->xRowCount(context, &rows);
  if (code == SQLITE_OK) code = api->xColumnTotalSize(context, -1, &tokens);
  if (code != SQLITE_OK) return code;
  if (rows > 0 && tokens > 0) {
    statistics.mean_length = static_cast<double>(tokens) / static_cast<double>(rows);
  }
  const int phrases = api->xPhraseCount(context);
  for (int phrase = 0; phrase < phrases; ++phrase) {
    sqlite3_int64 with = 0;
    code = api->xQueryPhrase(context, phrase, &with, CountRow);
    if (code != SQLITE_OK) return code;
    const auto n = static_cast<double>(with);
    statistics.idf.push_back(std::log1p((static_cast<double>(rows) - n + 0.5) / (n + 0.5)));
    statistics.idf_sum += statistics.idf.back();
  }
  return SQLITE_OK;
}

void DeleteStatistics(void* statistics) {
  // FTS5 owns what xSetAuxdata was given and hands it back here.
  const std::unique_ptr<QueryStatistics> owned(static_cast<QueryStatistics*>(statistics));
}

int StatisticsOf(const Fts5ExtensionApi* api, Fts5Context* context, QueryStatistics** out) {
  *out = static_cast<QueryStatistics*>(api->xGetAuxdata(context, 0));
  if (*out != nullptr) return SQLITE_OK;
  auto fresh = std::make_unique<QueryStatistics>();
  const int code = Gather(api, context, *fresh);
  if (code != SQLITE_OK) return code;
  *out = fresh.get();
  return api->xSetAuxdata(context, fresh.release(), DeleteStatistics);
}

int LengthOf(const Fts5ExtensionApi* api, Fts5Context* context, int* length) {
  auto& lengths = *static_cast<TextLengths*>(api->xUserData(context));
  const sqlite3_int64 id = api->xRowid(context);
  *length = lengths.Find(id);
  if (*length >= 0) return SQLITE_OK;
  const int code = api->xColumnSize(context, -1, length);
  if (code == SQLITE_OK) lengths.Remember(id, *length);
  return code;
}

int ScoreRow(const Fts5ExtensionApi* api, Fts5Context* context, double* score, double* bound) {
  QueryStatistics* statistics = nullptr;
  int code = StatisticsOf(api, context, &statistics);
  int length = 0;
  if (code == SQLITE_OK) code = LengthOf(api, context, &length);
  if (code != SQLITE_OK) return code;
  const double norm = kK1 * (1 - kB + kB * length / statistics->mean_length);
  *score = 0;
  *bound = statistics->idf_sum * (kK1 + 1);
  for (std::size_t phrase = 0; phrase < statistics->idf.size(); ++phrase) {
    Fts5PhraseIter iterator{};
    int column = 0;
    int offset = 0;
    double count = 0;
    code = api->xPhraseFirst(context, static_cast<int>(phrase), &iterator, &column, &offset);
    if (code != SQLITE_OK) return code;
    for (; column >= 0; api->xPhraseNext(context, &iterator, &column, &offset)) ++count;
    if (count > 0) *score += statistics->idf[phrase] * count * (kK1 + 1) / (count + norm);
  }
  return SQLITE_OK;
}

void Bm25(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result,
          int argument_count, sqlite3_value** arguments) {
  if (argument_count != 1) {
    sqlite3_result_error(result, "sightline_bm25 takes the table and a call", -1);
    return;
  }
  auto* call = static_cast<Bm25Call*>(sqlite3_value_pointer(arguments[0], kBm25CallPointer));
  if (call == nullptr) {
    sqlite3_result_error(result, "sightline_bm25 takes the table and a call", -1);
    return;
  }
  if (call->filter != nullptr && !call->filter->Contains(api->xRowid(context))) {
    sqlite3_result_null(result);
    return;
  }
  double score = 0;
  const int code = ScoreRow(api, context, &score, &call->bound);
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(result, code);
    return;
  }
  sqlite3_result_double(result, score);
}

/// The way that the FTS5 documentation gives to its API.
int FindApi(sqlite3* database, fts5_api** api) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nullptr);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_pointer(statement, 1, api, "fts5_api_ptr", nullptr);
  sqlite3_step(statement);
  code = sqlite3_finalize(statement);
  if (code == SQLITE_OK && *api == nullptr) code = SQLITE_ERROR;
  return code;
}

}  // namespace

int RegisterFts5(sqlite3* database, TextLengths& lengths) {
  fts5_api* api = nullptr;
  int code = FindApi(database, &api);
  if (code != SQLITE_OK) return code;
  fts5_tokenizer tokenizer{CreateTokenizer, DeleteTokenizer, Tokenize};
  code = api->xCreateTokenizer(api, "sightline_spaces", nullptr, &tokenizer, nullptr);
  if (code != SQLITE_OK) return code;
  return api->xCreateFunction(api, "sightline_bm25", &lengths, Bm25, nullptr);
}

}  // namespace sightline::store
