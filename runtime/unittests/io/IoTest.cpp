//===- IoTest.cpp - .npy and IDX files ------------------------------------===//

#include "jobrt/checkpoint.h"
#include "unittests/TestArtifact.h"

#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

using namespace jobrt;
using namespace jobrt::test;
namespace fs = std::filesystem;

static std::string readBytes(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

using Reader = Expected<Tensor> (*)(const std::string &);

static void expectRefused(Reader read, const std::string &path, StatusCode code,
                          const std::string &message) {
  Expected<Tensor> tensor = read(path);
  ASSERT_FALSE(tensor.ok()) << message;
  EXPECT_EQ(tensor.status().code(), code) << tensor.status().message();
  EXPECT_EQ(tensor.status().message(), "'" + path + "': " + message);
}

TEST(Io, WhatIsNoFile) {
  TemporaryFolder folder;
  std::string missing = folder.file("missing"), pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (Reader read : {readNpy, readIdx}) {
    expectRefused(read, missing, StatusCode::kNotFound,
                  "cannot open: no such file or directory");
    expectRefused(read, folder.file(""), StatusCode::kInvalidArgument,
                  "expects a file but got a folder");
    expectRefused(read, pipe, StatusCode::kInvalidArgument,
                  "expects a file but got a device or pipe");
  }
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

static std::string npy(const std::string &header, const std::string &data,
                       int major = 1, int minor = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += char(major);
  bytes += char(minor);
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += char(header.size() >> (8 * i));
  return bytes + header + data;
}

TEST(Npy, RoundTripOfEveryTypeAndRank) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  std::mt19937_64 random(testSeed());
  for (DType dtype : allDTypes())
    for (const Shape &shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{0, 4},
                               Shape{1, 2, 3, 4}, Shape(30000, 1)}) {
      Expected<Tensor> tensor = Tensor::create(dtype, shape);
      ASSERT_TRUE(tensor.ok());
      auto *bytes = static_cast<uint8_t *>(tensor->data());
      for (int64_t i = 0; i < tensor->bytes(); ++i)
        bytes[i] = dtype == DType::kI1 ? random() % 2 : random();
      Status status = writeNpy(path, tensor->view());
      ASSERT_TRUE(status.ok()) << status.message();
      Expected<Tensor> read = readNpy(path);
      ASSERT_TRUE(read.ok()) << read.status().message();
      EXPECT_EQ(read->dtype(), dtype);
      EXPECT_EQ(read->shape(), shape);
      EXPECT_EQ(0, std::memcmp(read->data(), bytes, tensor->bytes()));
      EXPECT_EQ((readBytes(path).size() - tensor->bytes()) % 64, 0u);
    }
}

TEST(Npy, HeaderAsNumPyWritesIt) {
  TemporaryFolder folder;
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {2, 3});
  ASSERT_TRUE(writeNpy(folder.file("a.npy"), tensor->view()).ok());
  std::string bytes = readBytes(folder.file("a.npy"));
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  EXPECT_EQ(bytes, npy(header + "\n", std::string(24, '\0')));
}

TEST(Npy, OtherSpellingsOfTheHeader) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  for (const char *header :
       {"{'shape': (2,), 'descr': '<i4', 'fortran_order': False}",
        "{\"descr\": \"<i4\",\"fortran_order\":False,\"shape\":(2L,)}  \n",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2)}"})
    for (int major : {1, 2}) {
      writeFile(path, npy(header, "12345678", major));
      Expected<Tensor> tensor = readNpy(path);
      ASSERT_TRUE(tensor.ok()) << tensor.status().message();
      EXPECT_EQ(tensor->shape(), Shape{2});
      EXPECT_EQ(0, std::memcmp(tensor->data(), "12345678", 8));
    }
}

