// A table with aligned columns for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sightline::cmd {

/// How a column behaves.
struct Column {
  std::string title;
  enum class Align { kLeft, kRight } align = Align::kLeft;  ///< Numbers go right.
  /// The one column that is cut when the terminal is too narrow. Others keep their width.
  bool is_flexible = false;
};

/// Rows are made printable; a table never holds escape sequences of its content.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}  ///< In order.

  /// One cell a column.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// The lines, header first, cut to `width` columns (0: not cut), without trailing spaces.
  std::string Render(size_t width) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace sightline::cmd
