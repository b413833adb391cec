//===- GradientCheck.cpp - Gradients against differences ------------------===//

#include "JobDialect/Reference/GradientCheck.h"

#include "StoredVariables.h"

#include "JobDialect/Analysis/Activity.h"
#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/Reference/Interpreter.h"
#include "JobDialect/Reference/Numerics.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Jobs that return losses and gradients
//===----------------------------------------------------------------------===//

/// Makes the job return `values` and nothing else: without losses, updates and
/// what only they need.
static void returnOnly(FuncOp job, StringRef name, ArrayRef<Value> values) {
  OpBuilder builder(job.getContext());
  job.setSymName(name);
  job.setType(builder.getFunctionType(job.getArgumentTypes(),
                                      ValueRange(values).getTypes()));
  job.setAllResultAttrs(ArrayRef<DictionaryAttr>(SmallVector<DictionaryAttr>(
      values.size(), builder.getDictionaryAttr({}))));
  ReturnOp end = job.getReturn();
  end.getOperandsMutable().assign(values);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(job.getBody().front())))
    if (isa<LossOp, UpdateOp, MinimizeOp>(op) || isOpTriviallyDead(&op))
      op.erase();
}

namespace {

/// A variable whose gradient is to be compared.
struct Subject {
  VariableOp variable;
  /// The job.update, or the first job.read where there is none.
  Operation *op;
  /// Which result of the gradient job it is; nullopt for a zero gradient.
  std::optional<unsigned> gradientIndex;
};

/// A central difference, its step, and how far rounding of the sum of the
/// losses may have moved it.
struct Derivative {
  double value, step, roundoff;
};

/// Checks the gradients of one training job.
class Checker {
public:
  Checker(ModuleOp module, FuncOp job, const GradientCheckOptions &options)
      : module(module), job(job), options(options) {}

  LogicalResult run();

private:
  LogicalResult findSubjects(SmallVectorImpl<Subject> &subjects);
  void buildJobs();
  LogicalResult start(Interpreter &interpreter);
  LogicalResult check(Interpreter &interpreter, Subject subject,
                      const ReferenceTensor &gradient);
  FailureOr<double> evaluateLoss(Interpreter &interpreter);
  FailureOr<double> evaluateSlope(Interpreter &interpreter, StringRef variable,
                                  int64_t element, double step);
  FailureOr<Derivative> evaluateDerivative(Interpreter &interpreter,
                                           StringRef variable, int64_t element,
                                           double scale);
  FailureOr<double> getJitter(Interpreter &interpreter, StringRef variable,
                              int64_t element);
  FailureOr<double> getNoise(Subject subject, const ReferenceTensor &gradient);
  SmallVector<int64_t> chooseElements(int64_t count, uint32_t id);

  static constexpr StringLiteral lossJob = "losses";
  static constexpr StringLiteral gradientJob = "gradients";

  ModuleOp module;
  /// With the two jobs that buildJobs() makes.
  OwningOpRef<ModuleOp> copy;
  FuncOp job;
  const GradientCheckOptions &options;
  double lossScale = 1;
  /// Of a dynamic loss scale: the variable whose initial value is taken.
  StringRef lossScaleVariable;
  Interpreter::State state;
  SmallVector<ReferenceTensor> inputs;
  int64_t numElements = 0;
  /// Sum of the magnitudes of the losses of the last evaluation.
  double lossMagnitude = 0;
};

} // namespace

LogicalResult Checker::findSubjects(SmallVectorImpl<Subject> &subjects) {
  llvm::MapVector<VariableOp, Subject> found;
  unsigned numUpdates = 0;
  TrainedVariables trained(job);
  for (Operation &op : job.getBody().front()) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      auto variable = module.lookupSymbol<VariableOp>(read.getVariable());
      if (trained.contains(variable))
        found.insert({variable, Subject{variable, &op, std::nullopt}});
    } else if (auto update = dyn_cast<UpdateOp>(op)) {
      auto variable = module.lookupSymbol<VariableOp>(update.getVariable());
      found[variable] = Subject{variable, &op, numUpdates++};
    } else if (auto minimize = dyn_cast<MinimizeOp>(op)) {
      lossScale = minimize.getLossScale().convertToDouble();
      if (std::optional<DynamicLossScaleAttr> scale =
              minimize.getDynamicLossScale())
        lossScaleVariable = scale->getScale().getValue();
    }
  }
  if (numUpdates == 0)
    return job.emitError() << "expects job.update in @" << job.getSymName()
                           << ", created by job-autodiff, but got none";
  for (auto &[variable, subject] : found)
    subjects.push_back(subject);
  return success();
}

