#include "store/sqlite_database.h"

#include <sqlite3.h>

#include <cerrno>
#include <limits>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "store/fts5_extension.h"
#include "store/text_lengths.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

constexpr std::size_t kMaxIdleReaders = 8;
constexpr std::size_t kMaxCachedStatements = 128;
/// The log is copied into the database when it has so many pages (SQLite's own default).
constexpr int kMaxLogPages = 1'000;
constexpr int kBusyTimeoutMs = 10'000;

/// What a person can do about a failure, or nothing.
std::string Advice(int primary) {
  switch (primary) {
    case SQLITE_FULL:
      return "the disk is full: free space on the disk of the data folder";
    case SQLITE_IOERR:
      return "the catalog cannot be read or written: check the disk, then start again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "the catalog is damaged: restore the data folder from a backup";
    case SQLITE_CANTOPEN:
      return "the catalog cannot be opened: check that the folder exists and its rights";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "the catalog cannot be written: check the rights of the data folder";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "the catalog is held by another program: end it, then try again";
    default:
      return "the catalog failed";
  }
}

/// SQLite itself tells only ENOSPC of a database file: a used up quota, and no room for the file
/// that readers share, are I/O errors to it. A failed fsync stays one.
bool WasRefusedSpace(int code, int error_number) {
  if (code == SQLITE_IOERR_SHMSIZE) return true;
  const bool writes = code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMMAP;
  return writes && (error_number == ENOSPC || error_number == EDQUOT);
}

StatusCode CodeOf(int primary) {
  switch (primary) {
    case SQLITE_FULL:
      return StatusCode::kStorageFull;
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return StatusCode::kResourceExhausted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return StatusCode::kDataLoss;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return StatusCode::kPermissionDenied;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StatusCode::kUnavailable;
    case SQLITE_CONSTRAINT:
      return StatusCode::kFailedPrecondition;
    default:
      return StatusCode::kIo;
  }
}

}  // namespace

std::string CleanText(std::string_view text) { return base::SanitizeUtf8(text); }

// ---- statement

SqliteStatement::SqliteStatement(SqliteConnection& connection, sqlite3_stmt* statement,
                                 bool* in_use)
    : connection_(&connection), statement_(statement), in_use_(in_use) {
  if (in_use_ != nullptr) *in_use_ = true;
}

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)),
      in_use_(other.in_use_),
      failure_(std::move(other.failure_)) {}

SqliteStatement::~SqliteStatement() {
  if (statement_ == nullptr) return;
  if (in_use_ == nullptr) {
    sqlite3_finalize(statement_);
    return;
  }
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  *in_use_ = false;
}

void SqliteStatement::Check(int code) {
  if (code != SQLITE_OK && failure_.ok()) failure_ = connection_->Failure(code);
}

void SqliteStatement::BindInt(int parameter, std::int64_t value) {
  Check(sqlite3_bind_int64(statement_, parameter, value));
}

void SqliteStatement::BindDouble(int parameter, double value) {
  Check(sqlite3_bind_double(statement_, parameter, value));
}

