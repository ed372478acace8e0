#include "store/filter_sql.h"

#include <array>
#include <optional>
#include <string_view>

#include "store/filter_limits.h"

namespace sightline::store {
namespace {

using base::InvalidArgument;
using base::OkStatus;
using base::Result;
using base::Status;

enum class Owner { kUnit, kDocument };
enum class Type { kText, kNumber };

/// A key and the column that it looks at.
struct Key {
  std::string_view name;
  std::string_view column;
  Owner owner;
  Type type;
};

constexpr std::array kKeys = {
    Key{"kind", "u.kind", Owner::kUnit, Type::kText},
    Key{"language", "u.language", Owner::kUnit, Type::kText},
    Key{"source", "u.source", Owner::kUnit, Type::kText},
    Key{"page", "u.page", Owner::kUnit, Type::kNumber},
    Key{"start_ms", "u.start_ms", Owner::kUnit, Type::kNumber},
    Key{"end_ms", "u.end_ms", Owner::kUnit, Type::kNumber},
    Key{"document_id", "d.id", Owner::kDocument, Type::kText},
    Key{"document_kind", "d.kind", Owner::kDocument, Type::kText},
    Key{"created_at", "d.created_at_ms", Owner::kDocument, Type::kNumber},
};

/// Writes conditions; holds what they bind.
class Writer {
 public:
  Result<std::string> Write(const Filter& filter, int depth) {
    if (depth > kMaxWrittenDepth) return InvalidArgument("a filter may be 8 levels deep at most");
    std::string sql = "(1";
    SIGHTLINE_RETURN_IF_ERROR(Append(filter.must, " AND ", "", depth, sql));
    SIGHTLINE_RETURN_IF_ERROR(Append(filter.must_not, " AND NOT ", "", depth, sql));
    if (!filter.should.empty()) {
      sql += " AND (0";
      SIGHTLINE_RETURN_IF_ERROR(Append(filter.should, " OR ", ")", depth, sql));
    }
    return sql + ")";
  }

  std::vector<std::variant<std::string, double>> TakeValues() { return std::move(values_); }

 private:
  Status Append(const std::vector<Condition>& conditions, std::string_view before,
                std::string_view end, int depth, std::string& sql) {
    for (const Condition& condition : conditions) {
      if (++conditions_ > kMaxWrittenConditions) {
        return InvalidArgument("a filter may have 64 conditions at most");
      }
      SIGHTLINE_ASSIGN_OR_RETURN(const std::string one, WriteCondition(condition, depth));
      sql += before;
      sql += one;
    }
    sql += end;
    return OkStatus();
  }

  Result<std::string> WriteCondition(const Condition& condition, int depth) {
    if (!condition.nested.empty()) return Write(condition.nested.front(), depth + 1);
    if (condition.key == "tag") return WriteTag(condition);
    if (condition.key.starts_with(kMetadataPrefix)) return WriteMetadata(condition);
    for (const Key& key : kKeys) {
      if (key.name != condition.key) continue;
      SIGHTLINE_ASSIGN_OR_RETURN(const std::string test, Test(key, condition));
      return key.owner == Owner::kUnit ? test : InDocuments(test);
    }
    return InvalidArgument("unknown filter key: '" + CleanText(condition.key) + "'");
  }

  // SQLite works an uncorrelated IN out once, and not again for every unit.
  static std::string InDocuments(const std::string& test) {
    return "u.document_key IN (SELECT d.key FROM documents d WHERE d.collection_id = ?1 AND " +
           test + ")";
  }

  Result<std::string> WriteTag(const Condition& condition) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string test,
                               Test({"tag", "t.value", Owner::kDocument, Type::kText}, condition));
    return InDocuments("EXISTS (SELECT 1 FROM json_each(d.tags) t WHERE " + test + ")");
  }

