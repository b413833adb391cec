//===- Layouts.h - Choosing between two layouts -----------------*- C++ -*-===//
//
// A pure function from ops and the blobs between them to a layout for each op:
// plain, or one permutation of the dimensions. A blob that is used in both
// layouts is copied once.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_LAYOUTS_H
#define JOBDIALECT_SUPPORT_LAYOUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::job {

struct LayoutGraph {
  /// An op that can have either layout, and what it costs in each.
  struct Op {
    int64_t plainCost = 0, permutedCost = 0;
    /// The layout, if there is no choice.
    std::optional<bool> isPermuted = std::nullopt;
  };
  /// A blob that has the layout of the op that computes it, and that its users
  /// need in their layouts.
  struct Blob {
    /// An index of `ops`; without one, the blob is plain.
    std::optional<unsigned> producer;
    /// Indices of `ops`, and whether anything else uses the blob, plain.
    llvm::SmallVector<unsigned> users;
    bool hasPlainUser = false;
    /// What a copy of the blob in the other layout costs.
    int64_t copyCost = 0;
  };

  std::vector<Op> ops;
  std::vector<Blob> blobs;
};

/// Costs are from 0 to this one, which no sum of them exceeds by much: 2^20 ops
/// and blobs do not overflow.
inline constexpr int64_t kMaxLayoutCost = int64_t(1) << 40;

/// Whether each op is permuted, in an assignment of the lowest total cost: that
/// with the fewest permuted ops if there are several. It is a minimum cut
/// between the plain and the permuted ops.
std::vector<bool> planLayouts(const LayoutGraph &graph);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_LAYOUTS_H
