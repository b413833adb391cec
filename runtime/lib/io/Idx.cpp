//===- Idx.cpp - The IDX files of MNIST -----------------------------------===//
//
// Two zero bytes, the element type, the rank, the extents as big-endian 32-bit
// numbers, the elements. zlib reads them gzipped or not.
//
//===----------------------------------------------------------------------===//

#include "jobrt/checkpoint.h"
#include "lib/base/Guard.h"
#include "lib/io/File.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <zlib.h>

using namespace jobrt;

static constexpr int kUnsignedByte = 0x08;
/// What deflate can gain at most, a little above 1032.
static constexpr int64_t kLargestRatio = 1040;

namespace {
/// A file that may be gzipped.
class GzipReader {
public:
  ~GzipReader() {
    if (stream)
      gzclose_r(stream);
  }

  Status open(const std::string &path) {
    name = path;
    Expected<File> file = File::open(path);
    if (!file.ok())
      return file.status();
    fileBytes = file->size();
    errno = 0;
    stream = gzopen(path.c_str(), "rbe");
    if (!stream && errno == 0)
      errno = ENOMEM;
    return stream ? Status() : systemError(path, "open");
  }

  /// Reads up to `count` bytes; fewer only at the end.
  Expected<int64_t> read(void *data, int64_t count) {
    int64_t done = 0;
    while (done < count) {
      unsigned step = std::min<int64_t>(count - done, 1 << 30);
      int got = gzread(stream, static_cast<char *>(data) + done, step);
      if (got < 0)
        return failure();
      if (got == 0)
        break;
      done += got;
    }
    // A stream that stops in its middle is told at the end only.
    int error;
    gzerror(stream, &error);
    if (done < count && error != Z_OK)
      return failure();
    return done;
  }

  /// More bytes than there can be.
  int64_t sizeLimit() const {
    int64_t limit;
    if (gzdirect(stream))
      return fileBytes;
    return __builtin_mul_overflow(fileBytes, kLargestRatio, &limit) ? INT64_MAX
                                                                    : limit;
  }

private:
  Status failure() {
    int error;
    const char *text = gzerror(stream, &error);
    if (error == Z_ERRNO)
      return systemError(name, "read");
    if (error == Z_BUF_ERROR)
      return fileError(StatusCode::kDataLoss, name, "truncated gzip file");
    // zlib puts the path first.
    std::string_view reason = text;
    if (reason.starts_with(name + ": "))
      reason.remove_prefix(name.size() + 2);
    return fileError(StatusCode::kDataLoss, name,
                     "damaged gzip file: " + std::string(reason));
  }

  std::string name;
  gzFile stream = nullptr;
  int64_t fileBytes = 0;
};
} // namespace

static Expected<Tensor> readIdxFile(const std::string &path) {
  auto dataLoss = [&](const std::string &message) {
    return fileError(StatusCode::kDataLoss, path, message);
  };
  GzipReader reader;
  if (Status status = reader.open(path); !status.ok())
    return status;
  unsigned char magic[4];
  Expected<int64_t> got = reader.read(magic, sizeof(magic));
  if (!got.ok())
    return got.status();
  if (*got != sizeof(magic))
    return dataLoss("truncated: expects an IDX header of at least 4 bytes but "
                    "got " +
                    std::to_string(*got));
  if (magic[0] != 0 || magic[1] != 0)
    return dataLoss("expects an IDX file but got something else");
  if (magic[2] != kUnsignedByte)
    return dataLoss("expects elements of IDX type 8 (unsigned bytes) but got "
                    "type " +
                    std::to_string(magic[2]));
  int rank = magic[3];
  if (rank == 0)
    return dataLoss("expects at least 1 dimension but got 0");

  std::vector<unsigned char> header(4 * rank);
  got = reader.read(header.data(), header.size());
  if (!got.ok())
    return got.status();
  if (*got != int64_t(header.size()))
    return dataLoss("truncated: expects " + std::to_string(rank) +
                    " extents but got " + std::to_string(*got) + " bytes");
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    const unsigned char *bytes = &header[4 * i];
    shape.push_back(int64_t(bytes[0]) << 24 | bytes[1] << 16 | bytes[2] << 8 |
                    bytes[3]);
  }
  std::optional<int64_t> count = numElements(shape);
  int64_t limit = reader.sizeLimit();
  if (!count || *count > limit)
    return dataLoss("truncated: expects the elements of " +
                    formatType(shape, DType::kUI8) + " but got at most " +
                    std::to_string(limit) + " bytes");

  Expected<Tensor> tensor = Tensor::create(DType::kUI8, shape);
  if (!tensor.ok())
    return fileError(tensor.status().code(), path, tensor.status().message());
  got = reader.read(tensor->data(), *count);
  if (!got.ok())
    return got.status();
  if (*got != *count)
    return dataLoss("truncated: expects " + std::to_string(*count) +
                    " elements but got " + std::to_string(*got));
  // Reading on to the end also checks gzip's checksum.
  char extra;
  got = reader.read(&extra, 1);
  if (!got.ok())
    return got.status();
  if (*got != 0)
    return dataLoss("expects " + std::to_string(*count) +
                    " elements but got more");
  return tensor;
}

Expected<Tensor> jobrt::readIdx(const std::string &path) {
  return withoutThrowing("read an IDX file", [&] { return readIdxFile(path); });
}
