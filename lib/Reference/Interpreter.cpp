//===- Interpreter.cpp - The reference interpreter ------------------------===//

#include "JobDialect/Reference/Interpreter.h"

#include "StoredVariables.h"

#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Reference/Numerics.h"
#include "JobDialect/Support/Units.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DJB.h"

#include <cmath>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;

/// Runs with noise, for results of a single element that one moves by nothing.
static constexpr int64_t kNoiseSeeds = 2;
/// How many units in the last place noise is. With one alone, a jump that it
/// crosses, of a floor or a comparison, would look like sensitivity; what is
/// sensitive moves with the noise.
static constexpr double kNoiseUnits = 1024;
/// Of elements of 16 bits, which have few places: more would be as large as the
/// numbers.
static constexpr double kNarrowNoiseUnits = 1;

/// What noise is added to, as steps of the generator that have no other use.
enum class NoiseKind : int64_t { Input = 1 << 16, Variable, Term, Result };

namespace {

/// One run of a job: its values, on a copy-on-write view of the state.
class Run {
public:
  Run(const Interpreter::State &state, FuncOp job,
      const Interpreter::Options &options)
      : state(state), job(job), roundEachOp(options.roundEachOp),
        options(options) {}

  /// Computes the block; its terminator's operands are the results.
  LogicalResult evaluateBlock(Block &block, ArrayRef<ReferenceTensor> arguments,
                              SmallVectorImpl<ReferenceTensor> &results);

  /// The variables that were assigned, with their new values.
  std::map<std::string, ReferenceTensor> takeAssigned() {
    return std::move(assigned);
  }

private:
  LogicalResult evaluate(Operation *op);
  LogicalResult evaluateRead(ReadOp op);
  LogicalResult evaluateKernel(KernelOp op);
  LogicalResult evaluateModel(Operation *op);
  LogicalResult
  evaluateModel(Operation *op,
                llvm::function_ref<const ReferenceTensor &(Value)> getOperand,
                SmallVectorImpl<ReferenceTensor> &results);
  LogicalResult evaluateEach(Operation *op,
                             llvm::function_ref<LogicalResult(
                                 int64_t, SmallVectorImpl<ReferenceTensor> &)>
                                 evaluateStep);
  void evaluateExit(Operation *op, int64_t count);
  LogicalResult evaluateMicroSteps(MicroStepsOp op);
  const ReferenceTensor &getOfMicroStep(Value value, int64_t step) const;
  void forgetDeadOperands(Operation *op);

  const Interpreter::State &state;
  FuncOp job;
  bool roundEachOp;
  const Interpreter::Options &options;
  /// Results that got noise.
  uint32_t numNoisy = 0;
  DenseMap<Value, ReferenceTensor> values;
  /// Per-micro-step values, one tensor per micro-step.
  DenseMap<Value, std::vector<ReferenceTensor>> microValues;
  std::map<std::string, ReferenceTensor> assigned;
};

} // namespace

/// Moves floats by some units in the last place, but for zeros and what is the
/// same in `exact`, where given.
static void addNoise(ReferenceTensor &value, int64_t seed, NoiseKind kind,
                     uint32_t id, const ReferenceTensor *exact = nullptr) {
  if (!value.isFloat())
    return;
  Type element = value.getType().getElementType();
  double units = isStorageOnly(element) ? kNarrowNoiseUnits : kNoiseUnits;
  double part = units * getEpsilon(element);
  for (auto [index, x] : llvm::enumerate(value.getFloats())) {
    if (x == 0 || (exact && x == exact->getFloats()[index]))
      continue;
    bool isUp =
        philoxUniform(seed, static_cast<int64_t>(kind), id, index) < 0.5;
    x += isUp ? part * x : -part * x;
  }
  value.roundToType();
}

/// The rows of one micro-step.
static ReferenceTensor getPart(const ReferenceTensor &all, BlobType type,
                               int64_t step) {
  ReferenceTensor part(type);
  int64_t size = part.getNumElements(), from = step * size;
  for (int64_t i = 0; i < size; ++i) {
    if (part.isFloat())
      part.getFloats()[i] = all.getFloats()[from + i];
    else
      part.setInteger(i, all.getIntegers()[from + i]);
  }
  return part;
}

/// Stores the rows of a micro-step.
static void setPart(ReferenceTensor &all, const ReferenceTensor &part,
                    int64_t step) {
  int64_t size = part.getNumElements(), to = step * size;
  for (int64_t i = 0; i < size; ++i) {
    if (part.isFloat())
      all.getFloats()[to + i] = part.getFloats()[i];
    else
      all.setInteger(to + i, part.getIntegers()[i]);
  }
}

