//===- JsonReader.cpp - Reading JSON with errors that say where -----------===//

#include "lib/executor/JsonReader.h"

#include <cmath>

using namespace jobrt;
using nlohmann::json;

static constexpr int kMaxNesting = 64;

/// What getters return after an error.
static const json &nothing() {
  static const json null;
  return null;
}

/// Deepest nesting of arrays and objects, found without recursion.
static int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

Expected<json> jobrt::parseJson(std::string_view text) {
  if (int depth = nesting(text); depth > kMaxNesting)
    return Status(StatusCode::kDataLoss,
                  "expects JSON of at most " + std::to_string(kMaxNesting) +
                      " levels but got " + std::to_string(depth));
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error &error) {
    return Status(StatusCode::kDataLoss,
                  "expects JSON but got a syntax error at byte " +
                      std::to_string(error.byte));
  } catch (const json::exception &error) {
    // A number out of range, for instance.
    return Status(StatusCode::kDataLoss,
                  std::string("expects JSON but got: ") + error.what());
  }
}

std::string JsonReader::describe() const {
  switch (value->type()) {
  case json::value_t::null:
    return "null";
  case json::value_t::object:
    return "an object";
  case json::value_t::array:
    return "an array";
  case json::value_t::string:
    return "a string";
  case json::value_t::boolean:
    return "a boolean";
  case json::value_t::number_integer:
  case json::value_t::number_unsigned:
    return value->dump();
  default:
    // An integer that 64 bits cannot hold is one of these too.
    if (std::abs(value->get<double>()) >= 0x1p63)
      return value->dump();
    return "a fraction";
  }
}

std::string JsonReader::childPath(const std::string &key) const {
  return path.empty() ? key : path + "." + key;
}

void JsonReader::error(std::string message, StatusCode code) const {
  errors->report(code, (path.empty() ? "top level" : path) + ": " + message);
}

JsonReader JsonReader::member(const char *key) const {
  if (std::optional<JsonReader> found = optionalMember(key))
    return *found;
  if (value->is_object())
    error(std::string("expects a member '") + key + "'");
  return {nothing(), *errors, childPath(key)};
}

std::optional<JsonReader> JsonReader::optionalMember(const char *key) const {
  if (!value->is_object()) {
    error("expects an object but got " + describe());
    return std::nullopt;
  }
  auto found = value->find(key);
  if (found == value->end())
    return std::nullopt;
  return JsonReader(*found, *errors, childPath(key));
}

size_t JsonReader::arraySize() const {
  if (value->is_array())
    return value->size();
  error("expects an array but got " + describe());
  return 0;
}

JsonReader JsonReader::element(size_t index) const {
  return {(*value)[index], *errors, path + "[" + std::to_string(index) + "]"};
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  std::vector<std::pair<std::string, JsonReader>> result;
  if (!value->is_object()) {
    error("expects an object but got " + describe());
    return result;
  }
  for (auto it = value->begin(); it != value->end(); ++it)
    result.emplace_back(it.key(),
                        JsonReader(*it, *errors, childPath(it.key())));
  return result;
}

std::string JsonReader::string() const {
  if (value->is_string())
    return value->get<std::string>();
  error("expects a string but got " + describe());
  return {};
}

bool JsonReader::boolean() const {
  if (value->is_boolean())
    return value->get<bool>();
  error("expects a boolean but got " + describe());
  return false;
}

int64_t JsonReader::integer(int64_t low, int64_t high) const {
  // Numbers above 2^63 are kept as unsigned ones.
  bool fits = value->is_number_unsigned()
                  ? value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX)
                  : value->is_number_integer();
  if (fits) {
    int64_t number = value->get<int64_t>();
    if (number >= low && number <= high)
      return number;
  }
  error("expects an integer from " + std::to_string(low) + " to " +
        std::to_string(high) + " but got " + describe());
  return low;
}

std::variant<int64_t, double> JsonReader::number() const {
  if (value->is_number_float())
    return value->get<double>();
  if (value->is_number())
    return integer(INT64_MIN, INT64_MAX);
  error("expects a number but got " + describe());
  return int64_t(0);
}
