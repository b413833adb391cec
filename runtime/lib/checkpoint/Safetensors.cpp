//===- Safetensors.cpp - The safetensors format ---------------------------===//

#include "lib/checkpoint/Safetensors.h"
#include "lib/executor/JsonReader.h"

#include <algorithm>
#include <cstring>

using namespace jobrt;
using nlohmann::json;

static constexpr int64_t kLengthBytes = 8;
/// The limit of the format's own library.
static constexpr int64_t kMaxHeader = 100 << 20;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "lengths and elements are stored as they are in memory");

namespace {
struct DTypeRow {
  const char *name;
  int64_t bytes;
};
} // namespace

/// All types of the format, so that tensors that are not read are checked too.
static constexpr DTypeRow kDTypes[] = {
    {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
    {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
    {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};

std::string jobrt::makeSafetensorsHeader(
    const std::vector<std::pair<std::string, TensorView>> &tensors) {
  json header = json::object();
  int64_t offset = 0;
  for (const auto &[name, tensor] : tensors) {
    int64_t end = offset + tensor.bytes();
    header[name] = {{"dtype", dtypeSafetensorsName(tensor.dtype)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text =
      header.dump(-1, ' ', false, json::error_handler_t::replace);
  int64_t total = (kLengthBytes + int64_t(text.size()) + 63) / 64 * 64;
  text.resize(total - kLengthBytes, ' ');
  uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes + text;
}

/// Bytes of a tensor; nullopt for an unknown type or when there is no number.
static std::optional<int64_t> tensorBytes(const SafetensorsEntry &entry) {
  std::optional<int64_t> count = numElements(entry.shape);
  int64_t bytes;
  for (const DTypeRow &row : kDTypes)
    if (entry.dtype == row.name)
      if (count && !__builtin_mul_overflow(*count, row.bytes, &bytes))
        return bytes;
  return std::nullopt;
}

static bool isKnownDType(const std::string &name) {
  return std::any_of(std::begin(kDTypes), std::end(kDTypes),
                     [&](const DTypeRow &row) { return name == row.name; });
}

/// Reads one entry; mistakes go to the reader.
static SafetensorsEntry readEntry(const JsonReader &reader, int64_t dataStart,
                                  int64_t dataBytes) {
  SafetensorsEntry entry;
  entry.dtype = reader.member("dtype").string();
  JsonReader shape = reader.member("shape");
  for (size_t i = 0, rank = shape.arraySize(); i < rank; ++i)
    entry.shape.push_back(shape.element(i).integer(0, INT64_MAX));
  JsonReader offsets = reader.member("data_offsets");
  if (size_t size = offsets.arraySize(); size != 2) {
    offsets.error("expects 2 offsets but got " + std::to_string(size));
    return entry;
  }
  entry.begin = offsets.element(0).integer(0, dataBytes);
  entry.end = offsets.element(1).integer(entry.begin, dataBytes);
  if (!reader.ok())
    return entry;
  if (!isKnownDType(entry.dtype)) {
    reader.error("has no dtype '" + entry.dtype + "'");
    return entry;
  }
  std::optional<int64_t> bytes = tensorBytes(entry);
  if (!bytes)
    reader.error("the size of its shape overflows");
  else if (*bytes != entry.end - entry.begin)
    reader.error("expects " + std::to_string(*bytes) + " bytes but got " +
                 std::to_string(entry.end - entry.begin));
  entry.begin += dataStart;
  entry.end += dataStart;
  return entry;
}

/// The mistake in how the tensors lie, empty when there is none.
static std::string
checkCover(const std::map<std::string, SafetensorsEntry> &entries,
           int64_t dataStart, int64_t fileBytes) {
  std::vector<std::pair<const std::string *, const SafetensorsEntry *>> order;
  for (const auto &[name, entry] : entries)
    order.push_back({&name, &entry});
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
    return std::pair(a.second->begin, a.second->end) <
           std::pair(b.second->begin, b.second->end);
  });
  int64_t expected = dataStart;
  for (const auto &[name, entry] : order) {
    if (entry->begin != expected)
      return std::string(entry->begin < expected ? "overlap" : "gap") +
             " before '" + *name + "': expects its data at " +
             std::to_string(expected - dataStart) + " but got " +
             std::to_string(entry->begin - dataStart);
    expected = entry->end;
  }
  if (expected != fileBytes)
    return "expects " + std::to_string(expected - dataStart) +
           " bytes of data but got " + std::to_string(fileBytes - dataStart);
  return {};
}

Expected<std::map<std::string, SafetensorsEntry>>
jobrt::readSafetensorsHeader(const File &file) {
  auto dataLoss = [&](const std::string &message) {
    return fileError(StatusCode::kDataLoss, file.path(), message);
  };
  uint64_t length = 0;
  if (file.size() < kLengthBytes)
    return dataLoss("truncated: expects a safetensors file of at least 8 bytes "
                    "but got " +
                    std::to_string(file.size()));
  if (Status status = file.readAt(0, &length, kLengthBytes); !status.ok())
    return status;
  int64_t room = std::min(file.size() - kLengthBytes, kMaxHeader);
  if (length > static_cast<uint64_t>(room))
    return dataLoss("expects a header of at most " + std::to_string(room) +
                    " bytes but got " + std::to_string(length));
  std::string text(length, '\0');
  if (Status status = file.readAt(kLengthBytes, text.data(), length);
      !status.ok())
    return status;
  Expected<json> header = parseJson(text);
  if (!header.ok())
    return dataLoss("header: " + header.status().message());

  JsonErrors errors;
  std::map<std::string, SafetensorsEntry> entries;
  int64_t dataStart = kLengthBytes + static_cast<int64_t>(length);
  for (const auto &[name, member] : JsonReader(*header, errors).members())
    if (name != kSafetensorsMetadata)
      entries[name] = readEntry(member, dataStart, file.size() - dataStart);
  if (!errors.ok())
    return dataLoss("header: " + errors.status().message());
  if (std::string mistake = checkCover(entries, dataStart, file.size());
      !mistake.empty())
    return dataLoss(mistake);
  return entries;
}