static void addTo(ReferenceTensor &sum, const ReferenceTensor &term,
                  bool round) {
  for (int64_t i = 0, e = sum.getNumElements(); i < e; ++i) {
    if (sum.isFloat())
      sum.getFloats()[i] += term.getFloats()[i];
    else
      sum.setInteger(i, static_cast<int64_t>(
                            static_cast<uint64_t>(sum.getIntegers()[i]) +
                            static_cast<uint64_t>(term.getIntegers()[i])));
  }
  if (round)
    sum.roundToType();
}

LogicalResult Run::evaluateBlock(Block &block,
                                 ArrayRef<ReferenceTensor> arguments,
                                 SmallVectorImpl<ReferenceTensor> &results) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : block.without_terminator()) {
    if (failed(evaluate(&op)))
      return failure();
    if (options.observer)
      options.observer(&op, [&](Value value) -> const ReferenceTensor * {
        auto it = values.find(value);
        return it == values.end() ? nullptr : &it->second;
      });
    forgetDeadOperands(&op);
  }
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(values.at(value));
  return success();
}

/// A large step would not fit into memory if every value stayed to its end.
void Run::forgetDeadOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (llvm::all_of(operand.getUsers(), [&](Operation *user) {
          return user == op || user->isBeforeInBlock(op);
        })) {
      values.erase(operand);
      microValues.erase(operand);
    }
}

template <typename OpTy> static VariableOp getVariable(OpTy op) {
  return SymbolTable::lookupNearestSymbolFrom<VariableOp>(op,
                                                          op.getVariableAttr());
}

LogicalResult Run::evaluate(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReadOp read) { return evaluateRead(read); })
      .Case([&](AssignOp assign) {
        assigned[assign.getVariable().str()] =
            toDeclared(values.at(assign.getValue()), getVariable(assign));
        return success();
      })
      .Case([&](StepOp step) {
        ReferenceTensor count(cast<BlobType>(step.getResult().getType()));
        auto it = state.completedSteps.find(job.getSymName().str());
        count.setInteger(0, it == state.completedSteps.end() ? 0 : it->second);
        values[step.getResult()] = std::move(count);
        return success();
      })
      .Case([&](KernelOp kernel) { return evaluateKernel(kernel); })
      .Case([&](MicroStepsOp loop) { return evaluateMicroSteps(loop); })
      .Case([&](UnpackOp unpack) {
        std::vector<ReferenceTensor> &parts = microValues[unpack.getResult()];
        for (int64_t step = 0; step < int64_t(unpack.getCount()); ++step)
          parts.push_back(getPart(values.at(unpack.getOperand()),
                                  unpack.getResult().getType(), step));
        return success();
      })
      .Case([&](BroadcastMicroStepsOp broadcast) {
        microValues[broadcast.getResult()].assign(
            broadcast.getCount(), values.at(broadcast.getOperand()));
        return success();
      })
      .Case<AccOp, PackOp>([&](auto exit) {
        evaluateExit(exit, exit.getCount());
        return success();
      })
      // Marks only: the value stays as it is.
      .Case([&](LossOp) { return success(); })
      .Case<UpdateOp, MinimizeOp>([&](Operation *marker) {
        return marker->emitError()
               << "expects a job after the train pipeline but got "
               << marker->getName();
      })
      .Default([&](Operation *other) { return evaluateModel(other); });
}

LogicalResult Run::evaluateRead(ReadOp op) {
  std::string name = op.getVariable().str();
  auto find = [&](const std::map<std::string, ReferenceTensor> &variables) {
    auto it = variables.find(name);
    return it == variables.end() ? nullptr : &it->second;
  };
  const ReferenceTensor *value = find(assigned);
  if (!value)
    value = find(state.variables);
  if (!value)
    return op.emitError() << "expects variable @" << name
                          << " to have a value but it was never initialized";
  ReferenceTensor &result = values[op.getResult()] = *value;
  // The same noise in all reads of a value.
  if (options.noiseSeed && value != find(assigned))
    addNoise(result, *options.noiseSeed, NoiseKind::Variable,
             llvm::djbHash(name));
  result = toStored(result, getVariable(op));
  return success();
}

LogicalResult Run::evaluateKernel(KernelOp op) {
  return evaluateEach(
      op, [&](int64_t step, SmallVectorImpl<ReferenceTensor> &results) {
        SmallVector<ReferenceTensor> arguments;
        for (Value input : op.getInputs())
          arguments.push_back(getOfMicroStep(input, step));
        return evaluateBlock(op.getBody().front(), arguments, results);
      });
}

LogicalResult Run::evaluateModel(Operation *op) {
  return evaluateEach(
      op, [&](int64_t step, SmallVectorImpl<ReferenceTensor> &results) {
        return evaluateModel(
            op,
            [&](Value operand) -> const ReferenceTensor & {
              return getOfMicroStep(operand, step);
            },
            results);
      });
}

