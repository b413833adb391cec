//===- ArtifactRun.cpp - A module compiled, loaded and run ----------------===//

#include "ArtifactRun.h"

#include "JobDialect/Target/Artifact.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult ArtifactRun::fail(const jobrt::Status &status) {
  return emitError(loc) << status.toString();
}

FailureOr<std::unique_ptr<ArtifactRun>> ArtifactRun::create(ModuleOp lowered) {
  Location loc = lowered.getLoc();
  FailureOr<TargetDescription> target =
      TargetDescription::create(loc, "native", "");
  if (failed(target))
    return failure();
  std::unique_ptr<ArtifactRun> result(new ArtifactRun(loc));
  llvm::Expected<std::string> path = result->files.create("so");
  if (!path)
    return emitError(loc) << llvm::toString(path.takeError());
  if (failed(writeArtifact(lowered, *target, *path)))
    return failure();
  auto artifact = jobrt::Artifact::load(*path);
  if (!artifact.ok())
    return result->fail(artifact.status());
  auto session = jobrt::Session::create(*artifact);
  if (!session.ok())
    return result->fail(session.status());
  result->session = std::move(*session);
  return result;
}

LogicalResult ArtifactRun::initialize(int64_t seed) {
  if (jobrt::Status status = session->initialize(seed); !status.ok())
    return fail(status);
  return success();
}

/// A view of what `bytes` hold, of an input's or variable's type.
template <typename Info>
static jobrt::TensorView viewOf(const Info &info, std::vector<char> &bytes) {
  return {info.dtype, info.shape, bytes.data()};
}

LogicalResult ArtifactRun::setVariables(
    const std::map<std::string, ReferenceTensor> &variables) {
  for (const jobrt::VariableInfo &info : session->artifact().variables()) {
    auto it = variables.find(info.name);
    if (it == variables.end())
      continue;
    std::vector<char> bytes = it->second.toBytes();
    jobrt::Status status =
        session->writeVariable(info.name, viewOf(info, bytes));
    if (!status.ok())
      return fail(status);
  }
  return success();
}

FailureOr<ReferenceTensor> ArtifactRun::getVariable(StringRef name,
                                                    BlobType type) {
  auto tensor = session->readVariable({name.data(), name.size()});
  if (!tensor.ok())
    return fail(tensor.status());
  jobrt::TensorView view = tensor->view();
  FailureOr<ReferenceTensor> value =
      ReferenceTensor::fromBytes(type, {static_cast<const char *>(view.data),
                                        static_cast<size_t>(view.bytes())});
  assert(succeeded(value) && "the artifact is compiled from this module");
  return value;
}

/// Moves the elements of a bounded output, which the runtime has packed, to
/// where they are in an array of its bound.
static void unpackElements(std::vector<char> &bytes,
                           const jobrt::PortInfo &port, int64_t count) {
  ArrayRef<int64_t> shape = port.shape;
  int64_t slices = llvm::product_of(shape.take_front(port.boundedDim));
  int64_t to = port.bytes / slices, from = to / shape[port.boundedDim] * count;
  for (int64_t slice = slices - 1; slice >= 0; --slice) {
    char *begin = bytes.data() + slice * to;
    std::memmove(begin, bytes.data() + slice * from, from);
    std::memset(begin + from, 0, to - from);
  }
}

LogicalResult ArtifactRun::run(StringRef job, ArrayRef<ReferenceTensor> inputs,
                               TypeRange resultTypes,
                               SmallVectorImpl<ReferenceTensor> &results) {
  const jobrt::EntryInfo *entry =
      session->artifact().findEntry({job.data(), job.size()});
  assert(entry && "the artifact is compiled from this module");
  std::vector<std::vector<char>> bytes;
  std::vector<jobrt::TensorView> views;
  for (auto [input, info] : llvm::zip_equal(inputs, entry->inputs)) {
    bytes.push_back(input.toBytes());
    views.push_back(viewOf(info, bytes.back()));
  }
  auto future = session->run(entry->name, views);
  if (!future.ok())
    return fail(future.status());
  if (jobrt::Status status = future->wait(); !status.ok())
    return fail(status);
  for (auto [index, type] : llvm::enumerate(resultTypes)) {
    const jobrt::PortInfo &port = entry->outputs[index];
    const char *data = static_cast<const char *>(future->outputData(index));
    // Of a bounded result, what is past its count is compared as well.
    std::vector<char> unpacked(data, data + port.bytes);
    if (port.count >= 0)
      unpackElements(unpacked, port,
                     future->output(index).shape[port.boundedDim]);
    results.push_back(*ReferenceTensor::fromBytes(
        cast<BlobType>(type), {unpacked.data(), unpacked.size()}));
  }
  return success();
}