TEST(Npy, DamagedFiles) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  auto refuse = [&](const std::string &bytes, const std::string &message,
                    StatusCode code = StatusCode::kDataLoss) {
    writeFile(path, bytes);
    expectRefused(readNpy, path, code, message);
  };
  auto header = [](const char *dtype, const char *fortran, const char *shape) {
    return std::string("{'descr': '") + dtype +
           "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  };
  refuse("", "expects a .npy file of at least 10 bytes but got 0");
  refuse("PK\3\4 an archive", "expects a .npy file but got something else");
  refuse(npy("", "", 3), "expects .npy version 1.0 or 2.0 but got 3.0",
         StatusCode::kUnimplemented);
  refuse(npy("", "", 1, 1), "expects .npy version 1.0 or 2.0 but got 1.1",
         StatusCode::kUnimplemented);
  refuse(npy(header("<f4", "False", "(2,)"), "").substr(0, 40),
         "expects a header of at most 30 bytes but got 57");
  refuse(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12),
         "expects a header of at most 0 bytes but got 4294967295");
  refuse(npy("[]", ""), "expects a dictionary as the header");
  refuse(npy("{'descr': 4}", ""), "malformed header at byte 10");
  refuse(npy("{'colour': '<f4'}", ""), "malformed header at byte 10");
  refuse(npy("{'descr': '<f4'", ""), "malformed header at byte 15");
  refuse(npy("{'descr': '<f4', 'descr': '<f4'}", ""),
         "malformed header at byte 31");
  refuse(npy("{'shape': (-2,)}", ""), "malformed header at byte 11");
  refuse(npy("{'shape': (99999999999999999999,)}", ""),
         "malformed header at byte 11");
  refuse(npy("{'shape': (2 3)}", ""), "malformed header at byte 13");
  refuse(npy(header("<f4", "False", "(2,)") + "x", ""),
         "malformed header at byte 57");
  refuse(npy("{'descr': '<f4', 'shape': (2,)}", ""),
         "expects 'descr', 'fortran_order' and 'shape' in the header");
  refuse(npy(header(">f4", "False", "(2,)"), std::string(8, 'x')),
         "expects little-endian elements '<f4' but got '>f4'");
  refuse(
      npy(header("|u2", "False", "(2,)"), "xx"),
      "expects one of '|b1', '|i1', '<i4', '<i8', '<f4', '<f8', '|u1', '<f2', "
      "'<V2' as the dtype but got '|u2'");
  refuse(
      npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': "
          "(1,)}",
          "xxxx"),
      "expects one of '|b1', '|i1', '<i4', '<i8', '<f4', '<f8', '|u1', '<f2', "
      "'<V2' as the dtype but got 'a structure'");
  refuse(npy(header("<f4", "True", "(2, 2)"), std::string(16, 'x')),
         "expects row-major order but got 'fortran_order': True",
         StatusCode::kUnimplemented);
  refuse(npy(header("<f4", "False", "(2,)"), "1234567"),
         "expects the data of 2xf32 but got 7 bytes");
  refuse(npy(header("<f4", "False", "(2,)"), "123456789"),
         "expects the data of 2xf32 but got 9 bytes");
  refuse(npy(header("<f4", "False", "(4611686018427387904,)"), ""),
         "expects the data of 4611686018427387904xf32 but got 0 bytes");
  refuse(npy(header("|b1", "False", "(2,)"), std::string("\1\2", 2)),
         "expects 0 or 1 for element 1 of 2xi1 but got 2");
}

TEST(Npy, AFullDiskIsAnError) {
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {1024});
  Status status = writeNpy("/dev/full", tensor->view());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "'/dev/full': cannot write 128 bytes after the first 0: no space "
            "left on device");
  TemporaryFolder folder;
  std::string path = folder.file("none/a.npy");
  status = writeNpy(path, tensor->view());
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "'" + path + "': cannot create: no such file or directory");
}

TEST(Npy, AnErrorLeavesWhatWasThere) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy"), link = folder.file("link.npy");
  Expected<Tensor> old = Tensor::create(DType::kF32, {2});
  Expected<Tensor> large = Tensor::create(DType::kF32, {1024});
  ASSERT_TRUE(writeNpy(path, old->view()).ok());

  // Files of at most 200 bytes: the head and a part of the data.
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit saved;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  rlimit limit = {200, saved.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  Status replaced = writeNpy(path, large->view());
  Status added = writeNpy(folder.file("b.npy"), large->view());
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(replaced.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(replaced.message(),
            "'" + path +
                "': cannot write 4024 bytes after the first 200: file "
                "too large");
  EXPECT_EQ(added.code(), StatusCode::kResourceExhausted);
  Expected<Tensor> read = readNpy(path);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->shape(), old->shape());
  auto files = std::filesystem::directory_iterator(folder.file(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);

  // A link stays one.
  std::filesystem::create_symlink(path, link);
  ASSERT_TRUE(writeNpy(link, large->view()).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(readNpy(path)->shape(), large->shape());
}

TEST(Npy, AFileKeepsItsModeAndItsNames) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy"), other = folder.file("b.npy");
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {2});
  writeFile(path, "old");
  const mode_t mask = umask(022);
  Status status = writeNpy(other, tensor->view());
  for (mode_t mode : {0600, 0620, 0666, 0755}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_TRUE(writeNpy(path, tensor->view()).ok());
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, mode);
  }
  umask(mask);
  ASSERT_TRUE(status.ok()) << status.message();
  struct stat info;
  ASSERT_EQ(stat(other.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0644u);

  // Of two names of one file, both have the new array.
  fs::remove(other);
  fs::create_hard_link(path, other);
  Expected<Tensor> large = Tensor::create(DType::kF32, {1024});
  ASSERT_TRUE(writeNpy(path, large->view()).ok());
  EXPECT_TRUE(fs::equivalent(path, other));
  EXPECT_EQ(readNpy(other)->shape(), large->shape());
}