LogicalResult Run::evaluateModel(
    Operation *op,
    llvm::function_ref<const ReferenceTensor &(Value)> getOperand,
    SmallVectorImpl<ReferenceTensor> &results) {
  auto model = dyn_cast<ReferenceOpInterface>(op);
  if (!model)
    return op->emitError() << "expects an op with a reference model but got "
                           << op->getName();
  SmallVector<const ReferenceTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&getOperand(operand));
  // A sum of terms that cancel is rounded on its way.
  SmallVector<ReferenceTensor> terms;
  if (options.noiseSeed && isa<ReduceSumOp, LibraryCallOpInterface>(op)) {
    for (const ReferenceTensor *operand : operands)
      addNoise(terms.emplace_back(*operand), *options.noiseSeed,
               NoiseKind::Term, numNoisy++);
    for (auto [operand, term] : llvm::zip_equal(operands, terms))
      operand = &term;
  }
  for (Type type : op->getResultTypes())
    results.emplace_back(cast<BlobType>(type));
  if (failed(model.evaluate(operands, results)))
    return failure();
  if (!roundEachOp)
    return success();
  for (ReferenceTensor &result : results) {
    if (!options.noiseSeed) {
      result.roundToType();
      continue;
    }
    ReferenceTensor exact = result;
    result.roundToType();
    addNoise(result, *options.noiseSeed, NoiseKind::Result, numNoisy++, &exact);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Micro-steps
//===----------------------------------------------------------------------===//

/// Evaluates once, or once per micro-step if an operand is per-micro-step.
LogicalResult Run::evaluateEach(
    Operation *op,
    llvm::function_ref<LogicalResult(int64_t,
                                     SmallVectorImpl<ReferenceTensor> &)>
        evaluateStep) {
  int64_t count = 0;
  for (Value operand : op->getOperands())
    if (auto it = microValues.find(operand); it != microValues.end())
      count = it->second.size();
  for (int64_t step = 0; step < std::max<int64_t>(count, 1); ++step) {
    SmallVector<ReferenceTensor> results;
    if (failed(evaluateStep(step, results)))
      return failure();
    for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
      if (count)
        microValues[value].push_back(std::move(result));
      else
        values[value] = std::move(result);
    }
  }
  return success();
}

/// A value that is not per-micro-step is the same in each.
const ReferenceTensor &Run::getOfMicroStep(Value value, int64_t step) const {
  auto it = microValues.find(value);
  return it == microValues.end() ? values.at(value) : it->second[step];
}

void Run::evaluateExit(Operation *op, int64_t count) {
  Value result = op->getResult(0);
  ReferenceTensor all(cast<BlobType>(result.getType()));
  for (int64_t step = 0; step < count; ++step) {
    const ReferenceTensor &part = getOfMicroStep(op->getOperand(0), step);
    if (isa<PackOp>(op))
      setPart(all, part, step);
    else
      addTo(all, part, roundEachOp);
  }
  values[result] = std::move(all);
}

LogicalResult Run::evaluateMicroSteps(MicroStepsOp op) {
  SmallVector<ReferenceTensor> sums, packed;
  for (Type type : op.getSums().getTypes())
    sums.emplace_back(cast<BlobType>(type));
  for (Type type : op.getPacked().getTypes())
    packed.emplace_back(cast<BlobType>(type));
  for (int64_t step = 0; step < int64_t(op.getCount()); ++step) {
    SmallVector<ReferenceTensor> arguments, yielded;
    for (auto [argument, rows] :
         llvm::zip_equal(op.getPartArguments(), op.getRows()))
      arguments.push_back(
          getPart(values.at(rows), cast<BlobType>(argument.getType()), step));
    for (Value shared : op.getShared())
      arguments.push_back(values.at(shared));
    arguments.append(sums);
    if (failed(evaluateBlock(op.getBody().front(), arguments, yielded)))
      return failure();
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] = std::move(yielded[i]);
    for (size_t i = 0; i < packed.size(); ++i)
      setPart(packed[i], yielded[sums.size() + i], step);
  }
  sums.append(std::make_move_iterator(packed.begin()),
              std::make_move_iterator(packed.end()));
  for (auto [result, value] : llvm::zip_equal(op->getResults(), sums))
    values[result] = std::move(value);
  return success();
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::run(StringRef jobName,
                               ArrayRef<ReferenceTensor> inputs,
                               SmallVectorImpl<ReferenceTensor> &results) {
  auto job = module.lookupSymbol<FuncOp>(jobName);
  if (!job)
    return module.emitError() << "expects a job of the module but got @"
                              << jobName << ", which is none";
  if (inputs.size() != job.getNumArguments())
    return job.emitError() << "expects " << job.getNumArguments()
                           << " inputs for @" << jobName << " but got "
                           << inputs.size();
  SmallVector<ReferenceTensor> arguments(inputs);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = job.getArgumentTypes()[index];
    if (argument.getType() != type)
      return job.emitError()
             << "expects input " << job.getArgumentName(index) << " of type "
             << type << " but got " << argument.getType();
    argument.roundToType();
    if (options.noiseSeed)
      addNoise(argument, *options.noiseSeed, NoiseKind::Input, index);
  }

  if (failed(verifyMicroSteps(job)))
    return failure();
  Run run(state, job, options);
  SmallVector<ReferenceTensor> newResults;
  if (failed(run.evaluateBlock(job.getBody().front(), arguments, newResults)))
    return failure();
  for (auto &[name, value] : run.takeAssigned())
    state.variables[name] = std::move(value);
  ++state.completedSteps[jobName.str()];
  results.assign(std::make_move_iterator(newResults.begin()),
                 std::make_move_iterator(newResults.end()));
  return success();
}

