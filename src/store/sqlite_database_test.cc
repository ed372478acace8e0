#include "store/sqlite_database.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include <fstream>

#include "store/contract/temporary_folder.h"
#include "store/schema.h"
#include "store/sqlite_catalog.h"

namespace sightline::store {
namespace {

using base::Status;
using base::StatusCode;

/// No file of this process can be longer, as long as this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size_bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit{.rlim_cur = size_bytes, .rlim_max = before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

class SqliteDatabaseTest : public testing::Test {
 protected:
  std::unique_ptr<SqliteDatabase> Open() {
    auto database = SqliteDatabase::Open(path_);
    EXPECT_TRUE(database.ok()) << database.status().ToString();
    return *std::move(database);
  }

  static std::int64_t Number(SqliteDatabase& database, const std::string& sql) {
    std::int64_t number = -1;
    const Status read = database.Read([&](SqliteConnection& connection) -> Status {
      SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, connection.Prepare(sql));
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (row) number = select.Int(0);
      return base::OkStatus();
    });
    EXPECT_TRUE(read.ok()) << read.ToString();
    return number;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.File("test.sqlite");
};

TEST_F(SqliteDatabaseTest, WorkThatFailsIsRolledBack) {
  const auto database = Open();
  ASSERT_TRUE(
      database->Write([](SqliteConnection& c) { return c.Script("CREATE TABLE t(x INTEGER)"); })
          .ok());
  const Status failed = database->Write([](SqliteConnection& c) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(c.Run("INSERT INTO t VALUES (?1)", 1));
    return base::Cancelled("changed my mind");
  });
  EXPECT_EQ(failed.code(), StatusCode::kCancelled);
  EXPECT_EQ(Number(*database, "SELECT count(*) FROM t"), 0);
  EXPECT_TRUE(database->write_status().ok());
}

TEST_F(SqliteDatabaseTest, DurabilitySettingsAreThoseOfTheDesign) {
  const auto database = Open();
  std::int64_t synchronous = 0;
  std::string journal;
  ASSERT_TRUE(
      database->Write([](SqliteConnection& c) { return c.Script("CREATE TABLE t(x INTEGER)"); })
          .ok());
  const Status read = database->Write([&](SqliteConnection& c) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement one, c.Prepare("PRAGMA synchronous"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, one.Step());
    if (row) synchronous = one.Int(0);
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement two, c.Prepare("PRAGMA journal_mode"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool next, two.Step());
    if (next) journal = two.Text(0);
    return base::OkStatus();
  });
  ASSERT_TRUE(read.ok()) << read.ToString();
  EXPECT_EQ(synchronous, 2) << "FULL";
  EXPECT_EQ(journal, "wal");
}

TEST_F(SqliteDatabaseTest, ReadersCannotWriteAndSeeTheirSnapshot) {
  const auto database = Open();
  ASSERT_TRUE(database
                  ->Write([](SqliteConnection& c) {
                    return c.Script("CREATE TABLE t(x INTEGER); INSERT INTO t VALUES (1)");
                  })
                  .ok());
  EXPECT_FALSE(
      database->Read([](SqliteConnection& c) { return c.Run("INSERT INTO t VALUES (2)"); }).ok());
  const Status read = database->Read([&](SqliteConnection& c) -> Status {
    for (int round = 0; round < 2; ++round) {
      SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, c.Prepare("SELECT count(*) FROM t"));
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      EXPECT_TRUE(row);
      EXPECT_EQ(select.Int(0), 1) << "a commit in between is not seen";
      if (round > 0) break;
      SIGHTLINE_RETURN_IF_ERROR(database->Write(
          [](SqliteConnection& writer) { return writer.Run("INSERT INTO t VALUES (3)"); }));
    }
    return base::OkStatus();
  });
  EXPECT_TRUE(read.ok()) << read.ToString();
  EXPECT_EQ(Number(*database, "SELECT count(*) FROM t"), 2);
}

