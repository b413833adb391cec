//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Runs job functions by plain loops, independent of every lowering. Compiled
// programs are tested against it.
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

/// Runs jobs whose ops have models of ReferenceOpInterface. Keeps the values of
/// variables between calls. The interpreter does not change the module, which
/// must outlive it and must not change while a job runs. Not thread-safe.
/// Errors are diagnostics of the module's context, at the op or job that they
/// concern.
class Interpreter {
public:
  struct Options {
    /// Rounds the results of every op to their element types, as a compiled
    /// program does. Otherwise floats stay doubles from constants and inputs to
    /// results and variables: exact enough to distinguish errors of kernels
    /// from rounding errors, and for finite differences.
    bool roundEachOp = false;
    /// With `roundEachOp`: the seed of noise. Floats that are inputs or values
    /// of variables, rounded f32 results, and terms of sums are perturbed by
    /// some units in the last place, up or down. The resulting change of a
    /// value measures its sensitivity to rounding, see getSensitivity().
    /// Results that are exact, such as a maximum, and zeros are not perturbed.
    std::optional<int64_t> noiseSeed = std::nullopt;
    /// Called after each op (for a kernel: after the ops in it, then the
    /// kernel), in the order of execution, with a function that returns the
    /// value of an operand or result; null for per-micro-step values.
    std::function<void(Operation *,
                       llvm::function_ref<const ReferenceTensor *(Value)>)>
        observer = nullptr;
  };

  /// The state between steps. A copy is a snapshot.
  struct State {
    /// By name, the values of the variables that have been set.
    std::map<std::string, ReferenceTensor> variables;
    /// The number of completed steps of each job, which `job.step` returns.
    std::map<std::string, int64_t> completedSteps;
  };

  explicit Interpreter(ModuleOp module) : Interpreter(module, Options()) {}
  Interpreter(ModuleOp module, Options options)
      : module(module), options(options) {}

  /// Sets every variable to its initial value, rounded to its type, by running
  /// the module's job of kind `init` (created by `job-build-initializer`) on
  /// `seed`. Resets the step of all jobs to 0.
  LogicalResult initializeVariables(int64_t seed);

  /// Runs a job. The inputs are first rounded to their element types. If the
  /// job fails, state and `results` do not change.
  LogicalResult run(StringRef jobName, ArrayRef<ReferenceTensor> inputs,
                    SmallVectorImpl<ReferenceTensor> &results);

  /// The value of a variable, or null if it has not been set.
  const ReferenceTensor *getVariable(StringRef name) const;
  /// Sets a variable of the module to a value of its type.
  LogicalResult setVariable(StringRef name, ReferenceTensor value);

  const State &getState() const { return state; }
  void setState(State newState) { state = std::move(newState); }

private:
  ModuleOp module;
  Options options;
  State state;
};

/// Emits an error if the memory of this machine is too small for a blob of the
/// module in an interpreter, where each element takes 64 bits.
LogicalResult verifyFitsMemory(ModuleOp module);

/// Random inputs for a job, equal for equal seeds: floats uniform in (-1, 1),
/// integers and i1 0 or 1.
SmallVector<ReferenceTensor> drawInputs(FuncOp job, int64_t seed);

/// Options with different noise seeds, enough of them to estimate the
/// sensitivity of results.
SmallVector<Interpreter::Options> getNoiseOptions();

/// The change of a value per unit in the last place of noise, estimated from a
/// run with noise.
double getSensitivity(const ReferenceTensor &exact,
                      const ReferenceTensor &noisy);

/// The largest difference between two values of one type over the elements that
/// are finite in both; 0 for integers.
double getDistance(const ReferenceTensor &a, const ReferenceTensor &b);

/// Registers the models of ReferenceOpInterface of all ops of the job dialect.
void registerReferenceModels(DialectRegistry &registry);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_INTERPRETER_H
