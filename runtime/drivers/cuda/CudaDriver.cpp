//===- CudaDriver.cpp - A CUDA GPU as a device ----------------------------===//

#include "drivers/cuda/CudaBudget.h"
#include "drivers/cuda/CudaCode.h"
#include "drivers/cuda/nccl/Communicator.h"
#include "lib/base/Guard.h"

#include <algorithm>
#include <charconv>

using namespace jobrt;
using namespace jobrt::cuda;

namespace {
class CudaCodeObject : public CodeObject {
public:
  CudaCodeObject(Engine &engine, Libraries &libraries,
                 nccl::Communicator *communicator,
                 std::shared_ptr<const Artifact> artifact,
                 const DeviceBudget &budget, DeviceCode code,
                 std::unique_ptr<StepLanes> lanes)
      : engine(engine), libraries(libraries), communicator(communicator),
        artifact(std::move(artifact)), budget(budget), code(std::move(code)),
        lanes(std::move(lanes)) {}
  ~CudaCodeObject() override { ending.emplace(engine.context()); }

  Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SessionMemory &memory) override {
    Expected<std::unique_ptr<Program>> program = createCudaProgram(
        engine, *lanes, code, libraries, communicator, entry, memory);
    if (program.ok())
      return program;
    ContextScope scope(engine.context());
    return explainExhaustion(engine.context(), budget, program.status());
  }
  int64_t stagingBytes() const override { return lanes->bytes(); }

private:
  /// Of the destructor: the other members are destroyed in the context.
  std::optional<ContextScope> ending;
  Engine &engine;
  Libraries &libraries;
  nccl::Communicator *communicator;
  /// Keeps the entries and the code.
  std::shared_ptr<const Artifact> artifact;
  const DeviceBudget budget;
  DeviceCode code;
  std::unique_ptr<StepLanes> lanes;
};

class CudaDriver : public Driver {
public:
  CudaDriver(std::unique_ptr<Engine> engine, const SessionOptions &options)
      : context(engine->sharedContext()), engine(std::move(engine)),
        libraries(context), ranks(options.ranks), rank(options.rank),
        communicatorId(options.communicatorId) {}
  ~CudaDriver() override { ending.emplace(*context); }

  const char *name() const override { return "cuda"; }
  // The device computes; one thread of the host waits for it.
  int threads() const override { return 1; }
  bool computes() const override { return true; }
  std::string codeTarget() const override {
    return engine->context().codeTarget();
  }

  Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) override {
    using Result = Expected<std::unique_ptr<DriverMemory>>;
    return withoutThrowing("allocate memory of the device", [&]() -> Result {
      Expected<std::unique_ptr<CudaMemory>> memory =
          CudaMemory::create(engine->sharedContext(), kind, bytes, purpose);
      if (!memory.ok())
        return memory.status();
      return std::unique_ptr<DriverMemory>(std::move(*memory));
    });
  }

  Expected<std::unique_ptr<CodeObject>>
  load(std::shared_ptr<const Artifact> artifact,
       const DeviceShare &share) override {
    ContextScope scope(engine->context());
    if (!scope.status().ok())
      return scope.status();
    Expected<DeviceCode> code = loadDeviceCode(*engine, *artifact, share);
    if (!code.ok())
      return code.status();
    DeviceBudget budget(share);
    Expected<std::unique_ptr<StepLanes>> lanes =
        StepLanes::create(*engine, budget.inputs, budget.outputs);
    if (!lanes.ok())
      return lanes.status();
    if (Status status = join(*artifact); !status.ok())
      return status;
    return std::unique_ptr<CodeObject>(std::make_unique<CudaCodeObject>(
        *engine, libraries, communicator.get(), std::move(artifact), budget,
        std::move(*code), std::move(*lanes)));
  }

  void copy(std::span<const Copy> copies, Completion &completion) override {
    engine->submit(copies, completion);
  }

