//===- Compare.cpp - Values against values --------------------------------===//

#include "Compare.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Reference/Interpreter.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

/// Of an elementwise op in f32, see section 11 of the design: 4 units in the
/// last place.
static constexpr double kElementwiseError = 4 * 0x1p-24;
/// Of a sum, times the root of its terms.
static constexpr double kSumError = 1e-6;

std::string Difference::describe(const Twine &what) const {
  return ("expects " + what + element + " = " + expected + " but got " + got)
      .str();
}

static std::string formatIndex(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<int64_t> place(shape.size());
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
    place[dim] = index % shape[dim];
    index /= shape[dim];
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(place, os);
  os << "]";
  return text;
}

static std::string formatFloat(double value) {
  if (std::isnan(value))
    return "nan";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

static std::string formatType(const ReferenceTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tensor.getType();
  return text;
}

std::optional<Difference> job::findDifference(const ReferenceTensor &expected,
                                              const ReferenceTensor &got,
                                              double allowed) {
  if (expected.getType() != got.getType())
    return Difference{"", formatType(expected), formatType(got)};
  Type element = expected.getType().getElementType();
  auto differs = [&](double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b)) ||
        roundToElementType(element, a) == b)
      return false;
    return !(std::abs(a - b) <= allowed);
  };
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    std::string element = "";
    if (expected.isFloat()) {
      double a = expected.getFloats()[i], b = got.getFloats()[i];
      if (differs(a, b))
        return Difference{formatIndex(expected.getShape(), i), formatFloat(a),
                          formatFloat(b)};
      continue;
    }
    int64_t a = expected.getIntegers()[i], b = got.getIntegers()[i];
    if (a != b)
      return Difference{formatIndex(expected.getShape(), i), std::to_string(a),
                        std::to_string(b)};
  }
  return std::nullopt;
}

double job::getMagnitude(const ReferenceTensor &tensor) {
  double largest = 0;
  if (tensor.isFloat())
    for (double value : tensor.getFloats())
      if (std::isfinite(value))
        largest = std::max(largest, std::abs(value));
  return largest;
}

Work job::getWork(Operation *op) {
  Work work;
  op->walk([&](Operation *part) {
    if (part->getNumRegions() > 0 || part->getNumResults() == 0)
      return;
    ++work.ops;
    int64_t elements = 0;
    for (Type type : part->getResultTypes())
      elements += cast<BlobType>(type).getNumElements();
    if (elements > 0)
      work.terms = std::max(work.terms, getFlops(part) / elements);
  });
  return work;
}

double Judge::getAllowed(const ReferenceTensor &exact,
                         double sensitivity) const {
  // The unit in which errors are counted.
  double unit = exact.isFloat()
                    ? getEpsilon(exact.getType().getElementType()) / 0x1p-23
                    : 1;
  double root = std::sqrt(static_cast<double>(work.terms));
  double sum = work.terms > 1 ? kSumError * root : 0;
  double relative =
      (static_cast<double>(work.ops) * kElementwiseError + sum) * unit;
  // The reference rounds by half a unit where a kernel may be off by four, and
  // each sum once.
  double factor = 2 * kElementwiseError / 0x1p-24 + sum / 0x1p-24;
  return relative * getMagnitude(exact) + factor * sensitivity;
}

/// `exact` with the infinities and NaNs of `got` where there is the same when
/// each op is rounded: they say nothing about who compiled the ops.
static ReferenceTensor acceptOverflow(const ReferenceTensor &exact,
                                      const ReferenceTensor &rounded,
                                      const ReferenceTensor &got) {
  ReferenceTensor result = exact;
  for (auto [to, a, b] : llvm::zip_equal(result.getFloats(),
                                         rounded.getFloats(), got.getFloats()))
    if (!std::isfinite(a) && (a == b || (std::isnan(a) && std::isnan(b))))
      to = b;
  return result;
}

/// `exact` with the integers of `got` where one of `others` is another one: a
/// comparison of rounded numbers may come out the other way.
static ReferenceTensor acceptChanges(const ReferenceTensor &exact,
                                     ArrayRef<const ReferenceTensor *> others,
                                     const ReferenceTensor &got) {
  ReferenceTensor result = exact;
  for (int64_t i = 0, e = exact.getNumElements(); i < e; ++i)
    if (llvm::any_of(others, [&](const ReferenceTensor *other) {
          return other->getIntegers()[i] != exact.getIntegers()[i];
        }))
      result.setInteger(i, got.getIntegers()[i]);
  return result;
}

FailureOr<std::optional<Difference>> Judge::find(size_t number,
                                                 const ReferenceTensor &exact,
                                                 const ReferenceTensor &rounded,
                                                 const ReferenceTensor &got) {
  double sensitivity = getDistance(exact, rounded);
  auto difference = findDifference(exact, got, getAllowed(exact, sensitivity));
  if (!difference)
    return difference;
  if (noisy.empty() && failed(getNoisy(noisy)))
    return failure();
  SmallVector<const ReferenceTensor *> others = {&rounded};
  for (ArrayRef<ReferenceTensor> values : noisy) {
    sensitivity = std::max(sensitivity, getSensitivity(exact, values[number]));
    others.push_back(&values[number]);
  }
  return findDifference(exact.isFloat() ? acceptOverflow(exact, rounded, got)
                                        : acceptChanges(exact, others, got),
                        got, getAllowed(exact, sensitivity));
}
