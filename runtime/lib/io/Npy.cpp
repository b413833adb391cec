//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// "\x93NUMPY", version, length of the header, the header (a Python dictionary
// as text) padded with blanks so that the data starts at a multiple of 64.
//
//===----------------------------------------------------------------------===//

#include "jobrt/checkpoint.h"
#include "lib/base/Guard.h"
#include "lib/io/File.h"

#include <algorithm>
#include <charconv>

using namespace jobrt;

static constexpr std::string_view kMagic = "\x93NUMPY";
/// Magic, version and a header length of 2 bytes (version 1).
static constexpr int64_t kPrefix1 = 10;
/// The same with a header length of 4 bytes.
static constexpr int64_t kPrefix2 = 12;
static constexpr int64_t kMaxHeader = 1 << 20;

namespace {
struct Header {
  std::string dtype;
  bool fortran = false;
  Shape shape;
};

/// Reads the header's dictionary: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4), }.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  /// The mistake, empty when there is none.
  std::string parse(Header &header);

private:
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool take(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipBlanks();
    if (!text.substr(at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }
  bool parseString(std::string &value);
  bool parseShape(Shape &shape);
  bool parseValue(const std::string &key, Header &header);

  std::string_view text;
  size_t at = 0;
};
} // namespace

bool HeaderParser::parseString(std::string &value) {
  skipBlanks();
  if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
    return false;
  size_t end = text.find(text[at], at + 1);
  if (end == std::string_view::npos)
    return false;
  value = text.substr(at + 1, end - at - 1);
  at = end + 1;
  return true;
}

bool HeaderParser::parseShape(Shape &shape) {
  if (!take('('))
    return false;
  while (!take(')')) {
    skipBlanks();
    int64_t extent;
    auto [end, error] =
        std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0)
      return false;
    at = end - text.data();
    shape.push_back(extent);
    // A Python 2 long.
    if (at < text.size() && text[at] == 'L')
      ++at;
    if (!take(',')) {
      // (4) is no tuple, but nothing else can be meant.
      if (!take(')'))
        return false;
      break;
    }
  }
  return true;
}

bool HeaderParser::parseValue(const std::string &key, Header &header) {
  if (key == "descr") {
    skipBlanks();
    // A list describes a structure of fields.
    if (at < text.size() && text[at] == '[') {
      header.dtype = "a structure";
      at = text.rfind(']');
      return at != std::string_view::npos && take(']');
    }
    return parseString(header.dtype);
  }
  if (key == "fortran_order") {
    header.fortran = takeWord("True");
    return header.fortran || takeWord("False");
  }
  return key == "shape" && parseShape(header.shape);
}

std::string HeaderParser::parse(Header &header) {
  std::vector<std::string> keys;
  if (!take('{'))
    return "expects a dictionary as the header";
  while (!take('}')) {
    std::string key;
    if (!parseString(key) || !take(':') || !parseValue(key, header) ||
        std::find(keys.begin(), keys.end(), key) != keys.end())
      return "malformed header at byte " + std::to_string(at);
    keys.push_back(key);
    if (!take(',') && !(at < text.size() && text[at] == '}'))
      return "malformed header at byte " + std::to_string(at);
  }
  skipBlanks();
  if (at != text.size())
    return "malformed header at byte " + std::to_string(at);
  if (keys.size() != 3)
    return "expects 'descr', 'fortran_order' and 'shape' in the header";
  return {};
}

/// The dtype of a spelling, or what is wrong with it.
static Expected<DType> findDType(const std::string &path,
                                 const std::string &text) {
  std::string names;
  for (DType dtype : allDTypes()) {
    const char *name = dtypeNpyName(dtype);
    if (text == name)
      return dtype;
    if (text.starts_with('>') && text.substr(1) == name + 1)
      return fileError(StatusCode::kDataLoss, path,
                       std::string("expects little-endian elements '") + name +
                           "' but got '" + text + "'");
    names += std::string(names.empty() ? "'" : ", '") + name + "'";
  }
  return fileError(StatusCode::kDataLoss, path,
                   "expects one of " + names + " as the dtype but got '" +
                       text + "'");
}