/// Writes an array as a user without the rights of root; none where root cannot
/// become one.
static std::optional<Status> writeUnprivileged(const std::string &path,
                                               Tensor &tensor) {
  Unprivileged user;
  if (!user.ok)
    return std::nullopt;
  return writeNpy(path, tensor.view());
}

static const char *const isRootOnly =
    "root, who may write anywhere, cannot become another user here";

/// Writes an array over the file `path`, in place or not, as a user without the
/// rights of root.
static void expectWritten(const std::string &path) {
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {7});
  struct stat before, after;
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  std::optional<Status> status = writeUnprivileged(path, *tensor);
  if (!status)
    GTEST_SKIP() << isRootOnly;
  ASSERT_TRUE(status->ok()) << status->message();
  EXPECT_EQ(readNpy(path)->shape(), tensor->shape());
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_EQ(before.st_uid, after.st_uid);
  EXPECT_EQ(before.st_mode, after.st_mode);
  auto files = fs::directory_iterator(fs::path(path).parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Npy, AFileInAFolderThatMayNotBeWritten) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  writeFile(path, "old");
  fs::permissions(path, fs::perms(0666));
  fs::permissions(folder.file(""), fs::perms(0555));
  expectWritten(path);
  fs::permissions(folder.file(""), fs::perms(0755));
}

TEST(Npy, AFileOfAnotherOwner) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  writeFile(path, "old");
  fs::permissions(path, fs::perms(0666));
  fs::permissions(folder.file(""), fs::perms(0777));
  expectWritten(path);
}

/// As single files are in containers; in a child, which has mounts of its own.
TEST(Npy, AMountedFileIsWrittenInPlace) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy"), host = folder.file("host.npy");
  writeFile(path, "unused");
  writeFile(host, "old");
  constexpr int cannotMount = 77;
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(host.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0)
      _exit(cannotMount);
    Expected<Tensor> tensor = Tensor::create(DType::kF32, {7});
    _exit(writeNpy(path, tensor->view()).ok() ? 0 : 1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == cannotMount)
    GTEST_SKIP() << "cannot mount a file here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(readNpy(host)->shape(), (std::vector<int64_t>{7}));
  EXPECT_EQ(fs::file_size(path), std::strlen("unused"));
}

TEST(Npy, AFileThatMayNotBeWritten) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {7});
  writeFile(path, "old");
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder.file(""), fs::perms(0777));
  std::optional<Status> status = writeUnprivileged(path, *tensor);
  if (!status)
    GTEST_SKIP() << isRootOnly;
  EXPECT_EQ(status->message(),
            "'" + path + "': cannot create: permission denied");
  EXPECT_EQ(readBytes(path), "old");
}

TEST(Npy, NamesAsLongAsTheSystemTakesThem) {
  TemporaryFolder folder;
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {7});
  std::string path = folder.file(std::string(255, 'a'));
  Status status = writeNpy(path, tensor->view());
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(readNpy(path)->shape(), tensor->shape());
  path += "a";
  EXPECT_EQ(writeNpy(path, tensor->view()).message(),
            "'" + path + "': cannot create: file name too long");

  // A path that has no room for the name of a temporary file.
  path = folder.file("");
  while (path.size() + 2 < PATH_MAX - 1) {
    path += std::string(std::min<size_t>(200, PATH_MAX - 3 - path.size()), 'b');
    path += "/";
    ASSERT_EQ(mkdir(path.c_str(), 0755), 0) << path.size();
  }
  path += "a";
  status = writeNpy(path, tensor->view());
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(readNpy(path)->shape(), tensor->shape());
}

