//===- MatMul.cpp - Matrix products of the stand-in for cuBLASLt ----------===//

#include "simulators/common/LibraryWork.h"
#include "simulators/cublaslt/Calls.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

using namespace jobsim;
using namespace jobsim::cublaslt;

static constexpr uint64_t kMagic = 0x6a6f6273696d4c74;

//===----------------------------------------------------------------------===//
// What the library accepts
//===----------------------------------------------------------------------===//

size_t jobsim::cublaslt::bytesOf(int32_t type) {
  switch (type) {
  case kTypeF32:
    return 4;
  case kTypeF16:
  case kTypeBF16:
    return 2;
  default:
    return 0;
  }
}

uint64_t jobsim::cublaslt::bytesOf(const MatrixLayoutData &layout) {
  uint64_t elements = (layout.columns - 1) * layout.leading + layout.rows +
                      uint64_t(layout.batchCount - 1) * layout.batchOffset;
  return elements * bytesOf(layout.type);
}

static Refusal invalid(std::string reason) {
  return {kInvalidValue, std::move(reason)};
}

static Refusal unsupported(std::string reason) {
  return {kNotSupported, std::move(reason)};
}

static Refusal checkLayout(const char *name, const MatrixLayoutData &layout) {
  auto text = [&](const char *what, int64_t least, int64_t got) {
    return std::string("expects ") + what + " of " + name + " of at least " +
           std::to_string(least) + " but got " + std::to_string(got);
  };
  if (layout.rows < 1 || layout.columns < 1 || layout.rows > INT32_MAX ||
      layout.columns > INT32_MAX)
    return invalid(std::string("expects rows and columns of ") + name +
                   " from 1 to 2147483647");
  if (layout.leading < int64_t(layout.rows))
    return invalid(text("a leading dimension", layout.rows, layout.leading));
  if (layout.batchCount < 1)
    return invalid(text("a batch", 1, layout.batchCount));
  if (layout.batchOffset < 0)
    return invalid(text("a batch offset", 0, layout.batchOffset));
  return {};
}

/// What a product multiplies: rows and columns after the transposition.
namespace {
struct Extents {
  uint64_t rows, columns;
};
} // namespace

static Extents getExtents(const MatrixLayoutData &layout, int32_t operation) {
  if (operation == kOperationT)
    return {layout.columns, layout.rows};
  return {layout.rows, layout.columns};
}

static Refusal checkTypes(const Problem &problem) {
  const MatmulDescData &desc = problem.desc;
  int32_t type = problem.a.type;
  if (bytesOf(type) == 0 || problem.b.type != type)
    return unsupported("expects A and B of one type, of f32, f16 and bf16");
  if (problem.c.type != problem.d.type ||
      (problem.d.type != type && problem.d.type != kTypeF32))
    return unsupported("expects C and D of the type of A, or of f32");
  if (desc.scaleType != kTypeF32)
    return unsupported("expects a scale type of f32");
  if (desc.computeType != kComputeF32 &&
      !(desc.computeType == kComputeFastTF32 && type == kTypeF32))
    return unsupported("expects a compute type of f32, or TF32 for f32");
  return {};
}

std::optional<EpilogueTraits>
jobsim::cublaslt::getTraits(const Problem &problem) {
  EpilogueTraits traits;
  const MatrixLayoutData &d = problem.d;
  switch (problem.desc.epilogue) {
  case kEpilogueDefault:
    return traits;
  case kEpilogueRelu:
    traits.isRelu = true;
    return traits;
  case kEpilogueBias:
    traits.addsBias = true;
    return traits;
  case kEpilogueReluBias:
  case kEpilogueReluAuxBias:
    traits.addsBias = traits.isRelu = true;
    traits.hasAux = problem.desc.epilogue == kEpilogueReluAuxBias;
    return traits;
  case kEpilogueGeluBias:
  case kEpilogueGeluAuxBias:
    traits.addsBias = traits.isGelu = true;
    traits.hasAux = problem.desc.epilogue == kEpilogueGeluAuxBias;
    return traits;
  case kEpilogueDRelu:
  case kEpilogueDReluBGrad:
    traits.isRelu = traits.isGradient = traits.hasAux = true;
    traits.biasGrad = problem.desc.epilogue == kEpilogueDRelu ? 0 : d.rows;
    return traits;
  case kEpilogueDGelu:
  case kEpilogueDGeluBGrad:
    traits.isGelu = traits.isGradient = traits.hasAux = true;
    traits.biasGrad = problem.desc.epilogue == kEpilogueDGelu ? 0 : d.rows;
    return traits;
  case kEpilogueBGradA:
    traits.biasGrad = d.rows;
    return traits;
  case kEpilogueBGradB:
    traits.biasGrad = d.columns;
    return traits;
  default:
    return std::nullopt;
  }
}

