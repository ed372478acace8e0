// One SQLite database: a single writer connection and a pool of readers.
//
// This header is what lies between the files that speak SQL (catalog, text index, job queue) and
// SQLite; sqlite3.h stays out of it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sightline::store {

class SqliteConnection;
class TextLengths;

/// A prepared statement in use; gives itself back when destroyed. Parameters and columns count from
/// 1 and 0 as in SQLite. The first failure of a Bind is kept and returned by `Step`.
class SqliteStatement {
 public:
  SqliteStatement(SqliteConnection& connection, sqlite3_stmt* statement, bool* in_use);
  SqliteStatement(SqliteStatement&& other) noexcept;
  SqliteStatement& operator=(SqliteStatement&&) = delete;
  ~SqliteStatement();

  /// Binds an integer.
  void BindInt(int parameter, std::int64_t value);
  /// Binds a real number.
  void BindDouble(int parameter, double value);
  /// Copies; the text must be valid UTF-8 without NUL (`CleanText`), otherwise kInvalidArgument.
  void BindText(int parameter, std::string_view text);
  void BindNull(int parameter);
  /// For functions that ask for a pointer of this `type`; a null pointer is SQL NULL.
  void BindPointer(int parameter, const void* pointer, const char* type);

  /// Binds the arguments to the parameters from 1: integers, doubles, text.
  template <typename... Args>
  SqliteStatement& Bind(const Args&... args) {
    int parameter = 0;
    (BindOne(++parameter, args), ...);
    return *this;
  }

  /// Goes to the next row; false when there is none.
  base::Result<bool> Step();
  /// Runs to the end, dropping rows; ready to be bound again.
  base::Status Run();
  /// Ready to be bound and stepped again.
  void Reset();

  /// A column of the current row; 0 for NULL.
  std::int64_t Int(int column) const;
  /// A column of the current row; 0 for NULL.
  double Double(int column) const;
  /// Valid until the next Step, Reset or the end of the statement.
  std::string_view Text(int column) const;
  bool IsNull(int column) const;

 private:
  template <typename T>
  void BindOne(int parameter, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      BindInt(parameter, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      BindDouble(parameter, value);
    } else {
      BindText(parameter, value);
    }
  }
  void Check(int code);

  SqliteConnection* connection_;
  sqlite3_stmt* statement_;
  bool* in_use_;  // Of the cache entry; null when the statement is not cached.
  base::Status failure_;
};

/// One connection with its cache of prepared statements. Used by one thread at a time.
class SqliteConnection {
 public:
  ~SqliteConnection();
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  /// Prepares one statement and keeps it for the next time the same text is asked for.
  base::Result<SqliteStatement> Prepare(std::string_view sql);
  /// Prepares a statement whose text is not asked for again.
  base::Result<SqliteStatement> PrepareOnce(std::string_view sql);
  /// Prepares, binds and runs a statement without rows.
  template <typename... Args>
  base::Status Run(std::string_view sql, const Args&... args) {
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
    return statement.Bind(args...).Run();
  }
  /// Runs several statements without parameters.
  base::Status Script(const std::string& sql);
  /// Rows that the last statement changed.
  std::int64_t changes() const;
  std::int64_t last_insert_id() const;

 private:
  friend class SqliteDatabase;
  friend class SqliteStatement;
  struct Cache;
  enum class Role { kWriter, kReader };

  SqliteConnection(sqlite3* database, std::string path);
  static base::Result<std::unique_ptr<SqliteConnection>> Open(const std::string& path, Role role,
                                                              TextLengths& lengths);
  /// The failure of the last call as a Status; remembers whether writing must stop.
  base::Status Failure(int code);
  /// From now on nothing is written on this connection, not even when it is closed.
  void StopWriting();
  /// The writer checkpoints with `CheckpointIfLarge` instead of leaving that to SQLite.
  void CheckpointByItself();
  /// Copies the log into the database once it is large. Readers that are in the way are left for
  /// the next time.
  base::Status CheckpointIfLarge();

  sqlite3* database_;
  const std::string path_;
  std::unique_ptr<Cache> cache_;
  bool must_stop_writing_ = false;
  int log_pages_ = 0;  // After the last commit.
};

/// Thread-safe. WAL with synchronous=FULL: a transaction that committed survives a power cut.
class SqliteDatabase {
 public:
  /// Opens or makes the database file.
  static base::Result<std::unique_ptr<SqliteDatabase>> Open(const std::string& path);
  ~SqliteDatabase();

  /// Work inside a transaction; it is rolled back when the work returns a failure.
  using Work = std::function<base::Status(SqliteConnection&)>;

  /// Runs `work` in the one write transaction of this moment; others wait. After an I/O error or
  /// damage nothing is written any more: every later call returns that failure.
  base::Status Write(const Work& work);
  /// Runs `work` on a reader connection, all of it on one snapshot; never waits for writers.
  base::Status Read(const Work& work);

  /// The database file.
  const std::string& path() const { return path_; }
  /// Ok, or why writing stopped.
  base::Status write_status() const;

 private:
  SqliteDatabase(std::string path, std::unique_ptr<TextLengths> lengths,
                 std::unique_ptr<SqliteConnection> writer);
  base::Result<std::unique_ptr<SqliteConnection>> TakeReader();
  void ReturnReader(std::unique_ptr<SqliteConnection> reader);

  const std::string path_;
  const std::unique_ptr<TextLengths> lengths_;  // Before the connections, which use it.
  mutable base::Mutex write_mutex_;
  std::unique_ptr<SqliteConnection> writer_ SIGHTLINE_PT_GUARDED_BY(write_mutex_);
  base::Status stopped_ SIGHTLINE_GUARDED_BY(write_mutex_);
  base::Mutex readers_mutex_;
  std::vector<std::unique_ptr<SqliteConnection>> idle_readers_ SIGHTLINE_GUARDED_BY(readers_mutex_);
};

/// `text` as it may stand in a text column: malformed UTF-8 and NUL become U+FFFD.
std::string CleanText(std::string_view text);

}  // namespace sightline::store
