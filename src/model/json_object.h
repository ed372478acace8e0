// Small values of a model's JSON configuration, with bounds and defaults.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::model {

/// A parsed JSON object of at most 4 MiB. Paths go through objects with dots, "size.height". What
/// is absent or of another type is nothing.
class JsonObject {
 public:
  /// `kDataLoss` for anything but an object.
  static base::Result<JsonObject> Parse(std::string_view text);
  ~JsonObject();
  JsonObject(JsonObject&&) noexcept;
  JsonObject& operator=(JsonObject&&) noexcept;

  /// A number, whole or not.
  std::optional<double> Number(std::string_view path) const;
  /// A truth value.
  std::optional<bool> Bool(std::string_view path) const;
  /// A string.
  std::optional<std::string> Text(std::string_view path) const;
  /// An array that holds numbers alone.
  std::optional<std::vector<double>> Numbers(std::string_view path) const;

 private:
  struct Impl;
  explicit JsonObject(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::model
