//===- JsonReader.h - Reading JSON with errors that say where ---*- C++ -*-===//
//
// A cursor over a parsed JSON value that knows its path ("entries[0].name").
// The first error is kept; afterwards every getter returns a default value,
// so that a parser checks for errors once, at the end.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_JSONREADER_H
#define JOBRT_LIB_EXECUTOR_JSONREADER_H

#include "jobrt/tensor.h"

#include <nlohmann/json.hpp>

#include <variant>

namespace jobrt {

/// Parses JSON text. Never throws; refuses nesting deeper than 64 levels,
/// which the compiler does not write and which would exhaust the stack.
Expected<nlohmann::json> parseJson(std::string_view text);

/// Keeps the first error of one document.
class JsonErrors {
public:
  void report(StatusCode code, std::string message) {
    if (first.ok())
      first = Status(code, std::move(message));
  }
  bool ok() const { return first.ok(); }
  const Status &status() const { return first; }

private:
  Status first;
};

/// A value of the document and where it stands. Cheap to copy; lives no longer
/// than the document and the errors.
class JsonReader {
public:
  JsonReader(const nlohmann::json &root, JsonErrors &errors)
      : value(&root), errors(&errors) {}

  /// The member of an object; a missing one is an error.
  JsonReader member(const char *key) const;
  /// The member of an object if it is there.
  std::optional<JsonReader> optionalMember(const char *key) const;

  /// Number of elements of an array, 0 with an error for anything else.
  size_t arraySize() const;
  JsonReader element(size_t index) const;

  /// Members of an object in order of their names.
  std::vector<std::pair<std::string, JsonReader>> members() const;

  std::string string() const;
  bool boolean() const;
  /// An integer from `low` to `high`, both included.
  int64_t integer(int64_t low, int64_t high) const;
  /// A number, an integer wherever it is one.
  std::variant<int64_t, double> number() const;

  /// Reports an error of this value: "<path>: expects ...".
  void error(std::string message,
             StatusCode code = StatusCode::kDataLoss) const;
  bool ok() const { return errors->ok(); }

  const nlohmann::json &json() const { return *value; }

private:
  JsonReader(const nlohmann::json &value, JsonErrors &errors, std::string path)
      : value(&value), errors(&errors), path(std::move(path)) {}

  /// What stands here, for messages: "a string".
  std::string describe() const;
  std::string childPath(const std::string &key) const;

  const nlohmann::json *value;
  JsonErrors *errors;
  std::string path;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_JSONREADER_H