/// Reads everything before the data; sets `dataStart`.
static Expected<Header> readHeader(const File &file, int64_t &dataStart) {
  const std::string &path = file.path();
  unsigned char prefix[kPrefix2] = {};
  if (file.size() < kPrefix1)
    return fileError(StatusCode::kDataLoss, path,
                     "expects a .npy file of at least " +
                         std::to_string(kPrefix1) + " bytes but got " +
                         std::to_string(file.size()));
  if (Status status = file.readAt(0, prefix, std::min(file.size(), kPrefix2));
      !status.ok())
    return status;
  if (!std::equal(kMagic.begin(), kMagic.end(),
                  reinterpret_cast<const char *>(prefix)))
    return fileError(StatusCode::kDataLoss, path,
                     "expects a .npy file but got something else");
  int major = prefix[6], minor = prefix[7];
  if (major < 1 || major > 2 || minor != 0)
    return fileError(StatusCode::kUnimplemented, path,
                     "expects .npy version 1.0 or 2.0 but got " +
                         std::to_string(major) + "." + std::to_string(minor));
  int64_t length = prefix[8] | prefix[9] << 8;
  if (major == 2)
    length |= int64_t(prefix[10]) << 16 | int64_t(prefix[11]) << 24;
  int64_t start = major == 1 ? kPrefix1 : kPrefix2;
  dataStart = start + length;
  if (length > kMaxHeader || dataStart > file.size())
    return fileError(StatusCode::kDataLoss, path,
                     "expects a header of at most " +
                         std::to_string(std::max<int64_t>(
                             0, std::min(kMaxHeader, file.size() - start))) +
                         " bytes but got " + std::to_string(length));
  std::string text(length, '\0');
  if (Status status = file.readAt(start, text.data(), length); !status.ok())
    return status;
  Header header;
  if (std::string mistake = HeaderParser(text).parse(header); !mistake.empty())
    return fileError(StatusCode::kDataLoss, path, mistake);
  return header;
}

static Expected<Tensor> readNpyFile(const std::string &path) {
  Expected<File> file = File::open(path);
  if (!file.ok())
    return file.status();
  int64_t dataStart;
  Expected<Header> header = readHeader(*file, dataStart);
  if (!header.ok())
    return header.status();
  Expected<DType> dtype = findDType(path, header->dtype);
  if (!dtype.ok())
    return dtype.status();
  if (header->fortran)
    return fileError(StatusCode::kUnimplemented, path,
                     "expects row-major order but got 'fortran_order': True");
  int64_t available = file->size() - dataStart;
  int64_t bytes;
  std::optional<int64_t> count = numElements(header->shape);
  if (!count || __builtin_mul_overflow(*count, dtypeBytes(*dtype), &bytes) ||
      bytes != available)
    return fileError(StatusCode::kDataLoss, path,
                     "expects the data of " +
                         formatType(header->shape, *dtype) + " but got " +
                         std::to_string(available) + " bytes");
  Expected<Tensor> tensor = Tensor::create(*dtype, header->shape);
  if (!tensor.ok())
    return fileError(tensor.status().code(), path, tensor.status().message());
  Status status = file->readAt(dataStart, tensor->data(), bytes);
  if (status.ok())
    status = checkElements(path, tensor->view());
  if (!status.ok())
    return status;
  return tensor;
}

Expected<Tensor> jobrt::readNpy(const std::string &path) {
  return withoutThrowing("read an array", [&] { return readNpyFile(path); });
}

static Status writeNpyFile(const std::string &path, const TensorView &value) {
  std::string text = "{'descr': '";
  text += dtypeNpyName(value.dtype);
  text += "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : value.shape)
    text += std::to_string(extent) + ", ";
  // A comma at the end makes a tuple of one element.
  if (value.shape.size() > 1)
    text.resize(text.size() - 2);
  text += "), }";
  int64_t prefix = kPrefix1;
  if (prefix + int64_t(text.size()) + 64 > UINT16_MAX)
    prefix = kPrefix2;
  // One for the line's end.
  int64_t total = (prefix + int64_t(text.size()) + 1 + 63) / 64 * 64;
  text.resize(total - prefix - 1, ' ');
  text += '\n';

  std::string head(kMagic);
  head += prefix == kPrefix1 ? '\1' : '\2';
  head += '\0';
  for (int64_t i = 0; i < prefix - 8; ++i)
    head += static_cast<char>(text.size() >> (8 * i));
  head += text;

  Expected<File> file = File::stage(path);
  if (!file.ok())
    return file.status();
  Status status = file->write(head.data(), head.size());
  if (status.ok())
    status = file->write(value.data, value.bytes());
  return status.ok() ? file->publish() : status;
}

Status jobrt::writeNpy(const std::string &path, const TensorView &value) {
  return withoutThrowing("write an array",
                         [&] { return writeNpyFile(path, value); });
}