LogicalResult Interpreter::initializeVariables(int64_t seed) {
  FuncOp init;
  for (auto job : module.getOps<FuncOp>())
    if (job.getKind() == JobKind::Init)
      init = job;
  if (!init)
    return module.emitError() << "expects a job of kind init, created by "
                                 "job-build-initializer, but got none";
  ReferenceTensor seedInput(
      BlobType::get({1}, IntegerType::get(module.getContext(), 64)));
  seedInput.setInteger(0, seed);
  Interpreter initializer(module, options);
  SmallVector<ReferenceTensor> results;
  if (failed(initializer.run(init.getSymName(), seedInput, results)))
    return failure();
  State first;
  first.variables = std::move(initializer.state.variables);
  for (auto &[name, value] : first.variables)
    value.roundToType();
  state = std::move(first);
  return success();
}

const ReferenceTensor *Interpreter::getVariable(StringRef name) const {
  auto it = state.variables.find(name.str());
  return it == state.variables.end() ? nullptr : &it->second;
}

LogicalResult Interpreter::setVariable(StringRef name, ReferenceTensor value) {
  auto variable = module.lookupSymbol<VariableOp>(name);
  if (!variable)
    return module.emitError() << "expects a variable of the module but got @"
                              << name << ", which is none";
  if (variable.getDeclaredType() != value.getType())
    return variable.emitError()
           << "expects a value of type " << variable.getDeclaredType()
           << " for variable @" << name << " but got " << value.getType();
  state.variables[name.str()] = std::move(value);
  return success();
}

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

SmallVector<Interpreter::Options> job::getNoiseOptions() {
  SmallVector<Interpreter::Options> options;
  for (int64_t seed = 1; seed <= kNoiseSeeds; ++seed)
    options.push_back({/*roundEachOp=*/true, seed});
  return options;
}

double job::getSensitivity(const ReferenceTensor &exact,
                           const ReferenceTensor &noisy) {
  return getDistance(exact, noisy) / kNoiseUnits;
}

double job::getDistance(const ReferenceTensor &a, const ReferenceTensor &b) {
  double distance = 0;
  if (a.isFloat())
    for (auto [x, y] : llvm::zip_equal(a.getFloats(), b.getFloats()))
      if (std::isfinite(x) && std::isfinite(y))
        distance = std::max(distance, std::abs(x - y));
  return distance;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult job::verifyFitsMemory(ModuleOp module) {
  int64_t memory = int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  // Floats are of 64 bits here, and so are integers.
  int64_t maxElements = memory / int64_t(sizeof(double));
  auto verify = [&](Location loc, Type type) -> LogicalResult {
    auto blob = dyn_cast<BlobType>(type);
    if (!blob || blob.getNumElements() <= maxElements)
      return success();
    return emitError(loc) << "expects blobs of at most "
                          << formatDigits(maxElements)
                          << " elements, which fit the memory of this machine "
                             "with 64 bits each, but got "
                          << blob;
  };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto variable = dyn_cast<VariableOp>(op))
      return verify(op->getLoc(), variable.getDeclaredType());
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(verify(argument.getLoc(), argument.getType())))
          return failure();
    for (Type type : op->getResultTypes())
      if (failed(verify(op->getLoc(), type)))
        return failure();
    return success();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

SmallVector<ReferenceTensor> job::drawInputs(FuncOp job, int64_t seed) {
  SmallVector<ReferenceTensor> inputs;
  for (auto [id, type] : llvm::enumerate(job.getArgumentTypes())) {
    ReferenceTensor &input = inputs.emplace_back(cast<BlobType>(type));
    for (int64_t i = 0, e = input.getNumElements(); i < e; ++i) {
      double number = philoxUniform(seed, /*step=*/0, id, i);
      if (input.isFloat())
        input.getFloats()[i] = 2 * number - 1;
      else
        input.setInteger(i, number < 0.5);
    }
    input.roundToType();
  }
  return inputs;
}