TEST_F(SqliteDatabaseTest, TextThatIsNoUtf8OrHasNulIsNeverBound) {
  const auto database = Open();
  for (const std::string& bad : {std::string("\xff"), std::string("a\0b", 3)}) {
    const Status status = database->Read([&](SqliteConnection& c) -> Status {
      SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, c.Prepare("SELECT ?1"));
      return select.Bind(bad).Step().status();
    });
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  }
}

TEST_F(SqliteDatabaseTest, FullDiskIsReportedAndWritingGoesOnAfterwards) {
  const auto database = Open();
  ASSERT_TRUE(database
                  ->Write([](SqliteConnection& c) {
                    return c.Script("CREATE TABLE t(x TEXT); PRAGMA max_page_count=20;");
                  })
                  .ok());
  const auto fill = [](SqliteConnection& c) {
    return c.Run("INSERT INTO t VALUES (?1)", std::string(200'000, 'x'));
  };
  const Status full = database->Write(fill);
  EXPECT_EQ(full.code(), StatusCode::kStorageFull) << full.ToString();
  EXPECT_NE(full.message().find("free space"), std::string::npos) << full.message();
  EXPECT_NE(full.message().find(path_), std::string::npos) << full.message();
  EXPECT_EQ(Number(*database, "SELECT count(*) FROM t"), 0);
  ASSERT_TRUE(
      database->Write([](SqliteConnection& c) { return c.Script("PRAGMA max_page_count=1000;"); })
          .ok());
  EXPECT_TRUE(database->Write(fill).ok());
}

TEST_F(SqliteDatabaseTest, DamageStopsWritingForGood) {
  {
    const auto database = Open();
    ASSERT_TRUE(
        database->Write([](SqliteConnection& c) { return c.Script("CREATE TABLE t(x TEXT)"); })
            .ok());
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(database
                      ->Write([](SqliteConnection& c) {
                        return c.Run("INSERT INTO t VALUES (?1)", std::string(3'000, 'x'));
                      })
                      .ok());
    }
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  const std::string noise(20 * 4096, '\x5a');
  file.write(noise.data(), static_cast<std::streamsize>(noise.size()));
  file.close();
  const auto database = Open();
  const auto insert = [](SqliteConnection& c) {
    return c.Run("INSERT INTO t VALUES (?1)", std::string(3'000, 'x'));
  };
  const Status damaged = database->Write(insert);
  EXPECT_EQ(damaged.code(), StatusCode::kDataLoss) << damaged.ToString();
  EXPECT_NE(damaged.message().find("backup"), std::string::npos) << damaged.message();
  const Status again = database->Write([](SqliteConnection&) { return base::OkStatus(); });
  EXPECT_EQ(again.code(), StatusCode::kDataLoss);
  EXPECT_NE(again.message().find("writing has stopped"), std::string::npos) << again.message();
}

TEST_F(SqliteDatabaseTest, ADiskWithoutRoomForTheSharedFileIsAFullDisk) {
  ASSERT_TRUE(SqliteCatalog::Open(path_, base::SystemClock()).ok());
  Status opened;
  {
    // No file may grow any more: the first that has to is the one that readers and writer share.
    const FileSizeLimit limit(4096);
    opened = SqliteCatalog::Open(path_, base::SystemClock()).status();
  }
  EXPECT_EQ(opened.code(), StatusCode::kStorageFull) << opened.ToString();
  EXPECT_NE(opened.message().find("free space"), std::string::npos) << opened.message();
  EXPECT_TRUE(SqliteCatalog::Open(path_, base::SystemClock()).ok()) << "nothing is lost";
}

TEST_F(SqliteDatabaseTest, ACheckpointThatFailsStopsWriting) {
  {
    const auto database = Open();
    const Status filled = database->Write([](SqliteConnection& c) {
      return c.Script(
          "CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t(x) SELECT "
          "hex(zeroblob(1500)) FROM (WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM "
          "n WHERE i < 2500) SELECT i FROM n);");
    });
    ASSERT_TRUE(filled.ok()) << filled.ToString();
  }
  // The log has room; the end of the database, where the rows of the update are, has none.
  const FileSizeLimit limit(7 << 20);
  const auto database = Open();
  const auto update_after = [&](int id) {
    return database->Write(
        [id](SqliteConnection& c) { return c.Run("UPDATE t SET x = x || '.' WHERE id > ?1", id); });
  };
  EXPECT_TRUE(update_after(1'300).ok()) << "it is in the log, durably";
  const Status refused = update_after(2'499);
  EXPECT_EQ(refused.code(), StatusCode::kIo) << refused.ToString();
  EXPECT_NE(refused.message().find("writing has stopped"), std::string::npos) << refused.message();
}

TEST_F(SqliteDatabaseTest, CatalogOfALaterVersionIsRefusedAndNotTouched) {
  ASSERT_TRUE(SqliteCatalog::Open(path_, base::SystemClock()).ok());
  {
    const auto database = Open();
    ASSERT_TRUE(database
                    ->Write([](SqliteConnection& c) {
                      return c.Run("INSERT INTO schema_versions VALUES (?1, 0)",
                                   kSchemaVersion + 1);
                    })
                    .ok());
  }
  const Status refused = SqliteCatalog::Open(path_, base::SystemClock()).status();
  EXPECT_EQ(refused.code(), StatusCode::kFailedPrecondition);
  EXPECT_NE(refused.message().find("later version"), std::string::npos) << refused.message();
  EXPECT_EQ(Number(*Open(), "SELECT max(version) FROM schema_versions"), kSchemaVersion + 1);
}

TEST_F(SqliteDatabaseTest, AnOlderCatalogBecomesACurrentOneAndKeepsWhatItHolds) {
  constexpr const char* kFirst = "CREATE TABLE films(name TEXT); INSERT INTO films VALUES ('a');";
  constexpr const char* kSecond = "ALTER TABLE films ADD COLUMN seconds INTEGER DEFAULT 7;";
  constexpr const char* kBroken = "INSERT INTO films VALUES ('b', 1); DROP TABLE none;";
  constexpr const char* kThird = "UPDATE films SET seconds = seconds + 1;";
  const auto database = Open();
  const auto run = [&](std::vector<const char*> steps) {
    return RunMigrations(*database, steps, /*now_ms=*/5);
  };
  ASSERT_TRUE(run({kFirst}).ok());
  ASSERT_TRUE(run({kFirst, kSecond}).ok());
  EXPECT_EQ(Number(*database, "SELECT seconds FROM films WHERE name = 'a'"), 7);
  EXPECT_FALSE(run({kFirst, kSecond, kBroken}).ok());
  EXPECT_EQ(Number(*database, "SELECT count(*) FROM films"), 1) << "half a step is no step";
  EXPECT_EQ(Number(*database, "SELECT max(version) FROM schema_versions"), 2);
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(run({kFirst, kSecond, kThird}).ok());
    EXPECT_EQ(Number(*database, "SELECT seconds FROM films"), 8) << "each step runs once";
  }
  EXPECT_EQ(Number(*database, "SELECT count(*) FROM schema_versions"), 3);
  EXPECT_EQ(run({kFirst, kSecond}).code(), StatusCode::kFailedPrecondition);
}

TEST_F(SqliteDatabaseTest, WhatIsNoCatalogIsRefused) {
  {
    std::ofstream file(path_);
    file << std::string(10'000, 'x');
  }
  EXPECT_EQ(SqliteCatalog::Open(path_, base::SystemClock()).status().code(), StatusCode::kDataLoss);
  const std::string other = folder_.File("other.sqlite");
  {
    auto database = SqliteDatabase::Open(other);
    ASSERT_TRUE(
        (*database)->Write([](SqliteConnection& c) { return c.Script("CREATE TABLE t(x)"); }).ok());
  }
  const Status refused = SqliteCatalog::Open(other, base::SystemClock()).status();
  EXPECT_EQ(refused.code(), StatusCode::kDataLoss);
  EXPECT_NE(refused.message().find("no Sightline catalog"), std::string::npos);
  EXPECT_FALSE(SqliteCatalog::Open(folder_.File("none/x.sqlite"), base::SystemClock()).ok());
}

}  // namespace
}  // namespace sightline::store