private:
  Status join(const Artifact &artifact);

  std::shared_ptr<DeviceContext> context;
  /// Of the destructor: the other members are destroyed in the context.
  std::optional<ContextScope> ending;
  /// Outlives the work of the engine.
  std::unique_ptr<nccl::Communicator> communicator;
  std::unique_ptr<Engine> engine;
  Libraries libraries;
  const int ranks, rank;
  const std::optional<CommunicatorId> communicatorId;
};
} // namespace

/// Creates the communicator if the artifact needs one. Blocks until the other
/// ranks do. In the calling thread's context.
Status CudaDriver::join(const Artifact &artifact) {
  const std::vector<EntryInfo> &entries = artifact.entries();
  bool isNeeded = ranks > 1 || std::any_of(entries.begin(), entries.end(),
                                           [](const EntryInfo &entry) {
                                             return entry.hasCollectives;
                                           });
  if (!isNeeded || communicator)
    return {};
  if (ranks > 1 && !communicatorId)
    return Status(StatusCode::kInvalidArgument,
                  "expects the id of a communicator for " +
                      std::to_string(ranks) + " ranks but got none");
  // A single rank shares its id with no other.
  Expected<CommunicatorId> id = communicatorId
                                    ? Expected<CommunicatorId>(*communicatorId)
                                    : nccl::createId(engine->context().api());
  if (!id.ok())
    return id.status();
  Expected<std::unique_ptr<nccl::Communicator>> made =
      nccl::Communicator::create(engine->sharedContext(), ranks, rank, *id);
  if (!made.ok())
    return made.status();
  communicator = std::move(*made);
  engine->setMonitor(communicator.get());
  return {};
}

/// The index of "cuda:1", 0 of "cuda".
static Expected<int> parseIndex(std::string_view driver) {
  size_t colon = driver.find(':');
  if (colon == std::string_view::npos)
    return 0;
  std::string_view digits = driver.substr(colon + 1);
  int index = -1;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || index < 0)
    return Status(StatusCode::kInvalidArgument,
                  "expects a driver cuda or cuda:0 and so on but got '" +
                      std::string(driver) + "'");
  return index;
}

Expected<std::unique_ptr<Driver>>
jobrt::createCudaDriver(const SessionOptions &options) {
  Expected<int> index = parseIndex(options.driver);
  if (!index.ok())
    return index.status();
  Expected<std::shared_ptr<const Api>> api = Api::open(options.cudaLibrary);
  if (!api.ok())
    return api.status();
  Expected<std::shared_ptr<DeviceContext>> context =
      DeviceContext::create(*api, *index);
  if (!context.ok())
    return context.status();
  ContextScope scope(**context);
  if (!scope.status().ok())
    return scope.status();
  Expected<std::unique_ptr<Engine>> engine = Engine::create(*context);
  if (!engine.ok())
    return engine.status();
  return std::unique_ptr<Driver>(
      std::make_unique<CudaDriver>(std::move(*engine), options));
}

Expected<CommunicatorId> jobrt::createCudaId(const SessionOptions &options) {
  Expected<std::shared_ptr<const Api>> api = Api::open(options.cudaLibrary);
  if (!api.ok())
    return api.status();
  return nccl::createId(**api);
}

Expected<std::vector<DeviceInfo>>
jobrt::listCudaDevices(const SessionOptions &options) {
  Expected<std::shared_ptr<const Api>> loaded = Api::load(options.cudaLibrary);
  if (!loaded.ok()) {
    // A machine without CUDA has no GPUs that it runs.
    if (loaded.status().code() == StatusCode::kNotFound &&
        !Api::isNamed(options.cudaLibrary))
      return std::vector<DeviceInfo>();
    return loaded.status();
  }
  const Api &api = **loaded;
  Result result = api.init(0);
  if (result == kErrorNoDevice)
    return std::vector<DeviceInfo>();
  if (Status status = api.check(result, "cuInit", "'" + api.path + "'");
      !status.ok())
    return status;
  return listDevices(api);
}
