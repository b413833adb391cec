//===- GraphLayout.h - Places for the boxes of a graph ----------*- C++ -*-===//
//
// A pure function from boxes and arrows to places: layers from top to bottom
// (Sugiyama's method). It knows nothing of IR; job-print-graph calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_GRAPHLAYOUT_H
#define JOBDIALECT_SUPPORT_GRAPHLAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlir::job {

/// A point of the picture: x to the right, y down, in pixels.
struct GraphPoint {
  double x = 0, y = 0;
};

/// Which layers a box may stand in.
enum class GraphRank { Any, First, Last };

/// The size of a box, in pixels, and where it may stand: a box of the first
/// layer has no arrow to it, one of the last none from it.
struct GraphBox {
  double width, height;
  GraphRank rank = GraphRank::Any;
};

/// An arrow between two boxes, by their indices.
struct GraphArrow {
  unsigned from, to;
};

/// Gaps of a layout, in pixels.
struct GraphSpacing {
  /// Between two boxes of a layer, a box and a line, two layers; the last grows
  /// where lines go far to the side.
  double box = 24, line = 14, layer = 30;
};

/// Where everything lies.
struct GraphLayout {
  /// The upper left corner of each box.
  std::vector<GraphPoint> boxes;
  /// The layer of each box, from 0 at the top.
  std::vector<unsigned> layers;
  /// The points that each arrow goes through, from the lower border of its
  /// first box to the upper border of its last; empty for an arrow that was
  /// left out.
  std::vector<std::vector<GraphPoint>> arrows;
  double width = 0, height = 0;
};

/// Lays out a graph without overlaps. Every arrow leads down; one that closes a
/// cycle, in the order of the arrows, is left out, as is one from a box to
/// itself. The result depends on the arguments only.
///
/// Preconditions: indices are in range, sizes are not negative.
GraphLayout layOutGraph(llvm::ArrayRef<GraphBox> boxes,
                        llvm::ArrayRef<GraphArrow> arrows,
                        const GraphSpacing &spacing = {});

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_GRAPHLAYOUT_H
