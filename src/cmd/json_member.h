// Members of JSON objects with a default where they are absent, null or of another type.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::cmd {

/// The member, or null.
inline const boost::json::value* Member(const boost::json::object& object, std::string_view key) {
  return object.if_contains(boost::json::string_view(key.data(), key.size()));
}

/// A string member; empty otherwise.
inline std::string TextMember(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = Member(object, key);
  const boost::json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

/// A number member, rounded towards zero; `fallback` otherwise.
inline int64_t IntegerMember(const boost::json::object& object, std::string_view key,
                             int64_t fallback = 0) {
  const boost::json::value* value = Member(object, key);
  if (value == nullptr) return fallback;
  boost::json::error_code error;
  const auto number = value->to_number<int64_t>(error);
  return error ? fallback : number;
}

/// A number member; `fallback` otherwise.
inline double NumberMember(const boost::json::object& object, std::string_view key,
                           double fallback = 0) {
  const boost::json::value* value = Member(object, key);
  if (value == nullptr) return fallback;
  boost::json::error_code error;
  const auto number = value->to_number<double>(error);
  return error ? fallback : number;
}

/// An object member, or null.
inline const boost::json::object* ObjectMember(const boost::json::object& object,
                                               std::string_view key) {
  const boost::json::value* value = Member(object, key);
  return value == nullptr ? nullptr : value->if_object();
}

/// An array member, or null.
inline const boost::json::array* ArrayMember(const boost::json::object& object,
                                             std::string_view key) {
  const boost::json::value* value = Member(object, key);
  return value == nullptr ? nullptr : value->if_array();
}

}  // namespace sightline::cmd