  /// A value in metadata is a scalar, or a list of which one must match.
  Result<std::string> WriteMetadata(const Condition& condition) {
    const std::string name = condition.key.substr(kMetadataPrefix.size());
    if (!IsMetadataName(name)) {
      return InvalidArgument("a metadata name cannot be filtered by: '" + CleanText(name) + "'");
    }
    std::string json_path = "$.\"";
    json_path += name;
    json_path += "\"";
    const std::string path = Bound(std::move(json_path));
    std::string test;
    if (condition.any_of.empty()) {
      SIGHTLINE_ASSIGN_OR_RETURN(
          test, Range({"", "m.value", Owner::kDocument, Type::kNumber}, condition));
      test = "m.type IN ('integer', 'real') AND " + test;
    } else {
      test = "0";
      for (const FilterValue& value : condition.any_of) test += " OR " + EqualsMetadata(value);
    }
    return InDocuments("json_type(d.metadata, " + path +
                       ") <> 'object' AND EXISTS (SELECT 1 FROM json_each(d.metadata, " + path +
                       ") m WHERE (" + test + "))");
  }

  std::string EqualsMetadata(const FilterValue& value) {
    if (const bool* truth = std::get_if<bool>(&value)) {
      return *truth ? "m.type = 'true'" : "m.type = 'false'";
    }
    if (const double* number = std::get_if<double>(&value)) {
      return "(m.type IN ('integer', 'real') AND m.value = " + Bound(*number) + ")";
    }
    return "(m.type = 'text' AND m.value = " + Bound(std::get<std::string>(value)) + ")";
  }

  Result<std::string> Test(const Key& key, const Condition& condition) {
    if (condition.any_of.empty()) return Range(key, condition);
    std::string list;
    for (const FilterValue& value : condition.any_of) {
      const bool is_text = std::holds_alternative<std::string>(value);
      if (std::holds_alternative<bool>(value) || is_text != (key.type == Type::kText)) {
        return InvalidArgument("a filter value has the wrong type: key '" + std::string(key.name) +
                               "' takes " + (key.type == Type::kText ? "text" : "numbers"));
      }
      list += list.empty() ? "" : ", ";
      list += is_text ? Bound(std::get<std::string>(value)) : Bound(std::get<double>(value));
    }
    return std::string(key.column) + " IN (" + list + ")";
  }

  Result<std::string> Range(const Key& key, const Condition& condition) {
    if (key.type != Type::kNumber) {
      return InvalidArgument("a filter key has no order: '" + std::string(key.name) + "'");
    }
    std::string test;
    const auto bound = [&](std::string_view compare, const std::optional<double>& limit) {
      if (!limit) return;
      test += test.empty() ? "" : " AND ";
      test += std::string(key.column) + std::string(compare) + Bound(*limit);
    };
    bound(" > ", condition.gt);
    bound(" >= ", condition.gte);
    bound(" < ", condition.lt);
    bound(" <= ", condition.lte);
    if (test.empty()) {
      return InvalidArgument("a condition needs a value or a range: key '" +
                             CleanText(condition.key) + "'");
    }
    return "(" + test + ")";
  }

  std::string Bound(std::variant<std::string, double> value) {
    values_.push_back(std::move(value));
    std::string parameter = "?";
    return parameter += std::to_string(values_.size() + 1);
  }

  std::vector<std::variant<std::string, double>> values_;
  int conditions_ = 0;
};

}  // namespace

void FilterSql::Bind(SqliteStatement& statement, std::int64_t collection_id) const {
  statement.BindInt(1, collection_id);
  int parameter = 1;
  for (const auto& value : values) {
    ++parameter;
    if (const double* number = std::get_if<double>(&value)) {
      statement.BindDouble(parameter, *number);
    } else {
      statement.BindText(parameter, CleanText(std::get<std::string>(value)));
    }
  }
}

std::string FilterSql::Key() const {
  std::string key = text;
  for (const auto& value : values) {
    if (const double* number = std::get_if<double>(&value)) {
      key += "\nn";
      key.append(reinterpret_cast<const char*>(number), sizeof(*number));
    } else {
      const std::string& chars = std::get<std::string>(value);
      key += "\nt" + std::to_string(chars.size()) + ":" + chars;
    }
  }
  return key;
}

Result<FilterSql> ToSql(const Filter& filter) {
  Writer writer;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string where, writer.Write(filter, 1));
  FilterSql sql;
  sql.text =
      "SELECT u.id FROM units u WHERE u.document_key IN (SELECT key FROM documents WHERE "
      "collection_id = ?1) AND " +
      where;
  sql.values = writer.TakeValues();
  return sql;
}

}  // namespace sightline::store
