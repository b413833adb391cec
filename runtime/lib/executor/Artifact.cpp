//===- Artifact.cpp - A compiled module, loaded ---------------------------===//

#include "jobrt/artifact.h"
#include "lib/base/Guard.h"
#include "lib/base/SystemError.h"
#include "lib/executor/Container.h"
#include "lib/executor/Manifest.h"

#include <cerrno>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

using namespace jobrt;

const char *jobrt::jobKindName(JobKind kind) {
  switch (kind) {
  case JobKind::kTrain:
    return "train";
  case JobKind::kPredict:
    return "predict";
  case JobKind::kInit:
    return "init";
  }
  return "unknown";
}

const char *jobrt::spaceName(Space space) {
  switch (space) {
  case Space::kArena:
    return "arena";
  case Space::kBank:
    return "bank";
  case Space::kInput:
    return "input";
  case Space::kOutput:
    return "output";
  case Space::kConstant:
    return "constant";
  case Space::kWorkspace:
    return "workspace";
  }
  return "unknown";
}

const char *jobrt::deviceKindName(DeviceKind kind) {
  return kind == DeviceKind::kHost ? "host" : "cuda";
}

const char *jobrt::collectiveName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::kAllReduce:
    return "all_reduce";
  case CollectiveKind::kReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::kAllGather:
    return "all_gather";
  case CollectiveKind::kBroadcast:
    return "broadcast";
  case CollectiveKind::kSend:
    return "send";
  case CollectiveKind::kRecv:
    return "recv";
  }
  return "unknown";
}

const char *jobrt::reductionName(Reduction reduction) {
  switch (reduction) {
  case Reduction::kSum:
    return "sum";
  case Reduction::kProd:
    return "prod";
  case Reduction::kMin:
    return "min";
  case Reduction::kMax:
    return "max";
  case Reduction::kAvg:
    return "avg";
  }
  return "unknown";
}

static Status systemError(int number, const std::string &what) {
  return Status(number == ENOENT ? StatusCode::kNotFound : StatusCode::kIo,
                what + ": " + describeSystemError(number));
}

namespace {
/// A file opened for reading, closed at the end.
class InputFile {
public:
  InputFile() = default;
  ~InputFile() {
    if (number >= 0)
      close(number);
  }
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  Status open(const std::string &path);
  Expected<std::string> readAll() const;
  int descriptor() const { return number; }
  /// What tells this file from all others as long as it is open.
  std::pair<dev_t, ino_t> identity() const {
    return {info.st_dev, info.st_ino};
  }

private:
  int number = -1;
  struct stat info = {};
};

/// The ELF part of an artifact as the system's loader has it, shared by all
/// artifacts of one file.
class LoadedLibrary {
public:
  LoadedLibrary(std::unique_ptr<InputFile> file, uint32_t checksum)
      : file(std::move(file)), checksum(checksum) {}
  ~LoadedLibrary() {
    if (handle)
      dlclose(handle);
  }
  LoadedLibrary(const LoadedLibrary &) = delete;
  LoadedLibrary &operator=(const LoadedLibrary &) = delete;

  /// The library of a file with that checksum, opened unless it is already.
  static Expected<std::shared_ptr<LoadedLibrary>>
  open(std::unique_ptr<InputFile> file, uint32_t checksum);

  /// Null when there is no such symbol.
  void *symbol(const char *name) const { return dlsym(handle, name); }

private:
  Status load();

  /// Open for as long as the library: see load().
  std::unique_ptr<InputFile> file;
  uint32_t checksum;
  void *handle = nullptr;
};
} // namespace

Status InputFile::open(const std::string &path) {
  // Not blocking, so that a pipe of that name is refused and not waited for.
  number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0)
    return systemError(errno, "cannot open");
  if (fstat(number, &info) != 0)
    return systemError(errno, "cannot read");
  if (!S_ISREG(info.st_mode))
    return Status(StatusCode::kIo, "expects a regular file");
  return {};
}