void SqliteStatement::BindText(int parameter, std::string_view text) {
  if (text.find('\0') != std::string_view::npos || !base::IsValidUtf8(text)) {
    if (failure_.ok()) failure_ = base::InvalidArgument("text must be UTF-8 without NUL");
    return;
  }
  // An empty view may have no address, which would bind NULL.
  const char* data = text.empty() ? "" : text.data();
  Check(
      sqlite3_bind_text64(statement_, parameter, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void SqliteStatement::BindNull(int parameter) { Check(sqlite3_bind_null(statement_, parameter)); }

void SqliteStatement::BindPointer(int parameter, const void* pointer, const char* type) {
  // SQLite only hands it through; who asks for it gets it back as const.
  Check(sqlite3_bind_pointer(statement_, parameter, const_cast<void*>(pointer), type, nullptr));
}

Result<bool> SqliteStatement::Step() {
  if (!failure_.ok()) return failure_;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  failure_ = connection_->Failure(code);
  return failure_;
}

Status SqliteStatement::Run() {
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, Step());
    if (!row) break;
  }
  Reset();
  return OkStatus();
}

void SqliteStatement::Reset() { sqlite3_reset(statement_); }

std::int64_t SqliteStatement::Int(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double SqliteStatement::Double(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string_view SqliteStatement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

// ---- connection

struct SqliteConnection::Cache {
  struct Entry {
    sqlite3_stmt* statement = nullptr;
    bool in_use = false;
  };
  std::map<std::string, Entry, std::less<>> entries;  // Node addresses are stable.
};

SqliteConnection::SqliteConnection(sqlite3* database, std::string path)
    : database_(database), path_(std::move(path)), cache_(std::make_unique<Cache>()) {}

SqliteConnection::~SqliteConnection() {
  for (auto& [sql, entry] : cache_->entries) sqlite3_finalize(entry.statement);
  sqlite3_close(database_);
}

Status SqliteConnection::Failure(int code) {
  int primary = code & 0xFF;
  if (WasRefusedSpace(code, sqlite3_system_errno(database_))) primary = SQLITE_FULL;
  if (primary == SQLITE_IOERR || primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) {
    StopWriting();
  }
  return {CodeOf(primary), Advice(primary) + ": " + sqlite3_errmsg(database_) + " (" +
                               std::to_string(sqlite3_extended_errcode(database_)) + "): " + path_};
}

void SqliteConnection::CheckpointByItself() {
  // Without this SQLite checkpoints inside COMMIT and keeps quiet about what failed there.
  const auto note_size = [](void* connection, sqlite3*, const char*, int pages) {
    static_cast<SqliteConnection*>(connection)->log_pages_ = pages;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(database_, note_size, this);
}

Status SqliteConnection::CheckpointIfLarge() {
  if (log_pages_ < kMaxLogPages) return OkStatus();
  log_pages_ = 0;
  const int code =
      sqlite3_wal_checkpoint_v2(database_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return code == SQLITE_OK ? OkStatus() : Failure(code);
}

void SqliteConnection::StopWriting() {
  must_stop_writing_ = true;
  // Closing would sync the log again and copy it into the database; the next start does.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::Open(const std::string& path, Role role,
                                                                 TextLengths& lengths) {
  sqlite3* database = nullptr;
  const int flags =
      SQLITE_OPEN_NOMUTEX |
      (role == Role::kWriter ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
  const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  if (database == nullptr) return base::ResourceExhausted("no memory to open the catalog: " + path);
  std::unique_ptr<SqliteConnection> connection(new SqliteConnection(database, path));
  if (code != SQLITE_OK) return connection->Failure(code);
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, kBusyTimeoutMs);
  const int registered = RegisterFts5(database, lengths);
  if (registered != SQLITE_OK) return connection->Failure(registered);
  if (role == Role::kReader) {
    // Only the writer checkpoints: several checkpointers at once meet the WAL-reset bug of 3.40.
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    SIGHTLINE_RETURN_IF_ERROR(
        connection->Script("PRAGMA query_only=ON; PRAGMA temp_store=MEMORY; "
                           "PRAGMA cache_size=-16384;"));
    return connection;
  }
  SIGHTLINE_RETURN_IF_ERROR(
      connection->Script("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                         "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; "
                         "PRAGMA cache_size=-32768; PRAGMA journal_size_limit=67108864;"));
  connection->CheckpointByItself();
  return connection;
}

Result<SqliteStatement> SqliteConnection::Prepare(std::string_view sql) {
  auto found = cache_->entries.find(sql);
  if (found == cache_->entries.end()) {
    if (cache_->entries.size() >= kMaxCachedStatements) return PrepareOnce(sql);
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return Failure(code);
    found = cache_->entries.emplace(std::string(sql), Cache::Entry{statement, false}).first;
  }
  if (found->second.in_use) return PrepareOnce(sql);
  return SqliteStatement(*this, found->second.statement, &found->second.in_use);
}

Result<SqliteStatement> SqliteConnection::PrepareOnce(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sql.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return base::InvalidArgument("the statement is too long");
  }
  const int code =
      sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return Failure(code);
  return SqliteStatement(*this, statement, nullptr);
}

Status SqliteConnection::Script(const std::string& sql) {
  const int code = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? OkStatus() : Failure(code);
}

std::int64_t SqliteConnection::changes() const { return sqlite3_changes64(database_); }

std::int64_t SqliteConnection::last_insert_id() const {
  return sqlite3_last_insert_rowid(database_);
}

// ---- database

SqliteDatabase::SqliteDatabase(std::string path, std::unique_ptr<TextLengths> lengths,
                               std::unique_ptr<SqliteConnection> writer)
    : path_(std::move(path)), lengths_(std::move(lengths)), writer_(std::move(writer)) {}

SqliteDatabase::~SqliteDatabase() {
  {
    // Readers go first: the last connection of all, which checkpoints, must be the writer.
    const base::MutexLock lock(readers_mutex_);
    idle_readers_.clear();
  }
  writer_.reset();
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(const std::string& path) {
  auto lengths = std::make_unique<TextLengths>();
  SIGHTLINE_ASSIGN_OR_RETURN(
      auto writer, SqliteConnection::Open(path, SqliteConnection::Role::kWriter, *lengths));
  return std::unique_ptr<SqliteDatabase>(
      new SqliteDatabase(path, std::move(lengths), std::move(writer)));
}

Status SqliteDatabase::Write(const Work& work) {
  const base::MutexLock lock(write_mutex_);
  if (!stopped_.ok()) return stopped_;
  Status status = writer_->Run("BEGIN IMMEDIATE");
  if (status.ok()) status = work(*writer_);
  if (status.ok()) status = writer_->Run("COMMIT");
  // What is committed is durable in the log. A checkpoint that failed matters to what comes next.
  const Status copied = status.ok() ? writer_->CheckpointIfLarge() : OkStatus();
  if (!status.ok() && sqlite3_get_autocommit(writer_->database_) == 0) {
    const Status undone = writer_->Run("ROLLBACK");
    if (!undone.ok()) writer_->StopWriting();
  }
  if (writer_->must_stop_writing_) {
    const Status& failure = status.ok() ? copied : status;
    stopped_ = Status(failure.ok() ? StatusCode::kIo : failure.code(),
                      "writing has stopped after an error: " + failure.message());
  }
  return status;
}

Status SqliteDatabase::Read(const Work& work) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto reader, TakeReader());
  SIGHTLINE_RETURN_IF_ERROR(reader->Run("BEGIN"));
  Status status = work(*reader);
  const Status ended = reader->Run("COMMIT");
  // A connection that cannot end its transaction is closed instead of being used again.
  if (ended.ok()) ReturnReader(std::move(reader));
  return status;
}

Status SqliteDatabase::write_status() const {
  const base::MutexLock lock(write_mutex_);
  return stopped_;
}

Result<std::unique_ptr<SqliteConnection>> SqliteDatabase::TakeReader() {
  {
    const base::MutexLock lock(readers_mutex_);
    if (!idle_readers_.empty()) {
      auto reader = std::move(idle_readers_.back());
      idle_readers_.pop_back();
      return reader;
    }
  }
  return SqliteConnection::Open(path_, SqliteConnection::Role::kReader, *lengths_);
}

void SqliteDatabase::ReturnReader(std::unique_ptr<SqliteConnection> reader) {
  const base::MutexLock lock(readers_mutex_);
  if (idle_readers_.size() < kMaxIdleReaders) idle_readers_.push_back(std::move(reader));
}

}  // namespace sightline::store
