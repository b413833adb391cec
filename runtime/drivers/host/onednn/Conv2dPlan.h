//===- Conv2dPlan.h - How one part of a convolution runs --------*- C++ -*-===//
//
// A variant is the convolution of a tile of images and a range of channels:
// the primitive, the layouts it requires, the reorders from and to the plain
// arrays of the plan, and where each intermediate array lies in a chunk's slice
// of the workspace.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_ONEDNN_CONV2DPLAN_H
#define JOBRT_DRIVERS_HOST_ONEDNN_CONV2DPLAN_H

#include "drivers/host/onednn/Dnnl.h"
#include "jobrt/calls.h"

#include <optional>

namespace jobrt::onednn {

/// The three arrays of a convolution, in the order of the arrays below.
enum Operand { kInput, kFilter, kOutput, kNumOperands };

/// What all variants of one call share.
struct Conv2dProblem {
  calls::Conv2dKind kind;
  calls::Conv2d config;

  /// The operand that the call computes.
  Operand result() const;
  /// DNNL_ARG_* of an operand.
  int dnnlArg(Operand operand) const;
  /// Position of an operand among the command's buffers.
  int bufferIndex(Operand operand) const;
};

/// The part of a problem that one variant computes.
struct Conv2dPart {
  int64_t images;
  /// Input channels (of a data gradient cut by channels) and output channels;
  /// all of them otherwise.
  int64_t inputChannels, outputChannels;

  bool operator==(const Conv2dPart &) const = default;
};

struct Conv2dVariant {
  Conv2dPart part;
  std::shared_ptr<const Primitive> primitive;
  /// From or to the plain arrays; null where the primitive takes those. For
  /// the filter's gradient always there.
  std::shared_ptr<const Primitive> reorders[kNumOperands];
  /// Bytes from the start of the slice. The filter is first, so that the
  /// variants of one chunk share it; then, for the filter's gradient, one
  /// tile's gradient before it is added.
  int64_t filterOffset = 0, tileFilterOffset = 0;
  int64_t dataOffsets[kNumOperands] = {};
  int64_t scratchOffset = 0;
  int64_t filterBytes = 0;
  int64_t sliceBytes = 0;
};

/// Picks layouts and implementation for a part so that it needs at most
/// `sliceBytes`. `filterLayout` fixes the filter's layout when given. Fails
/// with kDataLoss when nothing fits. Called under a LibraryThreadScope.
Expected<Conv2dVariant> planVariant(const Conv2dProblem &problem,
                                    const Conv2dPart &part, int64_t sliceBytes,
                                    const MemoryDesc *filterLayout);

} // namespace jobrt::onednn

#endif // JOBRT_DRIVERS_HOST_ONEDNN_CONV2DPLAN_H