/// Puts two jobs in place of everything but the initializer and the variables:
/// one for the losses alone, which runs often, and one for the gradients.
void Checker::buildJobs() {
  copy = module.clone();
  auto losses = cast<FuncOp>(job->clone()),
       gradients = cast<FuncOp>(job->clone());
  SmallVector<Value> lossValues, gradientValues;
  // Losses may be per-micro-step, but a job returns per-step values.
  MicroSteps steps(losses);
  OpBuilder builder(losses.getReturn());
  for (auto loss : losses.getOps<LossOp>()) {
    std::optional<int64_t> count = steps.getCount(loss.getValue());
    lossValues.push_back(
        count ? PackOp::create(builder, loss.getLoc(), loss.getValue(), *count)
                    .getResult()
              : loss.getValue());
  }
  for (auto update : gradients.getOps<UpdateOp>())
    gradientValues.push_back(update.getGradient());
  for (auto other : llvm::make_early_inc_range(copy->getOps<FuncOp>()))
    if (other.getKind() != JobKind::Init)
      other.erase();
  copy->push_back(losses);
  copy->push_back(gradients);
  returnOnly(losses, lossJob, lossValues);
  returnOnly(gradients, gradientJob, gradientValues);
}

/// A trainable variable with equal elements would hide errors that mix up its
/// elements; its values are spread by a tenth.
static void spread(ReferenceTensor &value, int64_t seed, uint32_t id) {
  std::vector<double> &elements = value.getFloats();
  double center = elements.front();
  if (llvm::any_of(elements, [&](double x) { return x != center; }))
    return;
  double width = 0.1 * (center == 0 ? 1 : std::abs(center));
  for (auto [index, element] : llvm::enumerate(elements))
    element += width * (2 * philoxUniform(seed, /*step=*/1, id, index) - 1);
}

/// Gives the interpreter the values at which the gradient is taken.
LogicalResult Checker::start(Interpreter &interpreter) {
  // A job without variables has no gradient to check, so there is an init job
  // or an error.
  if (failed(interpreter.initializeVariables(options.seed)))
    return failure();
  state = interpreter.getState();
  for (auto [id, variable] : llvm::enumerate(module.getOps<VariableOp>()))
    if (variable.getTrainable())
      spread(state.variables.at(variable.getSymName().str()), options.seed, id);
  if (!lossScaleVariable.empty())
    lossScale = state.variables.at(lossScaleVariable.str()).getFloats().front();
  inputs = drawInputs(job, options.seed);
  return success();
}

/// The sum of all losses, times the loss scale, at `state`.
FailureOr<double> Checker::evaluateLoss(Interpreter &interpreter) {
  interpreter.setState(state);
  SmallVector<ReferenceTensor> losses;
  if (failed(interpreter.run(lossJob, inputs, losses)))
    return failure();
  double sum = 0;
  lossMagnitude = 0;
  for (const ReferenceTensor &loss : losses)
    for (double value : loss.getFloats()) {
      sum += value;
      lossMagnitude += std::abs(value * lossScale);
    }
  return sum * lossScale;
}

/// The slope of the loss between two points at equal distance from `element`.
FailureOr<double> Checker::evaluateSlope(Interpreter &interpreter,
                                         StringRef variable, int64_t element,
                                         double step) {
  double &value = state.variables.at(variable.str()).getFloats()[element];
  double center = value;
  value = center + step;
  double above = value;
  FailureOr<double> lossAbove = evaluateLoss(interpreter);
  value = center - step;
  double below = value;
  FailureOr<double> lossBelow = evaluateLoss(interpreter);
  value = center;
  if (failed(lossAbove) || failed(lossBelow))
    return failure();
  return (*lossAbove - *lossBelow) / (above - below);
}

