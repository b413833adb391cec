//===- GraphModel.h - What a picture shows ----------------------*- C++ -*-===//
//
// Between the IR, which GraphModel.cpp reads, and the picture, which
// GraphSvg.cpp draws: boxes with texts and lines with labels.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H
#define JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include <memory>
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

struct Graph;

/// A blob or buffer that a box makes.
struct GraphValue {
  /// Shape, element type and bytes; empty for a line without a label.
  std::string label;
  int64_t bytes = 0;
};

struct GraphNode {
  GraphFamily family = GraphFamily::Other;
  /// The op, what the user calls it, where it stands and what it costs.
  std::string title, name, detail;
  /// Shown when the mouse rests on the box.
  std::string tooltip;
  /// Computes a gradient.
  bool isGradient = false;
  /// Memory, not work: drawn with round ends.
  bool isMemory = false;
  /// Placed at the top or bottom of its graph.
  bool isInput = false, isOutput = false;
  std::vector<GraphValue> values;
  /// The ops of a kernel. Its input nodes, in order, are the kernel's inputs,
  /// its output nodes the kernel's values.
  std::unique_ptr<Graph> inner;
};

/// From a value of one box to another box, whose input it is.
struct GraphEdge {
  unsigned from, value, to;
  /// Which input of a kernel; unused for other boxes.
  unsigned input = 0;
};

struct Graph {
  std::string title;
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

/// An SVG picture of the graphs, side by side.
std::string drawSvg(ArrayRef<Graph> graphs);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_ANALYSIS_GRAPH_GRAPHMODEL_H
