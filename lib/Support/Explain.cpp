//===- Explain.cpp - Why the compiler decided as it did -------------------===//

#include "JobDialect/Support/Explain.h"

#include "JobDialect/Support/Locations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::job;

StringRef job::stringifyExplainCategory(ExplainCategory category) {
  switch (category) {
  case ExplainCategory::Fusion:
    return "fusion";
  case ExplainCategory::Memory:
    return "memory";
  case ExplainCategory::Kernels:
    return "kernels";
  }
  llvm_unreachable("unknown category");
}

std::optional<ExplainCategory> job::symbolizeExplainCategory(StringRef name) {
  for (ExplainCategory category :
       {ExplainCategory::Fusion, ExplainCategory::Memory,
        ExplainCategory::Kernels})
    if (name == stringifyExplainCategory(category))
      return category;
  return std::nullopt;
}

namespace {

/// Prints remarks as lines.
class ExplanationPrinter : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ExplanationPrinter(raw_ostream &os) : os(os) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Location loc = remark.getLocation();
    if (std::optional<UserLocation> line = getUserLocation(loc))
      os << line->str() << ": ";
    os << remark.getCategoryName() << ": " << remark.getFunction() << ": ";
    if (std::string name = getUserName(loc);
        !name.empty() && name != remark.getFunction())
      os << name << ": ";
    for (const remark::detail::Remark::Arg &part : remark.getArgs())
      os << part.val;
    os << '\n';
  }

private:
  raw_ostream &os;
};

} // namespace

void job::enableExplanations(MLIRContext &context,
                             ArrayRef<ExplainCategory> categories,
                             raw_ostream &os) {
  context.disableMultithreading();
  remark::RemarkCategories filter;
  filter.passed = filter.missed =
      "^(" +
      llvm::join(llvm::map_range(categories, stringifyExplainCategory), "|") +
      ")$";
  // Fails only where a streamer does.
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<ExplanationPrinter>(os),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), filter);
}

/// The silencers of a thread.
static thread_local int numSilencers = 0;

job::ExplanationSilencer::ExplanationSilencer() { ++numSilencers; }
job::ExplanationSilencer::~ExplanationSilencer() { --numSilencers; }

static remark::RemarkOpts getOptions(ExplainCategory category, StringRef job) {
  return remark::RemarkOpts::name(stringifyExplainCategory(category))
      .category(stringifyExplainCategory(category))
      .function(job);
}

remark::detail::InFlightRemark
job::explainDone(Location loc, ExplainCategory category, StringRef job) {
  if (numSilencers > 0)
    return {};
  return remark::passed(loc, getOptions(category, job));
}

remark::detail::InFlightRemark
job::explainMissed(Location loc, ExplainCategory category, StringRef job) {
  if (numSilencers > 0)
    return {};
  return remark::missed(loc, getOptions(category, job));
}
