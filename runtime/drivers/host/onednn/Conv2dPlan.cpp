//===- Conv2dPlan.cpp - How one part of a convolution runs ----------------===//

#include "drivers/host/onednn/Conv2dPlan.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::onednn;

Operand Conv2dProblem::result() const {
  switch (kind) {
  case calls::Conv2dKind::kForward:
    return kOutput;
  case calls::Conv2dKind::kDataGrad:
    return kInput;
  case calls::Conv2dKind::kFilterGrad:
    return kFilter;
  }
  return kOutput;
}

int Conv2dProblem::dnnlArg(Operand operand) const {
  bool forward = kind == calls::Conv2dKind::kForward;
  switch (operand) {
  case kInput:
    return kind == calls::Conv2dKind::kDataGrad ? DNNL_ARG_DIFF_SRC
                                                : DNNL_ARG_SRC;
  case kFilter:
    return kind == calls::Conv2dKind::kFilterGrad ? DNNL_ARG_DIFF_WEIGHTS
                                                  : DNNL_ARG_WEIGHTS;
  default:
    return forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST;
  }
}

int Conv2dProblem::bufferIndex(Operand operand) const {
  // conv2d: input, filter, out. data_grad: grad_out, filter, grad_input.
  // filter_grad: grad_out, input, grad_filter.
  static constexpr int kIndex[3][kNumOperands] = {
      {0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  return kIndex[static_cast<int>(kind)][operand];
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {

/// What is asked of the layout of an array. NHWC is that of a dense copy, where
/// a chunk has a part of the channels, or images in NCHW are copied to it; HWIO
/// that of the filter of a matrix product on images with the channels last.
enum class Layout { kPlain, kBlocked, kAny, kNHWC, kHWIO };

struct Candidate {
  Layout input, output, filter = Layout::kAny;
};

} // namespace

/// Whether the processor has all of these features, as far as the library uses
/// them.
static bool hasFeatures(int features) {
  return (dnnl_get_effective_cpu_isa() & features) == features;
}

/// Whether copying images with the channels last to blocks of channels and back
/// pays: with AVX2 and without AVX-512, windows of 3x3 pixels on wide images of
/// many channels then take 0.7 to 1.0 of the time, others more
/// (docs/rationale.md).
static bool gainsFromBlocks(const Conv2dProblem &problem,
                            const Conv2dPart &part) {
  const calls::Conv2d &conv = problem.config;
  int64_t channels =
      std::min(part.inputChannels, part.outputChannels) / conv.groups;
  if (conv.kh * conv.kw == 1 || channels < 32 || conv.oh * conv.ow < 24 * 24)
    return false;
  return hasFeatures(dnnl_cpu_isa_avx2) &&
         !hasFeatures(dnnl_cpu_isa_avx512_core);
}

/// Whether the library multiplies tiles of bf16 with AMX. Its kernels for that
/// have one layout, channels last, and take 0.08 to 0.4 of the time of others.
static bool usesAMX(const calls::Conv2d &conv) {
  return conv.isNarrow() && hasFeatures(dnnl_cpu_isa_avx512_core_amx);
}

/// The layouts to try, best first. Arrays with the channels last are mostly
/// used as they are, and for AMX others are copied to that. Without it, blocks
/// of 16 channels beat what the library picks by itself with AVX-512 (channels
/// last), since copying to and from plain arrays is three times as fast; a few
/// channels are read as they are.
/// The library's plain loops and matrix products take a plain filter only
/// together with plain data.
static std::vector<Candidate> candidates(const Conv2dProblem &problem,
                                         const Conv2dPart &part) {
  const calls::Conv2d &conv = problem.config;
  std::vector<Candidate> list;
  // For few channels a data gradient by matrix product, on plain arrays, beats
  // one that computes all 8 or 16 channels of a block, but with AMX.
  bool hasFewChannels = conv.groups == 1 && conv.c <= 3;
  bool isDataGrad = problem.kind == calls::Conv2dKind::kDataGrad;
  if (conv.isChannelsLast()) {
    if (hasFewChannels && isDataGrad && conv.oc > calls::kBlock &&
        !usesAMX(conv))
      list.push_back({Layout::kPlain, Layout::kPlain, Layout::kHWIO});
    else if (gainsFromBlocks(problem, part))
      list.push_back({Layout::kAny, Layout::kAny});
    list.push_back({Layout::kPlain, Layout::kPlain});
    list.push_back({Layout::kNHWC, Layout::kNHWC});
  } else {
    if (usesAMX(conv))
      list.push_back({Layout::kNHWC, Layout::kNHWC});
    if (hasFewChannels && isDataGrad)
      list.push_back({Layout::kPlain, Layout::kPlain, Layout::kPlain});
    else if (hasFewChannels)
      list.push_back({Layout::kPlain, Layout::kBlocked});
  }
  list.push_back({Layout::kBlocked, Layout::kBlocked});
  list.push_back({Layout::kAny, Layout::kAny});
  list.push_back({Layout::kPlain, Layout::kPlain, Layout::kPlain});
  return list;
}

/// Whether a kernel of the library is not to be used. Of 2.6, those for AMX
/// crash where a whole window may be padding, and those for AVX512-BF16 compute
/// a wrong gradient of a filter that is larger than the image. The gradient of
/// a filter of one channel takes 1.2 to 1.9 of the time of the next kernel with
/// AMX, which computes those of a block of channels.
static bool isRefused(const Conv2dProblem &problem,
                      const Primitive &primitive) {
  const calls::Conv2d &conv = problem.config;
  int64_t reachH = conv.dilation_h * (conv.kh - 1),
          reachW = conv.dilation_w * (conv.kw - 1);
  bool isFilterGrad = problem.kind == calls::Conv2dKind::kFilterGrad;
  if (primitive.usesAMX())
    return std::max(conv.pad_top, conv.pad_bottom) > reachH ||
           std::max(conv.pad_left, conv.pad_right) > reachW ||
           (isFilterGrad && conv.c == 1);
  return isFilterGrad && (reachH >= conv.h || reachW >= conv.w) &&
         primitive.implementation().starts_with("jit_bf16");
}

/// The strides of a plain array of that many channels, height and width, in the
/// order of NCHW.
static std::vector<int64_t> plainStrides(const calls::Conv2d &conv, int64_t c,
                                         int64_t h, int64_t w) {
  if (conv.isChannelsLast())
    return {c * h * w, 1, w * c, c};
  return {c * h * w, h * w, w, 1};
}

/// The plain array as the plan has it: a part's extents, the whole's strides.
static Expected<MemoryDesc> plainDesc(const Conv2dProblem &problem,
                                      const Conv2dPart &part, Operand operand) {
  const calls::Conv2d &conv = problem.config;
  calls::Element element = conv.element();
  if (operand == kInput)
    return stridedDesc({part.images, part.inputChannels, conv.h, conv.w},
                       plainStrides(conv, conv.c, conv.h, conv.w), element);
  if (operand == kOutput)
    return stridedDesc({part.images, part.outputChannels, conv.oh, conv.ow},
                       plainStrides(conv, conv.oc, conv.oh, conv.ow), element);
  int64_t groupC = conv.c / conv.groups, groupOc = conv.oc / conv.groups;
  auto strides = plainStrides(conv, groupC, conv.kh, conv.kw);
  if (conv.groups == 1)
    return stridedDesc(
        {part.outputChannels, part.inputChannels, conv.kh, conv.kw}, strides,
        element);
  return stridedDesc(
      {conv.groups, groupOc, groupC, conv.kh, conv.kw},
      {groupOc * strides[0], strides[0], strides[1], strides[2], strides[3]},
      element);
}

/// The same extents with the layout left open.
static MemoryDesc anyDesc(const MemoryDesc &plain) {
  MemoryDesc desc;
  dnnl_memory_desc_init_by_tag(&desc, plain.ndims, plain.dims, plain.data_type,
                               dnnl_format_tag_any);
  return desc;
}

static MemoryDesc requestedDesc(const MemoryDesc &plain, Layout layout) {
  if (layout == Layout::kPlain)
    return plain;
  if (layout == Layout::kAny)
    return anyDesc(plain);
  dnnl_format_tag_t tag = layout == Layout::kNHWC   ? dnnl_nhwc
                          : layout == Layout::kHWIO ? dnnl_hwio
                                                    : dnnl_nChw16c;
  MemoryDesc desc;
  dnnl_memory_desc_init_by_tag(&desc, plain.ndims, plain.dims, plain.data_type,
                               tag);
  return desc;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static Expected<dnnl_convolution_desc_t>
describeOperation(const Conv2dProblem &problem, const MemoryDesc &input,
                  const MemoryDesc &filter, const MemoryDesc &output) {
  const calls::Conv2d &conv = problem.config;
  dnnl_dims_t strides = {conv.stride_h, conv.stride_w};
  dnnl_dims_t dilations = {conv.dilation_h - 1, conv.dilation_w - 1};
  dnnl_dims_t before = {conv.pad_top, conv.pad_left};
  dnnl_dims_t after = {conv.pad_bottom, conv.pad_right};
  dnnl_convolution_desc_t op;
  dnnl_status_t status = dnnl_unimplemented;
  switch (problem.kind) {
  case calls::Conv2dKind::kForward:
    status = dnnl_dilated_convolution_forward_desc_init(
        &op, dnnl_forward_inference, dnnl_convolution_direct, &input, &filter,
        nullptr, &output, strides, dilations, before, after);
    break;
  case calls::Conv2dKind::kDataGrad:
    status = dnnl_dilated_convolution_backward_data_desc_init(
        &op, dnnl_convolution_direct, &input, &filter, &output, strides,
        dilations, before, after);
    break;
  case calls::Conv2dKind::kFilterGrad:
    status = dnnl_dilated_convolution_backward_weights_desc_init(
        &op, dnnl_convolution_direct, &input, &filter, nullptr, &output,
        strides, dilations, before, after);
    break;
  }
  if (status != dnnl_success)
    return dnnlStatus(status, "describe a convolution");
  return op;
}

//===----------------------------------------------------------------------===//
// Placement in the slice
//===----------------------------------------------------------------------===//

static int64_t align(int64_t bytes) {
  return (bytes + JOBRT_ALIGNMENT - 1) / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
}

static bool sameLayout(const MemoryDesc &a, const MemoryDesc &b) {
  return dnnl_memory_desc_equal(&a, &b);
}

/// Fills in the offsets of what `primitive` needs.
static void place(Conv2dVariant &variant, const Conv2dProblem &problem,
                  const Primitive &primitive, const MemoryDesc *plain) {
  int64_t top = 0;
  auto reserve = [&](int64_t bytes) {
    int64_t offset = top;
    top += align(bytes);
    return offset;
  };
  bool sums = problem.kind == calls::Conv2dKind::kFilterGrad;
  MemoryDesc filter = primitive.argument(problem.dnnlArg(kFilter));
  variant.filterBytes = descBytes(filter);
  if (sums || !sameLayout(filter, plain[kFilter]))
    variant.filterOffset = reserve(variant.filterBytes);
  if (sums)
    variant.tileFilterOffset = reserve(variant.filterBytes);
  for (Operand operand : {kInput, kOutput}) {
    MemoryDesc desc = primitive.argument(problem.dnnlArg(operand));
    if (!sameLayout(desc, plain[operand]))
      variant.dataOffsets[operand] = reserve(descBytes(desc));
  }
  variant.scratchOffset = reserve(primitive.scratchBytes());
  variant.sliceBytes = top;
}

static Status addReorders(Conv2dVariant &variant, const Conv2dProblem &problem,
                          const MemoryDesc *plain) {
  bool sums = problem.kind == calls::Conv2dKind::kFilterGrad;
  for (Operand operand : {kInput, kFilter, kOutput}) {
    MemoryDesc desc = variant.primitive->argument(problem.dnnlArg(operand));
    bool needed = !sameLayout(desc, plain[operand]);
    if (!needed && !(sums && operand == kFilter))
      continue;
    bool out = operand == problem.result();
    Expected<std::shared_ptr<const Primitive>> reorder =
        Primitive::createReorder(out ? desc : plain[operand],
                                 out ? plain[operand] : desc);
    if (!reorder.ok())
      return reorder.status();
    // Copies between layouts take no scratch memory in the library; where one
    // would, its size counts like everything else.
    variant.sliceBytes =
        std::max(variant.sliceBytes,
                 variant.scratchOffset + align((*reorder)->scratchBytes()));
    variant.reorders[operand] = std::move(*reorder);
  }
  return {};
}

Expected<Conv2dVariant> onednn::planVariant(const Conv2dProblem &problem,
                                            const Conv2dPart &part,
                                            int64_t sliceBytes,
                                            const MemoryDesc *filterLayout) {
  MemoryDesc plain[kNumOperands];
  for (Operand operand : {kInput, kFilter, kOutput}) {
    Expected<MemoryDesc> desc = plainDesc(problem, part, operand);
    if (!desc.ok())
      return desc.status();
    plain[operand] = *desc;
  }
  // The sums of a filter's gradient stay in f32 until all tiles are added.
  MemoryDesc plainFilter = plain[kFilter];
  if (problem.result() == kFilter)
    plainFilter.data_type = dnnl_f32;
  int64_t smallest = INT64_MAX;
  for (bool reference : {false, true}) {
    for (Candidate candidate : candidates(problem, part)) {
      MemoryDesc input = requestedDesc(plain[kInput], candidate.input);
      MemoryDesc output = requestedDesc(plain[kOutput], candidate.output);
      MemoryDesc filter = filterLayout
                              ? *filterLayout
                              : requestedDesc(plainFilter, candidate.filter);
      Expected<dnnl_convolution_desc_t> op =
          describeOperation(problem, input, filter, output);
      if (!op.ok())
        return op.status();
      Conv2dVariant variant;
      variant.part = part;
      Expected<std::shared_ptr<const Primitive>> primitive =
          Primitive::create(&*op, nullptr, [&](const Primitive &primitive) {
            if ((primitive.isReference() && !reference) ||
                isRefused(problem, primitive))
              return false;
            place(variant, problem, primitive, plain);
            smallest = std::min(smallest, variant.sliceBytes);
            return variant.sliceBytes <= sliceBytes;
          });
      if (!primitive.ok())
        return primitive.status();
      if (!*primitive)
        continue;
      variant.primitive = std::move(*primitive);
      if (Status status = addReorders(variant, problem, plain); !status.ok())
        return status;
      if (variant.sliceBytes <= sliceBytes)
        return Expected<Conv2dVariant>(std::move(variant));
    }
  }
  if (smallest == INT64_MAX)
    return dnnlStatus(dnnl_unimplemented, "run such a convolution");
  return Status(StatusCode::kDataLoss,
                "expects a workspace of at least " + std::to_string(smallest) +
                    " bytes a chunk but got " + std::to_string(sliceBytes));
}
