//===- IsolatedOps.cpp - Ops each as a job of its own ---------------------===//

#include "IsolatedOps.h"

#include "JobDialect/Analysis/Counts.h"
#include "JobDialect/IR/Placement.h"

#include "Compare.h"

#include "JobDialect/Support/Locations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::job;

/// Whether an operand is bounded, as no input of a job is.
static bool hasBoundedInput(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return cast<BlobType>(type).isBounded();
  });
}

namespace {

/// Ops of another module, each as a job of one op.
class IsolatedJobs {
public:
  explicit IsolatedJobs(Location loc)
      : module(ModuleOp::create(loc)), builder(loc.getContext()) {}

  /// Adds a kernel or a library call.
  void add(Operation *op) {
    FuncOp func = addJob(op, op->getOperands());
    IRMapping mapping;
    mapping.map(op->getOperands(), func.getArguments());
    Operation *copy = builder.clone(*op, mapping);
    // That of its job.
    setPlacement(copy, {});
    addReturn(op, func, copy);
  }

  /// Adds an op of a kernel's region, as a kernel of its own with the constants
  /// that it uses.
  void addInKernel(Operation *op);

  /// The job of an op; none for one that was not added.
  std::string getName(Operation *op) const { return names.lookup(op); }
  bool isEmpty() const { return names.empty(); }
  ModuleOp getModule() const { return *module; }
  /// The operands that are inputs of the op's job.
  static SmallVector<Value> getInputs(Operation *op);

private:
  FuncOp addJob(Operation *op, ValueRange inputs);
  void addReturn(Operation *op, FuncOp func, Operation *copy);

  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  DenseMap<Operation *, std::string> names;
};

/// Compares the ops of one IsolatedJobs.
class Comparison {
public:
  Comparison(IsolatedJobs &jobs, ArtifactRun &run)
      : jobs(jobs), run(run), exact(jobs.getModule()),
        rounded(jobs.getModule(), {/*roundEachOp=*/true}) {}

  /// Compares an op, unless that was done or another one differed before.
  void compare(Operation *op,
               llvm::function_ref<const ReferenceTensor *(Value)> valueOf);

  /// The first op that differs, null when none does.
  Operation *getFirst() const { return first; }
  StringRef getDescription() const { return description; }
  /// The values that it has.
  ArrayRef<ReferenceTensor> getInputs() const { return inputs; }
  /// A run failed, which was said.
  bool hasFailed() const { return isFailed; }
  int64_t getCount() const { return done.size(); }

private:
  LogicalResult compareJob(Operation *op, StringRef name);

  IsolatedJobs &jobs;
  ArtifactRun &run;
  Interpreter exact, rounded;
  llvm::SmallPtrSet<Operation *, 32> done;
  SmallVector<ReferenceTensor> inputs;
  Operation *first = nullptr;
  std::string description;
  bool isFailed = false;
};

} // namespace

FuncOp IsolatedJobs::addJob(Operation *op, ValueRange inputs) {
  builder.setInsertionPointToEnd(module->getBody());
  std::string &name = names[op];
  name = "op_" + std::to_string(names.size());
  FuncOp func = FuncOp::create(
      builder, op->getLoc(), name,
      builder.getFunctionType(inputs.getTypes(), op->getResultTypes()),
      JobKind::Predict);
  if (PlacementAttr placement = getPlacement(op))
    func.setPlacementAttr(placement);
  builder.setInsertionPointToEnd(&func.getBody().front());
  return func;
}

/// What a job may return as the count of a bounded result of its op: a result,
/// an input, or a constant that a kernel has a copy of.
static Value findCount(FuncOp func, OpResult bounded, OpBuilder &builder) {
  Operation *op = bounded.getOwner();
  SmallVector<Value> values(op->getResults());
  llvm::append_range(values, func.getArguments());
  for (Value value : values)
    if (isCountOf(value, bounded))
      return value;
  if (auto kernel = dyn_cast<KernelOp>(op))
    for (auto constant : kernel.getBody().getOps<ConstantOp>())
      if (isCountOf(constant, bounded))
        return builder.clone(*constant)->getResult(0);
  return {};
}

/// Ends the job of an op: it returns the results of its copy and the counts of
/// those that are bounded. A job that has no value for such a count is removed.
void IsolatedJobs::addReturn(Operation *op, FuncOp func, Operation *copy) {
  llvm::SetVector<Value> returned(llvm::from_range, copy->getResults());
  for (OpResult result : copy->getResults()) {
    if (!cast<BlobType>(result.getType()).isBounded())
      continue;
    Value count = findCount(func, result, builder);
    if (!count) {
      names.erase(op);
      func.erase();
      return;
    }
    returned.insert(count);
  }
  ReturnOp::create(builder, op->getLoc(), returned.getArrayRef());
  func.setType(builder.getFunctionType(
      func.getArgumentTypes(), ValueRange(returned.getArrayRef()).getTypes()));
}

SmallVector<Value> IsolatedJobs::getInputs(Operation *op) {
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands())
    if (!isa<KernelOp>(op->getParentOp()) ||
        !operand.getDefiningOp<ConstantOp>())
      inputs.push_back(operand);
  return inputs;
}

void IsolatedJobs::addInKernel(Operation *op) {
  if (hasBoundedInput(op))
    return;
  SmallVector<Value> inputs = getInputs(op);
  FuncOp func = addJob(op, inputs);
  auto kernel = KernelOp::create(builder, op->getLoc(), op->getResultTypes(),
                                 func.getArguments());
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  for (Value operand : op->getOperands())
    if (Operation *constant = operand.getDefiningOp<ConstantOp>();
        constant && !mapping.contains(operand))
      builder.clone(*constant, mapping);
  Operation *copy = builder.clone(*op, mapping);
  YieldOp::create(builder, op->getLoc(), copy->getResults());
  builder.setInsertionPointAfter(kernel);
  addReturn(op, func, kernel);
}