static Refusal checkEpilogue(const Problem &problem) {
  const MatmulDescData &desc = problem.desc;
  std::optional<EpilogueTraits> traits = getTraits(problem);
  if (!traits)
    return unsupported("the stand-in has no epilogue " +
                       std::to_string(desc.epilogue));
  if (problem.d.batchCount > 1 && (traits->hasAux || traits->biasGrad))
    return unsupported("the stand-in has the epilogue " +
                       std::to_string(desc.epilogue) + " for one product only");
  if (desc.epilogue == kEpilogueBGradA && desc.transposeA != kOperationN)
    return unsupported("expects A not to be transposed with BGRADA");
  if (desc.epilogue == kEpilogueBGradB && desc.transposeB != kOperationT)
    return unsupported("expects B to be transposed with BGRADB");
  if (traits->isGradient && getExtents(problem.a, desc.transposeA).columns == 1)
    return unsupported("expects a sum of at least 2 terms with the epilogue " +
                       std::to_string(desc.epilogue));
  if (!traits->hasAux)
    return {};
  // In bits for a mask.
  int64_t group = traits->isRelu ? 128 : 8;
  if (desc.auxLeading % group != 0 || desc.auxLeading < int64_t(problem.d.rows))
    return invalid("expects a leading dimension of the auxiliary array of at "
                   "least " +
                   std::to_string(problem.d.rows) + " and a multiple of " +
                   std::to_string(group) + " but got " +
                   std::to_string(desc.auxLeading));
  return {};
}

Refusal jobsim::cublaslt::checkProblem(const Problem &problem) {
  const std::pair<const char *, const MatrixLayoutData *> layouts[] = {
      {"A", &problem.a},
      {"B", &problem.b},
      {"C", &problem.c},
      {"D", &problem.d}};
  for (auto [name, layout] : layouts)
    if (Refusal refusal = checkLayout(name, *layout); refusal.result)
      return refusal;
  const MatmulDescData &desc = problem.desc;
  for (int32_t operation : {desc.transposeA, desc.transposeB})
    if (operation != kOperationN && operation != kOperationT)
      return invalid("expects an operation of 0 (N) or 1 (T) but got " +
                     std::to_string(operation));
  if (Refusal refusal = checkTypes(problem); refusal.result)
    return refusal;
  if (Refusal refusal = checkEpilogue(problem); refusal.result)
    return refusal;
  Extents a = getExtents(problem.a, desc.transposeA),
          b = getExtents(problem.b, desc.transposeB);
  const MatrixLayoutData &d = problem.d;
  if (a.rows != d.rows || b.columns != d.columns || a.columns != b.rows ||
      problem.c.rows != d.rows || problem.c.columns != d.columns)
    return invalid("the extents of A (" + std::to_string(a.rows) + " x " +
                   std::to_string(a.columns) + "), B (" +
                   std::to_string(b.rows) + " x " + std::to_string(b.columns) +
                   ") and D (" + std::to_string(d.rows) + " x " +
                   std::to_string(d.columns) + ") do not match");
  for (auto [name, layout] : layouts)
    if (layout->batchCount != d.batchCount)
      return invalid(std::string("expects a batch of ") +
                     std::to_string(d.batchCount) + " for " + name +
                     " but got " + std::to_string(layout->batchCount));
  if (d.batchCount > 1 &&
      uint64_t(d.batchOffset) < (d.columns - 1) * d.leading + d.rows)
    return invalid("the matrices of the batch of D overlap");
  return {};
}