/// The derivative by central differences of fourth order. Two slopes that
/// differ say that a kink is near, or that the loss bends too much for the
/// step: a smaller one is tried.
FailureOr<Derivative> Checker::evaluateDerivative(Interpreter &interpreter,
                                                  StringRef variable,
                                                  int64_t element,
                                                  double scale) {
  double step = options.step;
  for (int attempt = 0;; ++attempt, step /= 8) {
    FailureOr<double> near =
        evaluateSlope(interpreter, variable, element, step);
    FailureOr<double> far =
        evaluateSlope(interpreter, variable, element, 2 * step);
    if (failed(near) || failed(far))
      return failure();
    double roundoff =
        16 * std::numeric_limits<double>::epsilon() * lossMagnitude / step;
    double derivative = (4 * *near - *far) / 3;
    double allowed = options.tolerance * std::max(scale, std::abs(derivative));
    if (std::abs(*near - *far) <= allowed + roundoff || attempt == 4)
      return Derivative{derivative, step, roundoff};
  }
}

/// How far changes of an element by some units in the last place move the loss:
/// by rounding, since its slope does not show in them. A loss whose terms
/// cancel is rounded where it was large.
FailureOr<double> Checker::getJitter(Interpreter &interpreter,
                                     StringRef variable, int64_t element) {
  std::vector<double> &values = state.variables.at(variable.str()).getFloats();
  double &value = values[element];
  double center = value, magnitude = 0;
  for (double x : values)
    magnitude = std::max(magnitude, std::abs(x));
  double unit =
      std::numeric_limits<double>::epsilon() * (magnitude == 0 ? 1 : magnitude);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool ok = true;
  for (int units = -4; ok && units <= 4; ++units) {
    value = center + units * unit;
    FailureOr<double> loss = evaluateLoss(interpreter);
    ok = succeeded(loss);
    if (ok) {
      least = std::min(least, *loss);
      most = std::max(most, *loss);
    }
  }
  value = center;
  if (!ok)
    return failure();
  return most - least;
}

/// The gradient of a variable, in the order in which it was declared, among
/// those that the job of gradients returns.
static ReferenceTensor selectGradient(const Subject &subject,
                                      ArrayRef<ReferenceTensor> gradients) {
  VariableOp variable = subject.variable;
  if (!subject.gradientIndex)
    return ReferenceTensor(variable.getDeclaredType());
  const ReferenceTensor &gradient = gradients[*subject.gradientIndex];
  return toDeclared(gradient, variable);
}

/// How far noise of f32 moves a gradient. Where terms cancel, as in that of a
/// bias before a normalisation, nothing of it is left but such noise: constants
/// of the job are f32.
FailureOr<double> Checker::getNoise(Subject subject,
                                    const ReferenceTensor &gradient) {
  double noise = 0;
  for (const Interpreter::Options &noisy : getNoiseOptions()) {
    Interpreter interpreter(*copy, noisy);
    interpreter.setState(state);
    SmallVector<ReferenceTensor> gradients;
    if (failed(interpreter.run(gradientJob, inputs, gradients)))
      return failure();
    noise = std::max(
        noise, getSensitivity(gradient, selectGradient(subject, gradients)));
  }
  return noise;
}

/// All elements of a small variable, else so many as the options say.
SmallVector<int64_t> Checker::chooseElements(int64_t count, uint32_t id) {
  SmallVector<int64_t> elements;
  if (count <= options.samples) {
    elements.resize(count);
    std::iota(elements.begin(), elements.end(), 0);
    return elements;
  }
  llvm::SetVector<int64_t> chosen;
  for (int64_t i = 0; static_cast<int64_t>(chosen.size()) < options.samples;
       ++i)
    chosen.insert(static_cast<int64_t>(
        philoxUniform(options.seed, /*step=*/2, id, i) * count));
  return chosen.takeVector();
}

