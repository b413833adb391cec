//===- VerifyCalls.cpp - Calls against their library functions ------------===//
//
// The runtime checks a call when it loads an artifact (CallConfig.h). Here the
// same is checked where a person wrote it, and in addition that chunks and
// workspace are those of jobrt/abi.h: others change the bits of results or make
// the call fail.
//
//===----------------------------------------------------------------------===//

#include "VerifyCalls.h"

#include "jobrt/abi.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::plan;

namespace {

/// Checks one call. After the first error nothing more is reported.
class CallChecker {
public:
  explicit CallChecker(CallOp call) : call(call) {}

  LogicalResult check();

private:
  using Shape = SmallVector<int64_t, 4>;

  int64_t getInteger(StringRef key, int64_t low, int64_t high = INT32_MAX);
  void checkNumber(StringRef key);
  void checkKeys();
  void checkBuffers(StringRef what, OperandRange buffers,
                    ArrayRef<Shape> shapes);
  void finish(ArrayRef<Shape> ins, ArrayRef<Shape> outs);
  void checkWork(int64_t chunks, int64_t workspaceBytes);
  void checkExtent(StringRef key, int64_t out, int64_t in, int64_t padding,
                   int64_t kernel, int64_t dilation, int64_t stride);
  void checkMatMul();
  void checkConv2D(jobrt_conv2d_kind kind);
  void checkAttention(jobrt_attention_kind kind);

  /// The error to report, or one that is not reported.
  InFlightDiagnostic error() {
    bool isFirst = !hasFailed;
    hasFailed = true;
    return isFirst ? call.emitOpError() : InFlightDiagnostic();
  }