void Comparison::compare(
    Operation *op, llvm::function_ref<const ReferenceTensor *(Value)> valueOf) {
  std::string name = jobs.getName(op);
  if (name.empty() || first || isFailed || !done.insert(op).second)
    return;
  inputs.clear();
  for (Value operand : IsolatedJobs::getInputs(op)) {
    const ReferenceTensor *value = valueOf(operand);
    if (!value)
      return;
    inputs.push_back(*value);
    inputs.back().roundToType();
  }
  if (failed(compareJob(op, name)))
    isFailed = true;
}

LogicalResult Comparison::compareJob(Operation *op, StringRef name) {
  SmallVector<ReferenceTensor> expected, approximate, got;
  auto job = jobs.getModule().lookupSymbol<FuncOp>(name);
  if (failed(exact.run(name, inputs, expected)) ||
      failed(rounded.run(name, inputs, approximate)) ||
      failed(run.run(name, inputs, job.getResultTypes(), got)))
    return failure();
  Judge judge(getWork(op), [&](auto &noisy) {
    for (const Interpreter::Options &options : getNoiseOptions())
      if (failed(Interpreter(jobs.getModule(), options)
                     .run(name, inputs, noisy.emplace_back())))
        return failure();
    return success();
  });
  for (size_t i = 0; i < expected.size(); ++i) {
    auto difference = judge.find(i, expected[i], approximate[i], got[i]);
    if (failed(difference))
      return failure();
    if (!*difference)
      continue;
    first = op;
    std::string what = "result";
    if (expected.size() > 1)
      what += " " + std::to_string(i) + " ";
    description = (*difference)->describe(what);
    return success();
  }
  return success();
}

/// "job.kernel 'a, b'".
static std::string describeOp(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (std::string name = getUserName(op->getLoc()); !name.empty())
    text += " '" + name + "'";
  return text;
}

/// Reports the kernel or call that differs; of a kernel the op in it that
/// differs when it is compiled alone.
static LogicalResult report(Operation *op, StringRef description,
                            ArrayRef<ReferenceTensor> inputs,
                            CompileFn compile) {
  auto kernel = dyn_cast<KernelOp>(op);
  IsolatedJobs parts(op->getLoc());
  if (kernel)
    for (Operation &part : kernel.getBody().front().without_terminator())
      if (!isa<ConstantOp>(part))
        parts.addInKernel(&part);
  if (parts.isEmpty())
    return op->emitError() << describeOp(op)
                           << " has a different result when compiled: "
                           << description;

  // The kernel again, by itself, with the values inside of it as results.
  auto run = compile(parts.getModule());
  if (failed(run))
    return failure();
  Comparison comparison(parts, **run);
  IsolatedJobs whole(op->getLoc());
  whole.add(op);
  Interpreter::Options options;
  FuncOp job = *whole.getModule().getOps<FuncOp>().begin();
  auto copy = *job.getOps<KernelOp>().begin();
  DenseMap<Operation *, Operation *> originals;
  IRMapping values;
  for (auto [from, to] :
       llvm::zip_equal(copy.getBody().front(), kernel.getBody().front())) {
    originals[&from] = &to;
    values.map(to.getResults(), from.getResults());
  }
  values.map(kernel.getBody().getArguments(), copy.getBody().getArguments());
  options.observer =
      [&](Operation *part,
          llvm::function_ref<const ReferenceTensor *(Value)> valueOf) {
        if (Operation *original = originals.lookup(part))
          comparison.compare(original, [&](Value value) {
            return valueOf(values.lookup(value));
          });
      };
  Interpreter interpreter(whole.getModule(), options);
  SmallVector<ReferenceTensor> results;
  if (failed(interpreter.run(job.getSymName(), inputs, results)) ||
      comparison.hasFailed())
    return failure();
  Operation *part = comparison.getFirst();
  if (!part)
    return op->emitError()
           << describeOp(op)
           << " has a different result when compiled, but none of its "
              "ops has when it runs alone: "
           << description;
  InFlightDiagnostic error = part->emitError()
                             << describeOp(part)
                             << " has a different result when compiled: "
                             << comparison.getDescription();
  error.attachNote(op->getLoc()) << "in this kernel: " << description;
  return error;
}

FailureOr<int64_t>
job::checkIsolatedOps(ModuleOp module,
                      const std::map<std::string, ReferenceTensor> &variables,
                      int64_t seed, CompileFn compile) {
  IsolatedJobs jobs(module.getLoc());
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<KernelOp, LibraryCallOpInterface>(op))
      return WalkResult::advance();
    if (!hasBoundedInput(op))
      jobs.add(op);
    return WalkResult::skip();
  });
  if (jobs.isEmpty())
    return 0;
  auto run = compile(jobs.getModule());
  if (failed(run))
    return failure();
  Comparison comparison(jobs, **run);
  Interpreter::Options options;
  options.observer =
      [&](Operation *op,
          llvm::function_ref<const ReferenceTensor *(Value)> valueOf) {
        comparison.compare(op, valueOf);
      };
  for (auto job : module.getOps<FuncOp>()) {
    Interpreter interpreter(module, options);
    interpreter.setState({variables, {}});
    SmallVector<ReferenceTensor> results;
    if (failed(interpreter.run(job.getSymName(), drawInputs(job, seed),
                               results)) ||
        comparison.hasFailed())
      return failure();
    if (Operation *op = comparison.getFirst())
      return report(op, comparison.getDescription(), comparison.getInputs(),
                    compile);
  }
  return comparison.getCount();
}