Expected<std::string> InputFile::readAll() const {
  // Not mapped: a file that shrinks while it is read must not be a signal.
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  size_t filled = 0;
  while (filled < bytes.size()) {
    ssize_t count = pread(number, bytes.data() + filled, bytes.size() - filled,
                          static_cast<off_t>(filled));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(errno, "cannot read");
    if (count == 0)
      break;
    filled += static_cast<size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

Expected<std::shared_ptr<LoadedLibrary>>
LoadedLibrary::open(std::unique_ptr<InputFile> file, uint32_t checksum) {
  // The loader takes a file that it has open already for the same library,
  // whatever is in it by now; so we know what we loaded.
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, std::weak_ptr<LoadedLibrary>> loaded;
  std::lock_guard lock(mutex);
  std::erase_if(loaded, [](const auto &item) { return item.second.expired(); });
  std::weak_ptr<LoadedLibrary> &known = loaded[file->identity()];
  if (std::shared_ptr<LoadedLibrary> library = known.lock()) {
    if (library->checksum == checksum)
      return library;
    return Status(StatusCode::kDataLoss,
                  "the file was overwritten in place while it is loaded: "
                  "expects a new file renamed over the old one");
  }
  auto library = std::make_shared<LoadedLibrary>(std::move(file), checksum);
  if (Status status = library->load(); !status.ok())
    return status;
  known = library;
  return library;
}

Status LoadedLibrary::load() {
  // Through the open file: it is the very file that was checked, and no other
  // library has this name while it is open. The loader compares names first,
  // so by its path an artifact that was compiled again would be the old one.
  std::string name = "/proc/self/fd/" + std::to_string(file->descriptor());
  handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return {};
  const char *reason = dlerror();
  return Status(StatusCode::kDataLoss,
                std::string("the code cannot be loaded: ") +
                    (reason ? reason : "unknown reason"));
}

struct Artifact::Impl {
  Status load();
  Status resolveConstants();
  /// The address of aligned data that the code exports under that name.
  Expected<const void *> findData(const std::string &symbol,
                                  int64_t bytes) const;

  std::string path;
  Manifest manifest;
  std::shared_ptr<LoadedLibrary> library;
  const void *constants = nullptr;
};

Status Artifact::Impl::load() {
  auto file = std::make_unique<InputFile>();
  if (Status status = file->open(path); !status.ok())
    return status;
  Expected<std::string> bytes = file->readAll();
  if (!bytes.ok())
    return bytes.status();
  Expected<Container> container = openContainer(*bytes);
  if (!container.ok())
    return container.status();
  Expected<Manifest> parsed = parseManifest(container->manifest);
  if (!parsed.ok())
    return Status(parsed.status().code(),
                  "manifest: " + parsed.status().message());
  manifest = std::move(*parsed);
  Expected<std::shared_ptr<LoadedLibrary>> opened =
      LoadedLibrary::open(std::move(file), container->checksum);
  if (!opened.ok())
    return opened.status();
  library = std::move(*opened);
  if (Status status = resolveConstants(); !status.ok())
    return status;
  for (CodeBlob &blob : manifest.code) {
    Expected<const void *> data = findData(blob.symbol, blob.bytes);
    if (!data.ok())
      return data.status();
    blob.data = *data;
  }
  return {};
}

Status Artifact::Impl::resolveConstants() {
  if (manifest.constantsBytes == 0)
    return {};
  Expected<const void *> data =
      findData(JOBRT_CONSTANTS_SYMBOL, manifest.constantsBytes);
  if (!data.ok())
    return data.status();
  constants = *data;
  return {};
}

Expected<const void *> Artifact::Impl::findData(const std::string &name,
                                                int64_t bytes) const {
  void *address = library->symbol(name.c_str());
  if (!address)
    return Status(StatusCode::kDataLoss,
                  "the code has no symbol '" + name + "'");
  if (reinterpret_cast<uintptr_t>(address) % JOBRT_ALIGNMENT != 0)
    return Status(StatusCode::kDataLoss,
                  "expects '" + name + "' to be aligned to " +
                      std::to_string(JOBRT_ALIGNMENT) + " bytes");
  Dl_info info;
  const ElfW(Sym) *symbol = nullptr;
  if (!dladdr1(address, &info,
               reinterpret_cast<void **>(const_cast<ElfW(Sym) **>(&symbol)),
               RTLD_DL_SYMENT) ||
      !symbol || symbol->st_size < static_cast<uint64_t>(bytes))
    return Status(StatusCode::kDataLoss,
                  "expects '" + name + "' to have " + std::to_string(bytes) +
                      " bytes but got " +
                      std::to_string(symbol ? symbol->st_size : 0));
  return static_cast<const void *>(address);
}

Expected<std::shared_ptr<const Artifact>>
Artifact::load(const std::string &path) {
  using Result = Expected<std::shared_ptr<const Artifact>>;
  return withoutThrowing("load an artifact", [&]() -> Result {
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    Status status = impl->load();
    if (!status.ok())
      return Status(status.code(), "'" + path + "': " + status.message(),
                    status.location());
    return std::shared_ptr<const Artifact>(new Artifact(std::move(impl)));
  });
}

Artifact::Artifact(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Artifact::~Artifact() = default;

const std::string &Artifact::path() const { return impl->path; }

std::string jobrt::formatType(const PortInfo &port) {
  if (port.count < 0)
    return formatType(port.shape, port.dtype);
  std::string text;
  for (size_t dim = 0; dim < port.shape.size(); ++dim) {
    std::string extent = std::to_string(port.shape[dim]);
    text += static_cast<int32_t>(dim) == port.boundedDim ? "?<=" + extent + ">x"
                                                         : extent + "x";
  }
  return text + dtypeName(port.dtype);
}

const std::string &Artifact::compiler() const {
  return impl->manifest.compiler;
}

const std::string &Artifact::interface() const {
  return impl->manifest.interface;
}

const std::vector<EntryInfo> &Artifact::entries() const {
  return impl->manifest.entries;
}

const EntryInfo *Artifact::findEntry(std::string_view name) const {
  for (const EntryInfo &entry : entries())
    if (entry.name == name)
      return &entry;
  return nullptr;
}

const std::vector<VariableInfo> &Artifact::variables() const {
  return impl->manifest.variables;
}

const VariableInfo *Artifact::findVariable(std::string_view name) const {
  for (const VariableInfo &variable : variables())
    if (variable.name == name)
      return &variable;
  return nullptr;
}

int64_t Artifact::bankBytes() const { return impl->manifest.bankBytes(); }

int64_t Artifact::constantsBytes() const {
  return impl->manifest.constantsBytes;
}

const void *Artifact::constants() const { return impl->constants; }

const std::vector<std::string> &Artifact::cpuFeatures() const {
  return impl->manifest.features;
}

const std::vector<ArtifactDevice> &Artifact::devices() const {
  return impl->manifest.devices;
}

const std::string &Artifact::driver() const { return impl->manifest.driver; }
int Artifact::ranks() const { return impl->manifest.ranks.value_or(1); }

const std::vector<CodeBlob> &Artifact::code() const {
  return impl->manifest.code;
}

void *Artifact::findSymbol(const char *name) const {
  return impl->library->symbol(name);
}
