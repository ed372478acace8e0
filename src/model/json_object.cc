#include "model/json_object.h"

#include <boost/json.hpp>

#include <utility>

namespace sightline::model {
namespace {

constexpr std::size_t kMaxBytes = 4 << 20;

}  // namespace

struct JsonObject::Impl {
  boost::json::object object;

  const boost::json::value* Find(std::string_view path) const {
    const boost::json::object* current = &object;
    while (true) {
      const std::size_t dot = path.find('.');
      const boost::json::value* value =
          current->if_contains(boost::json::string_view(path.data(), std::min(dot, path.size())));
      if (value == nullptr || dot == std::string_view::npos) return value;
      current = value->if_object();
      if (current == nullptr) return nullptr;
      path.remove_prefix(dot + 1);
    }
  }
};

JsonObject::JsonObject(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JsonObject::~JsonObject() = default;
JsonObject::JsonObject(JsonObject&&) noexcept = default;
JsonObject& JsonObject::operator=(JsonObject&&) noexcept = default;

base::Result<JsonObject> JsonObject::Parse(std::string_view text) {
  if (text.size() > kMaxBytes) return base::DataLoss("a JSON file is larger than 4 MiB");
  boost::system::error_code error;
  boost::json::value value =
      boost::json::parse(boost::json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object()) return base::DataLoss("not a JSON object: " + error.message());
  auto impl = std::make_unique<Impl>();
  impl->object = std::move(value.get_object());
  return JsonObject(std::move(impl));
}

std::optional<double> JsonObject::Number(std::string_view path) const {
  const boost::json::value* value = impl_->Find(path);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<bool> JsonObject::Bool(std::string_view path) const {
  const boost::json::value* value = impl_->Find(path);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

std::optional<std::string> JsonObject::Text(std::string_view path) const {
  const boost::json::value* value = impl_->Find(path);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

std::optional<std::vector<double>> JsonObject::Numbers(std::string_view path) const {
  const boost::json::value* value = impl_->Find(path);
  if (value == nullptr || !value->is_array()) return std::nullopt;
  std::vector<double> numbers;
  for (const boost::json::value& item : value->get_array()) {
    if (!item.is_number()) return std::nullopt;
    numbers.push_back(item.to_number<double>());
  }
  return numbers;
}

}  // namespace sightline::model