TEST(Npy, RandomDamageIsAnErrorOrAnArray) {
  std::mt19937_64 random(testSeed());
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  std::string good =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          std::string(24, 'x'));
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good;
    for (int flips = 1 + random() % 3; flips > 0; --flips)
      bytes[random() % bytes.size()] = random();
    writeFile(path, bytes.substr(0, bytes.size() - random() % 2));
    Expected<Tensor> tensor = readNpy(path);
    if (!tensor.ok())
      EXPECT_TRUE(contains(tensor.status().message(), path));
  }
}

//===----------------------------------------------------------------------===//
// IDX
//===----------------------------------------------------------------------===//

static std::string idx(const std::vector<uint32_t> &shape,
                       const std::string &data, int type = 8) {
  std::string bytes{'\0', '\0', char(type), char(shape.size())};
  for (uint32_t extent : shape)
    for (int shift : {24, 16, 8, 0})
      bytes += char(extent >> shift);
  return bytes + data;
}

static void writeGzip(const std::string &path, const std::string &bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_TRUE(file);
  ASSERT_EQ(gzwrite(file, bytes.data(), bytes.size()), int(bytes.size()));
  ASSERT_EQ(gzclose(file), Z_OK);
}

TEST(Idx, PlainAndGzipped) {
  TemporaryFolder folder;
  std::string path = folder.file("a"), data = "\xff\1\2\3\4\5";
  for (bool gzipped : {false, true}) {
    gzipped ? writeGzip(path, idx({2, 3}, data))
            : writeFile(path, idx({2, 3}, data));
    Expected<Tensor> tensor = readIdx(path);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->dtype(), DType::kUI8);
    EXPECT_EQ(tensor->shape(), (Shape{2, 3}));
    EXPECT_EQ(0, std::memcmp(tensor->data(), data.data(), 6));
  }
}

TEST(Idx, FashionMnist) {
  std::string path =
      "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz";
  if (!fs::exists(path))
    GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  Expected<Tensor> tensor = readIdx(path);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(tensor->shape(), (Shape{10000, 28, 28}));
}

TEST(Idx, DamagedFiles) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  auto refuse = [&](const std::string &bytes, const std::string &message) {
    writeFile(path, bytes);
    expectRefused(readIdx, path, StatusCode::kDataLoss, message);
  };
  refuse("", "truncated: expects an IDX header of at least 4 bytes but got 0");
  refuse(std::string("\0\0\x8", 3),
         "truncated: expects an IDX header of at least 4 bytes but got 3");
  refuse("PK\3\4", "expects an IDX file but got something else");
  refuse(idx({2}, "12", 13),
         "expects elements of IDX type 8 (unsigned bytes) but got type 13");
  refuse(idx({}, ""), "expects at least 1 dimension but got 0");
  refuse(idx({2, 3}, "").substr(0, 9),
         "truncated: expects 2 extents but got 5 bytes");
  refuse(idx({2, 3}, "12345"), "truncated: expects 6 elements but got 5");
  refuse(idx({0xffffffff, 0xffffffff}, "1"),
         "truncated: expects the elements of 4294967295x4294967295xui8 but got "
         "at most 13 bytes");
  refuse(idx({1000, 1000}, "1"),
         "truncated: expects the elements of 1000x1000xui8 but got at most 13 "
         "bytes");
  refuse(idx({2, 3}, "1234567"), "expects 6 elements but got more");
}

TEST(Idx, DamagedGzip) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  std::mt19937 random(7);
  std::string data(5000, '\0');
  for (char &c : data)
    c = random();
  writeGzip(path, idx({50, 100}, data));
  std::string good = readBytes(path);
  auto refuse = [&](const std::string &bytes, const std::string &message) {
    writeFile(path, bytes);
    expectRefused(readIdx, path, StatusCode::kDataLoss, message);
  };
  refuse(good.substr(0, 2000), "truncated gzip file");
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  refuse(flipped, "damaged gzip file: incorrect data check");
  // More than any gzip file of this size can hold.
  writeGzip(path, idx({1 << 30}, "1"));
  std::string message = "truncated: expects the elements of 1073741824xui8 but "
                        "got at most " +
                        std::to_string(1040 * fs::file_size(path)) + " bytes";
  expectRefused(readIdx, path, StatusCode::kDataLoss, message);
}