/// The element's place, "weight[3, 5]".
static std::string formatElement(VariableOp variable, int64_t element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ArrayRef<int64_t> shape = variable.getDeclaredType().getShape();
  os << variable.getSymName() << '[';
  llvm::interleaveComma(llvm::zip(shape, getRowMajorStrides(shape)), os,
                        [&](auto dim) {
                          auto [extent, stride] = dim;
                          os << element / stride % extent;
                        });
  os << ']';
  return text;
}

static std::string formatNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

LogicalResult Checker::check(Interpreter &interpreter, Subject subject,
                             const ReferenceTensor &gradient) {
  const std::vector<double> &values = gradient.getFloats();
  double scale = 0;
  for (double value : values)
    scale = std::max(scale, std::abs(value));

  StringRef name = subject.variable.getSymName();
  int64_t worst = -1;
  double worstDifference = 0, expected = 0;
  for (int64_t element :
       chooseElements(values.size(), subject.gradientIndex.value_or(0))) {
    ++numElements;
    FailureOr<Derivative> derivative =
        evaluateDerivative(interpreter, name, element, scale);
    if (failed(derivative))
      return failure();
    double difference = std::abs(derivative->value - values[element]);
    double allowed =
        options.tolerance * std::max(scale, std::abs(derivative->value)) +
        derivative->roundoff;
    // Written so that NaN is an error, and none is worse.
    if (difference <= allowed || difference <= worstDifference ||
        std::isnan(worstDifference))
      continue;
    FailureOr<double> jitter = getJitter(interpreter, name, element);
    if (failed(jitter))
      return failure();
    if (difference <= allowed + 4 * *jitter / derivative->step)
      continue;
    worst = element;
    worstDifference = difference;
    expected = derivative->value;
  }
  if (worst < 0)
    return success();
  if (subject.gradientIndex) {
    FailureOr<double> noise = getNoise(subject, gradient);
    if (failed(noise))
      return failure();
    if (worstDifference <= *noise)
      return success();
  }
  InFlightDiagnostic diagnostic = subject.op->emitError()
                                  << "expects d loss / d "
                                  << formatElement(subject.variable, worst)
                                  << " = " << formatNumber(expected)
                                  << " but got " << formatNumber(values[worst]);
  diagnostic.attachNote(subject.variable.getLoc())
      << "the variable is defined here";
  return diagnostic;
}

LogicalResult Checker::run() {
  SmallVector<Subject> subjects;
  if (failed(findSubjects(subjects)))
    return failure();
  buildJobs();
  Interpreter interpreter(*copy);
  if (failed(start(interpreter)))
    return failure();
  interpreter.setState(state);
  SmallVector<ReferenceTensor> gradients;
  if (failed(interpreter.run(gradientJob, inputs, gradients)))
    return failure();

  // All variables are compared: which of them differ tells where the error is.
  bool ok = true;
  for (Subject subject : subjects) {
    ok &= succeeded(
        check(interpreter, subject, selectGradient(subject, gradients)));
  }
  if (!ok)
    return failure();
  auto count = [](int64_t number, const Twine &what) {
    return (Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
  };
  emitRemark(job.getLoc()) << "seed " << options.seed << ": the gradients of "
                           << count(subjects.size(), "variable") << " of @"
                           << job.getSymName()
                           << " agree with central differences in "
                           << count(numElements, "element");
  return success();
}

LogicalResult job::checkGradients(ModuleOp module,
                                  const GradientCheckOptions &options) {
  SmallVector<FuncOp> jobs;
  for (auto job : module.getOps<FuncOp>())
    if (job.getKind() == JobKind::Train)
      jobs.push_back(job);
  if (jobs.empty())
    return module.emitError() << "expects a training job but got none";
  if (failed(verifyFitsMemory(module)))
    return failure();
  bool ok = true;
  for (FuncOp job : jobs)
    ok &= succeeded(Checker(module, job, options).run());
  return success(ok);
}