uint64_t jobsim::cublaslt::hashProblem(const Problem &problem) {
  uint64_t hash = 14695981039346656037u;
  auto add = [&](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  const MatmulDescData &desc = problem.desc;
  for (int32_t value :
       {desc.computeType, desc.scaleType, desc.transposeA, desc.transposeB})
    add(value);
  add(desc.epilogue);
  add(desc.auxLeading);
  for (const MatrixLayoutData *layout :
       {&problem.a, &problem.b, &problem.c, &problem.d}) {
    add(layout->type);
    add(layout->rows);
    add(layout->columns);
    add(layout->leading);
    add(layout->batchCount);
    add(layout->batchOffset);
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory that an epilogue reads or writes, without alignments.
static std::vector<Argument> getEpilogueArguments(const Problem &problem) {
  const MatmulDescData &desc = problem.desc;
  const MatrixLayoutData &d = problem.d;
  EpilogueTraits traits = *getTraits(problem);
  std::vector<Argument> arguments;
  if (traits.addsBias)
    arguments.push_back(
        {"the bias", desc.bias, d.rows * bytesOf(d.type), 1, false});
  if (traits.biasGrad)
    arguments.push_back({"the gradient of the bias", desc.bias,
                         traits.biasGrad * bytesOf(d.type), 1, true});
  if (traits.hasAux) {
    uint64_t bytes =
        traits.isRelu
            ? d.columns * desc.auxLeading / 8
            : ((d.columns - 1) * desc.auxLeading + d.rows) * bytesOf(d.type);
    arguments.push_back({traits.isRelu ? "the mask" : "the input of the gelu",
                         desc.aux, bytes, 1, !traits.isGradient});
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

/// The handles of a call's descriptors, as data.
static Refusal makeProblem(Handle handle, MatmulDesc desc, MatrixLayout a,
                           MatrixLayout b, MatrixLayout c, MatrixLayout d,
                           Problem &problem) {
  if (!exists(handle))
    return {kNotInitialized, "no such handle"};
  for (const void *object :
       {static_cast<const void *>(desc), static_cast<const void *>(a),
        static_cast<const void *>(b), static_cast<const void *>(c),
        static_cast<const void *>(d)})
    if (!exists(object))
      return invalid("no such descriptor or layout");
  problem = {*desc, *a, *b, *c, *d};
  return checkProblem(problem);
}

/// The largest power of two, up to 256, that divides an address.
static uint32_t getAlignment(const void *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  return std::min<uintptr_t>(address & -address, 256);
}

/// Splits a long sum in two, as the library does where the result has too few
/// tiles for all multiprocessors.
static Selection select(const Problem &problem,
                        const PreferenceData &preference) {
  Selection selection{kMagic,
                      hashProblem(problem),
                      1,
                      kReductionNone,
                      0,
                      {preference.alignmentA, preference.alignmentB,
                       preference.alignmentC, preference.alignmentD},
                      1,
                      1};
  const MatrixLayoutData &d = problem.d;
  // By the alignment of the address, which is all that it reads of it.
  selection.biasAlignment = getAlignment(problem.desc.bias);
  selection.auxAlignment = getAlignment(problem.desc.aux);
  uint64_t terms = getExtents(problem.a, problem.desc.transposeA).columns;
  uint64_t bytes = 2 * d.rows * d.columns * d.batchCount * sizeof(float);
  if (terms >= 256 && terms >= d.rows && terms >= d.columns &&
      (preference.reductionSchemes & kReductionComputeType) &&
      bytes <= preference.workspaceBytes) {
    selection.splitK = 2;
    selection.reductionScheme = kReductionComputeType;
    selection.workspaceBytes = bytes;
  }
  return selection;
}

Result cublasLtMatmulAlgoGetHeuristic(Handle handle, MatmulDesc desc,
                                      MatrixLayout a, MatrixLayout b,
                                      MatrixLayout c, MatrixLayout d,
                                      Preference preference, int requested,
                                      HeuristicResult *results, int *returned) {
  constexpr const char *kFunction = "cublasLtMatmulAlgoGetHeuristic";
  if (Result result = begin(kFunction, kNotSupported))
    return result;
  if (requested < 1 || !results || !returned)
    return refuse(kInvalidValue,
                  std::string(kFunction) + ": expects room for an algorithm");
  Problem problem;
  Refusal refusal = makeProblem(handle, desc, a, b, c, d, problem);
  if (!refusal.result && !exists(preference))
    refusal = invalid("no such preference");
  if (refusal.result)
    return refuse(refusal.result,
                  std::string(kFunction) + ": " + refusal.reason);
  for (const Argument &argument : getEpilogueArguments(problem))
    if (!argument.pointer)
      return refuse(kInvalidValue, std::string(kFunction) +
                                       ": expects an address of " +
                                       argument.name);
  Selection selection = select(problem, *preference);
  std::memset(results, 0, sizeof(*results));
  std::memcpy(&results->algorithm, &selection, sizeof(selection));
  results->workspaceBytes = selection.workspaceBytes;
  results->state = kSuccess;
  results->waves = 1;
  *returned = 1;
  return kSuccess;
}

Result cublasLtMatmulAlgoConfigGetAttribute(const Algorithm *algorithm,
                                            int attribute, void *value,
                                            size_t bytes, size_t *written) {
  constexpr const char *kFunction = "cublasLtMatmulAlgoConfigGetAttribute";
  if (Result result = begin(kFunction, kInvalidValue))
    return result;
  Selection selection;
  if (algorithm)
    std::memcpy(&selection, algorithm, sizeof(selection));
  if (!algorithm || selection.magic != kMagic)
    return refuse(kInvalidValue,
                  std::string(kFunction) + ": expects an algorithm");
  uint32_t number;
  switch (attribute) {
  case kAlgorithmId:
    number = 1;
    break;
  case kAlgorithmTile:
  case kAlgorithmStages:
    number = 0;
    break;
  case kAlgorithmSplitK:
    number = selection.splitK;
    break;
  case kAlgorithmReductionScheme:
    number = selection.reductionScheme;
    break;
  default:
    return refuse(kInvalidValue, std::string(kFunction) +
                                     ": the stand-in has no attribute " +
                                     std::to_string(attribute));
  }
  if (!value || bytes != sizeof(number))
    return refuse(kInvalidValue, std::string(kFunction) + ": expects " +
                                     std::to_string(sizeof(number)) +
                                     " bytes for the attribute but got " +
                                     std::to_string(value ? bytes : 0));
  std::memcpy(value, &number, sizeof(number));
  if (written)
    *written = sizeof(number);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Alignment of a workspace: the reference of cublasLtMatmul asks for 16 bytes,
/// but algorithms for compute capability 9 fail below this.
static constexpr uint64_t kWorkspaceAlignment = 256;

/// Checks the memory of a product, of which the last argument that is written
/// may be one that is read, C.
static Refusal checkArguments(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    if (!argument.pointer)
      return invalid(std::string("expects an address of ") + argument.name);
    if (reinterpret_cast<uintptr_t>(argument.pointer) % argument.alignment)
      return invalid(std::string("expects ") + argument.name +
                     " to be aligned to " + std::to_string(argument.alignment) +
                     " bytes");
  }
  for (const Argument &a : arguments)
    for (const Argument &b : arguments)
      if (&a < &b && (a.isWritten || b.isWritten) && a.overlaps(b))
        return invalid(std::string(a.name) + " and " + b.name + " overlap");
  return {};
}

Result cublasLtMatmul(Handle handle, MatmulDesc desc, const void *alpha,
                      const void *a, MatrixLayout aLayout, const void *b,
                      MatrixLayout bLayout, const void *beta, const void *c,
                      MatrixLayout cLayout, void *d, MatrixLayout dLayout,
                      const Algorithm *algorithm, void *workspace,
                      size_t workspaceBytes, Stream stream) {
  constexpr const char *kFunction = "cublasLtMatmul";
  if (Result result = begin(kFunction, kExecutionFailed))
    return result;
  auto fail = [&](const Refusal &refusal) {
    return refuse(refusal.result,
                  std::string(kFunction) + ": " + refusal.reason);
  };
  auto product = std::make_unique<Product>();
  Problem &problem = product->problem;
  if (Refusal refusal = makeProblem(handle, desc, aLayout, bLayout, cLayout,
                                    dLayout, problem);
      refusal.result)
    return fail(refusal);
  if (!alpha || !beta)
    return fail(invalid("expects alpha and beta"));
  if (!algorithm)
    return fail(unsupported("the stand-in selects no algorithm in the call"));
  Selection &selection = product->selection;
  std::memcpy(&selection, algorithm, sizeof(selection));
  if (selection.magic != kMagic || selection.problem != hashProblem(problem))
    return fail(invalid("the algorithm was selected for another product"));
  if (workspaceBytes < selection.workspaceBytes)
    return fail(invalid("expects a workspace of at least " +
                        std::to_string(selection.workspaceBytes) +
                        " bytes but got " + std::to_string(workspaceBytes)));
  std::memcpy(&product->alpha, alpha, sizeof(float));
  std::memcpy(&product->beta, beta, sizeof(float));
  product->a = a;
  product->b = b;
  product->c = product->beta != 0 ? c : nullptr;
  product->d = d;
  product->workspace = workspace;

  const uint32_t *alignment = selection.alignment;
  std::vector<Argument> arguments = {
      {"A", a, bytesOf(problem.a), alignment[0], false},
      {"B", b, bytesOf(problem.b), alignment[1], false},
      {"D", d, bytesOf(problem.d), alignment[3], true}};
  for (Argument &argument : getEpilogueArguments(problem)) {
    argument.alignment = argument.pointer == problem.desc.aux
                             ? selection.auxAlignment
                             : selection.biasAlignment;
    arguments.push_back(argument);
  }
  // C is not read where beta is 0, and may be D.
  if (product->c && c != d)
    arguments.push_back({"C", c, bytesOf(problem.c), alignment[2], false});
  if (workspaceBytes > 0)
    arguments.push_back({"the workspace", workspace, workspaceBytes,
                         kWorkspaceAlignment, true});
  if (Refusal refusal = checkArguments(arguments); refusal.result)
    return fail(refusal);
  if (jobsim_library_load("cublaslt", selection.problem))
    return kExecutionFailed;

  return submitWork<runProduct>(kFunction, arguments, std::move(product),
                                stream)
             ? kExecutionFailed
             : kSuccess;
}
