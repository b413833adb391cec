//===- GraphModel.h - What a picture shows ----------------------*- C++ -*-===//
//
// Between the IR, which GraphModel.cpp reads, and the DOT text, which
// GraphDot.cpp writes: boxes with texts, frames around boxes, and edges.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H
#define JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include <string>
#include <vector>

namespace mlir::job {

/// What kind of work a box does, and so its colour.
enum class GraphFamily {
  Port,
  Variable,
  MatMul,
  Conv,
  Pool,
  Normalization,
  Attention,
  Elementwise,
  Reduction,
  Shape,
  Random,
  Loss,
  Optimizer,
  Kernel,
  Other
};

/// A blob or buffer that a box makes.
struct GraphValue {
  /// Shape, element type and bytes; empty for an edge without a label.
  std::string label;
  int64_t bytes = 0;
};

/// What a box or a frame says.
struct GraphText {
  GraphFamily family = GraphFamily::Other;
  /// The op, what the user calls it, where it stands and what it costs.
  std::string title, name, detail;
  /// Shown when the mouse rests on the box.
  std::string tooltip;
};

struct GraphNode {
  GraphText text;
  /// Computes a gradient.
  bool isGradient = false;
  /// Memory, not work: drawn with round corners.
  bool isMemory = false;
  /// The frame around it.
  unsigned frame = 0;
  std::vector<GraphValue> values;
};

/// Around the ops of a region op, and around the whole graph.
struct GraphFrame {
  GraphText text;
  /// The frame around it; its own index for the whole graph's.
  unsigned parent = 0;
};

/// From a value of one box to another box, whose input it is.
struct GraphEdge {
  unsigned from, value, to;
  /// Says only that the second box runs after the first; there is no value.
  bool isOrder = false;
};

struct Graph {
  /// The first is the whole graph's; a frame follows the one around it.
  std::vector<GraphFrame> frames{1};
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

/// The graph of a job. Constants that are one number are written where they
/// are used; with `joinUpdates` the ops of a variable's update are one box.
Graph buildGraph(FuncOp func, bool joinUpdates);

/// The graph of a program: commands and the buffers between them; with
/// `joinUpdates` the commands of a variable's update are one box, which hides
/// the variables that they read and write.
Graph buildGraph(plan::ProgramOp program, bool joinUpdates);

/// The graphs as one graph of Graphviz, in its language DOT.
std::string formatDot(ArrayRef<Graph> graphs);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H