  CallOp call;
  llvm::StringSet<> known;
  bool hasFailed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Config and buffers
//===----------------------------------------------------------------------===//

int64_t CallChecker::getInteger(StringRef key, int64_t low, int64_t high) {
  known.insert(key);
  Attribute value = call.getConfig().get(key);
  auto integer = dyn_cast_if_present<IntegerAttr>(value);
  if (integer && integer.getType().isSignlessInteger(64) &&
      integer.getInt() >= low && integer.getInt() <= high)
    return integer.getInt();
  InFlightDiagnostic diagnostic = error();
  diagnostic << "expects config " << key << " from " << low << " to " << high
             << " but got ";
  if (value)
    diagnostic << value;
  else
    diagnostic << "none";
  return low;
}

/// A number that the runtime uses as an f32.
void CallChecker::checkNumber(StringRef key) {
  known.insert(key);
  auto number = dyn_cast_if_present<FloatAttr>(call.getConfig().get(key));
  if (!number)
    error() << "expects an f64 as config " << key << " but got none";
  else if (!std::isfinite(static_cast<float>(number.getValueAsDouble())))
    error() << "expects config " << key << " to be finite in f32 but got "
            << number;
}

void CallChecker::checkKeys() {
  for (NamedAttribute entry : call.getConfig())
    if (!known.contains(entry.getName()))
      error() << "expects config that " << call.getCalleeAttr()
              << " takes but got " << entry.getName();
}

void CallChecker::checkBuffers(StringRef what, OperandRange buffers,
                               ArrayRef<Shape> shapes) {
  if (buffers.size() != shapes.size()) {
    error() << "expects " << shapes.size() << " buffers in " << what
            << " but got " << buffers.size();
    return;
  }
  for (auto [buffer, shape] : llvm::zip_equal(buffers, shapes)) {
    auto type = cast<MemRefType>(buffer.getType());
    int64_t elements = 1;
    bool overflows = llvm::any_of(shape, [&](int64_t extent) {
      return llvm::MulOverflow(elements, extent, elements);
    });
    if (!type.getElementType().isF32() || overflows ||
        type.getNumElements() != elements)
      error() << "expects " << what << " of "
              << MemRefType::get(shape, Float32Type::get(call.getContext()))
              << ", by its config, but got " << type;
  }
}

void CallChecker::finish(ArrayRef<Shape> ins, ArrayRef<Shape> outs) {
  checkKeys();
  checkBuffers("ins", call.getIns(), ins);
  checkBuffers("outs", call.getOuts(), outs);
}

void CallChecker::checkWork(int64_t chunks, int64_t workspaceBytes) {
  if (static_cast<int64_t>(call.getChunks()) != chunks)
    error() << "expects " << chunks << " chunks, by its config, but got "
            << call.getChunks();
  Value workspace = call.getWorkspace();
  if (workspace && !isa_and_nonnull<WorkspaceOp>(getBufferRoot(workspace)))
    error() << "expects a plan.workspace but got another buffer as workspace";
  int64_t bytes =
      workspace ? getBufferBytes(cast<MemRefType>(workspace.getType())) : 0;
  if (bytes != workspaceBytes)
    error() << "expects a workspace of " << workspaceBytes
            << " bytes, by its config, but got " << bytes;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

void CallChecker::checkMatMul() {
  int64_t batch = getInteger("batch", 1), m = getInteger("m", 1),
          n = getInteger("n", 1), k = getInteger("k", 1);
  getInteger("transpose_a", 0, 1);
  getInteger("transpose_b", 0, 1);
  finish({{batch, m, k}, {batch, k, n}}, {{batch, m, n}});
  if (!hasFailed)
    checkWork(jobrt_matmul_chunks(batch, m, n, k), /*workspaceBytes=*/0);
}

/// Checks that an extent of the output is what that of the input gives.
void CallChecker::checkExtent(StringRef key, int64_t out, int64_t in,
                              int64_t padding, int64_t kernel, int64_t dilation,
                              int64_t stride) {
  int64_t reach = dilation * (kernel - 1) + 1;
  if (in + padding < reach || in + padding > INT32_MAX)
    error() << "expects a padded input from " << reach << " to " << INT32_MAX
            << " for config " << key << " but got " << in + padding;
  else if (int64_t expected = (in + padding - reach) / stride + 1;
           out != expected)
    error() << "expects config " << key << " = " << expected << " but got "
            << out;
}

void CallChecker::checkConv2D(jobrt_conv2d_kind kind) {
  jobrt_conv2d_config conv;
  conv.n = getInteger("n", 1);
  conv.c = getInteger("c", 1);
  conv.h = getInteger("h", 1);
  conv.w = getInteger("w", 1);
  conv.oc = getInteger("oc", 1);
  conv.kh = getInteger("kh", 1);
  conv.kw = getInteger("kw", 1);
  conv.oh = getInteger("oh", 1);
  conv.ow = getInteger("ow", 1);
  conv.stride_h = getInteger("stride_h", 1);
  conv.stride_w = getInteger("stride_w", 1);
  conv.pad_top = getInteger("pad_top", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_left = getInteger("pad_left", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_bottom = getInteger("pad_bottom", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_right = getInteger("pad_right", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.dilation_h = getInteger("dilation_h", 1);
  conv.dilation_w = getInteger("dilation_w", 1);
  conv.groups = getInteger("groups", 1);
  if (hasFailed)
    return;
  for (auto [key, channels] : {std::pair("c", conv.c), {"oc", conv.oc}})
    if (channels % conv.groups != 0)
      error() << "expects config " << key << " to be a multiple of the "
              << conv.groups << " groups but got " << channels;
  checkExtent("oh", conv.oh, conv.h, conv.pad_top + conv.pad_bottom, conv.kh,
              conv.dilation_h, conv.stride_h);
  checkExtent("ow", conv.ow, conv.w, conv.pad_left + conv.pad_right, conv.kw,
              conv.dilation_w, conv.stride_w);
  if (hasFailed)
    return;
  Shape input = {conv.n, conv.c, conv.h, conv.w},
        filter = {conv.oc, conv.c / conv.groups, conv.kh, conv.kw},
        output = {conv.n, conv.oc, conv.oh, conv.ow};
  switch (kind) {
  case JOBRT_CONV2D_FORWARD:
    finish({input, filter}, output);
    break;
  case JOBRT_CONV2D_DATA_GRAD:
    finish({output, filter}, input);
    break;
  case JOBRT_CONV2D_FILTER_GRAD:
    finish({output, input}, filter);
    break;
  }
  if (hasFailed)
    return;
  int64_t chunks = jobrt_conv2d_chunks(&conv);
  checkWork(chunks, jobrt_conv2d_kind_workspace_budget(&conv, kind, chunks));
}

void CallChecker::checkAttention(jobrt_attention_kind kind) {
  jobrt_attention_config config;
  config.batch = getInteger("batch", 1);
  config.heads = getInteger("heads", 1);
  config.queries = getInteger("queries", 1);
  config.keys = getInteger("keys", 1);
  config.channels = getInteger("channels", 1);
  config.value_channels = getInteger("value_channels", 1);
  config.causal = getInteger("causal", 0, 1);
  checkNumber("scale");
  if (config.causal && config.keys < config.queries)
    error() << "expects at least " << config.queries
            << " for config keys but got " << config.keys;
  Shape query = {config.batch, config.queries, config.heads, config.channels},
        key = {config.batch, config.keys, config.heads, config.channels},
        value = {config.batch, config.keys, config.heads,
                 config.value_channels},
        result = {config.batch, config.queries, config.heads,
                  config.value_channels},
        logsumexp = {config.batch, config.heads, config.queries};
  if (kind == JOBRT_ATTENTION_FORWARD)
    finish({query, key, value}, {result, logsumexp});
  else
    finish({result, query, key, value, result, logsumexp}, {query, key, value});
  if (hasFailed)
    return;
  int64_t chunks = jobrt_attention_chunks(&config);
  checkWork(chunks, jobrt_attention_workspace(&config, kind, chunks));
}

LogicalResult CallChecker::check() {
  using Check = void (*)(CallChecker &);
  Check check =
      llvm::StringSwitch<Check>(call.getCallee())
          .Case("onednn.matmul", [](CallChecker &c) { c.checkMatMul(); })
          .Case("onednn.conv2d",
                [](CallChecker &c) { c.checkConv2D(JOBRT_CONV2D_FORWARD); })
          .Case("onednn.conv2d_data_grad",
                [](CallChecker &c) { c.checkConv2D(JOBRT_CONV2D_DATA_GRAD); })
          .Case("onednn.conv2d_filter_grad",
                [](CallChecker &c) { c.checkConv2D(JOBRT_CONV2D_FILTER_GRAD); })
          .Case(
              "host.attention",
              [](CallChecker &c) { c.checkAttention(JOBRT_ATTENTION_FORWARD); })
          .Case("host.attention_grad",
                [](CallChecker &c) { c.checkAttention(JOBRT_ATTENTION_GRAD); })
          .Default(nullptr);
  if (check)
    check(*this);
  else
    error() << "expects a function of the runtime but got "
            << call.getCalleeAttr();
  return failure(hasFailed);
}

LogicalResult plan::verifyLibraryCall(CallOp call) {
  return CallChecker(call).check();
}
