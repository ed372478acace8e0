// A filter as one SELECT over the catalog's tables.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/filter.h"
#include "store/sqlite_database.h"

namespace sightline::store {

/// `text` selects the ids of the units of one collection that pass. Values are only ever bound.
struct FilterSql {
  std::string text;
  std::vector<std::variant<std::string, double>> values;  ///< For the parameters from 2.

  /// Binds the collection's id and the values.
  void Bind(SqliteStatement& statement, std::int64_t collection_id) const;
  /// The same for two filters only when they select the same.
  std::string Key() const;
};

/// kInvalidArgument for an unknown key, a wrong type of value, or far more than ParseFilter lets
/// through: a filter may also be made by code.
base::Result<FilterSql> ToSql(const Filter& filter);

}  // namespace sightline::store
