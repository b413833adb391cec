//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Runs job functions by plain loops, independent of every lowering: what the
// compiled program is tested against.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_REFERENCE_INTERPRETER_H
#define JOBDIALECT_REFERENCE_INTERPRETER_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <map>
#include <optional>

namespace mlir::job {

/// Runs the jobs of a module that the context's registry has models of
/// ReferenceOpInterface for. Holds the values of variables from call to call;
/// the module is only looked at, must outlive the interpreter, and must not
/// change while one of its jobs runs. For one thread at a time. Errors are
/// diagnostics of the module's context, at the op or job that they are about.
class Interpreter {
public:
  struct Options {
    /// Rounds the results of every op to their element types, as a compiled
    /// program does. Otherwise floats stay doubles from constants and inputs to
    /// results and variables: exact enough to tell errors of kernels from
    /// their rounding, and to take differences of.
    bool roundEachOp = false;
    /// With `roundEachOp`: the seed of noise. Floats that a job is given or
    /// reads, those of f32 that an op had to round, and terms of sums are moved
    /// by some units in the last place, up or down. How far that moves a result
    /// says how much of it is rounding, see getSensitivity(). What an op does
    /// not round, a maximum, say, stays exact, and so does zero.
    std::optional<int64_t> noiseSeed = std::nullopt;
    /// Called after each op (of a kernel: those in it, then the kernel), in the
    /// order in which they run, with a way to look at its operands and results;
    /// null for values that are one for each micro-step.
    std::function<void(Operation *,
                       llvm::function_ref<const ReferenceTensor *(Value)>)>
        observer = nullptr;
  };

  /// What outlives a step. Copying it takes a snapshot.
  struct State {
    /// Values of the variables that have one, by name.
    std::map<std::string, ReferenceTensor> variables;
    /// How often each job was completed: what `job.step` gives.
    std::map<std::string, int64_t> completedSteps;
  };

  explicit Interpreter(ModuleOp module) : Interpreter(module, Options()) {}
  Interpreter(ModuleOp module, Options options)
      : module(module), options(options) {}

  /// Gives every variable its first value, rounded to its type, by running the
  /// module's job of kind `init` (which `job-build-initializer` makes) on
  /// `seed`. Starts all jobs at step 0.
  LogicalResult initializeVariables(int64_t seed);

  /// Runs a job. The inputs are first rounded to their element types. When the
  /// job fails, state and `results` are as they were.
  LogicalResult run(StringRef jobName, ArrayRef<ReferenceTensor> inputs,
                    SmallVectorImpl<ReferenceTensor> &results);

  /// The value of a variable, or null while it has none.
  const ReferenceTensor *getVariable(StringRef name) const;
  /// Gives a variable of the module a value of its type.
  LogicalResult setVariable(StringRef name, ReferenceTensor value);

  const State &getState() const { return state; }
  void setState(State newState) { state = std::move(newState); }

private:
  ModuleOp module;
  Options options;
  State state;
};

/// Inputs for a job, equal for equal seeds: floats uniform in (-1, 1), integers
/// and i1 0 or 1.
SmallVector<ReferenceTensor> drawInputs(FuncOp job, int64_t seed);

/// Options with noise of different seeds: enough to tell how far it moves what
/// a job computes.
SmallVector<Interpreter::Options> getNoiseOptions();

/// How far noise of a single unit in the last place would move a value, by what
/// a run with noise made of it.
double getSensitivity(const ReferenceTensor &exact,
                      const ReferenceTensor &noisy);

/// The largest difference between two values of one type, of elements that are
/// finite in both; 0 for integers.
double getDistance(const ReferenceTensor &a, const ReferenceTensor &b);

/// Registers the models of ReferenceOpInterface of all ops of the job dialect.
void registerReferenceModels(DialectRegistry &registry);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_INTERPRETER_H
