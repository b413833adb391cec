//===- Backend.cpp - What runs the steps ----------------------------------===//

#include "Backend.h"

#include "JobDialect/Reference/Interpreter.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>

using namespace jobrt;
using mlir::job::BlobType;
using mlir::job::Interpreter;
using mlir::job::ReferenceTensor;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<TensorView> viewsOf(std::vector<Tensor> &tensors) {
  std::vector<TensorView> views;
  for (Tensor &tensor : tensors)
    views.push_back(tensor.view());
  return views;
}

class CompiledBackend : public jobrun::Backend {
public:
  CompiledBackend(Session &session, std::vector<double> &seconds)
      : session(session), seconds(seconds) {}

  Expected<std::vector<Tensor>> run(const EntryInfo &entry,
                                    std::vector<Tensor> &inputs) override {
    std::vector<TensorView> views = viewsOf(inputs);
    Clock::time_point start = Clock::now();
    Expected<Future> future = session.run(entry.name, views);
    if (!future.ok())
      return future.status();
    if (Status status = future->wait(); !status.ok())
      return status;
    seconds.push_back(secondsSince(start));
    std::vector<Tensor> outputs;
    for (int i = 0; i < future->numOutputs(); ++i) {
      TensorView view = future->output(i);
      Expected<Tensor> output = Tensor::create(view.dtype, view.shape);
      if (!output.ok())
        return output.status();
      std::memcpy(output->data(), view.data, view.bytes());
      outputs.push_back(std::move(*output));
    }
    return outputs;
  }

  Status finish() override { return {}; }

private:
  Session &session;
  std::vector<double> &seconds;
};

class ReferenceBackend : public jobrun::Backend {
public:
  ReferenceBackend(Session &session, mlir::ModuleOp module,
                   llvm::StringRef entry, std::vector<double> &seconds)
      : session(session), module(module), interpreter(module),
        seconds(seconds) {
    llvm::SetVector<mlir::StringAttr> names;
    std::optional<mlir::SymbolTable::UseRange> uses =
        mlir::SymbolTable::getSymbolUses(module.lookupSymbol(entry));
    for (mlir::SymbolTable::SymbolUse use : *uses)
      names.insert(use.getSymbolRef().getRootReference());
    for (mlir::StringAttr name : names)
      if (auto variable = module.lookupSymbol<mlir::job::VariableOp>(name))
        variables.push_back(variable);
  }

  Status start() {
    for (mlir::job::VariableOp variable : variables) {
      Expected<Tensor> value = session.readVariable(variable.getSymName());
      if (!value.ok())
        return value.status();
      Expected<ReferenceTensor> tensor =
          toReference(value->view(), variable.getDeclaredType());
      if (!tensor.ok())
        return tensor.status();
      if (failed(interpreter.setVariable(variable.getSymName(), *tensor)))
        return interpreterFailed(variable.getSymName());
    }
    return {};
  }

  Expected<std::vector<Tensor>> run(const EntryInfo &entry,
                                    std::vector<Tensor> &inputs) override {
    auto job = module.lookupSymbol<mlir::job::FuncOp>(entry.name);
    llvm::SmallVector<ReferenceTensor> arguments, results;
    for (auto [input, type] : llvm::zip(inputs, job.getArgumentTypes())) {
      Expected<ReferenceTensor> argument =
          toReference(input.view(), mlir::cast<BlobType>(type));
      if (!argument.ok())
        return argument.status();
      arguments.push_back(std::move(*argument));
    }
    Clock::time_point start = Clock::now();
    if (failed(interpreter.run(entry.name, arguments, results)))
      return interpreterFailed(entry.name);
    seconds.push_back(secondsSince(start));
    std::vector<Tensor> outputs;
    for (auto [result, port] : llvm::zip(results, entry.outputs)) {
      std::vector<char> bytes = result.toBytes();
      Shape shape = port.shape;
      if (port.count >= 0) {
        auto dim = static_cast<size_t>(port.boundedDim);
        int64_t count = results[port.count].getIntegers().front();
        if (count < 0 || count > shape[dim])
          return Status(StatusCode::kInternal,
                        "job '" + entry.name + "', output '" + port.name +
                            "': expects a count of 0 to " +
                            std::to_string(shape[dim]) + " but got " +
                            std::to_string(count));
        jobrt::packElements(bytes.data(), shape, port.dtype, dim, count);
        shape[dim] = count;
      }
      Expected<Tensor> output = toTensor(bytes, port.dtype, shape);
      if (!output.ok())
        return output.status();
      outputs.push_back(std::move(*output));
    }
    return outputs;
  }

  Status finish() override {
    std::vector<Tensor> values;
    std::vector<std::pair<std::string, TensorView>> writes;
    for (mlir::job::VariableOp op : variables) {
      const VariableInfo &variable =
          *session.artifact().findVariable(op.getSymName().str());
      Expected<Tensor> value =
          toTensor(interpreter.getVariable(variable.name)->toBytes(),
                   variable.dtype, variable.shape);
      if (!value.ok())
        return value.status();
      writes.emplace_back(variable.name, value->view());
      values.push_back(std::move(*value));
    }
    return session.writeVariables(writes);
  }

private:
  static Status interpreterFailed(llvm::StringRef what) {
    return Status(StatusCode::kInternal,
                  "the interpreter failed on " + what.str());
  }

  static Expected<ReferenceTensor> toReference(TensorView view, BlobType type) {
    llvm::ArrayRef<char> bytes(static_cast<const char *>(view.data),
                               view.bytes());
    llvm::FailureOr<ReferenceTensor> tensor =
        ReferenceTensor::fromBytes(type, bytes);
    if (failed(tensor))
      return Status(StatusCode::kInvalidArgument,
                    "expects " + std::to_string(type.getBytes()) +
                        " bytes but got " + std::to_string(view.bytes()));
    return std::move(*tensor);
  }

  /// `shape` may be of the first rows only.
  static Expected<Tensor> toTensor(const std::vector<char> &bytes, DType dtype,
                                   const Shape &shape) {
    Expected<Tensor> tensor = Tensor::create(dtype, shape);
    if (!tensor.ok())
      return tensor;
    std::memcpy(tensor->data(), bytes.data(), tensor->bytes());
    return tensor;
  }

  Session &session;
  mlir::ModuleOp module;
  Interpreter interpreter;
  /// Those of the entry.
  llvm::SmallVector<mlir::job::VariableOp> variables;
  std::vector<double> &seconds;
};

} // namespace

std::unique_ptr<jobrun::Backend>
jobrun::createCompiledBackend(Session &session, std::vector<double> &seconds) {
  return std::make_unique<CompiledBackend>(session, seconds);
}

Expected<std::unique_ptr<jobrun::Backend>>
jobrun::createReferenceBackend(Session &session, mlir::ModuleOp module,
                               llvm::StringRef entry,
                               std::vector<double> &seconds) {
  auto backend =
      std::make_unique<ReferenceBackend>(session, module, entry, seconds);
  if (Status status = backend->start(); !status.ok())
    return status;
  return std::unique_ptr<Backend>(std::move(backend));
}
