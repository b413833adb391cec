//===- GraphDot.cpp - Graphs as DOT text ----------------------------------===//
//
// The labels are Graphviz's HTML-like ones: a table with the texts of a box and
// beneath them a cell for each value, where its edges begin. A label of an edge
// itself would cost `dot` a rank of its own.
//
//===----------------------------------------------------------------------===//

#include "GraphModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

namespace {

struct Look {
  GraphFamily family;
  StringRef name, fill, stroke;
};

} // namespace

static const Look looks[] = {
    {GraphFamily::Port, "inputs, outputs", "#dcfce7", "#15803d"},
    {GraphFamily::Variable, "variables", "#fef3c7", "#b45309"},
    {GraphFamily::MatMul, "matrix products", "#e0e7ff", "#4338ca"},
    {GraphFamily::Conv, "convolutions", "#dbeafe", "#1d4ed8"},
    {GraphFamily::Pool, "pools", "#cffafe", "#0e7490"},
    {GraphFamily::Normalization, "normalization", "#ecfccb", "#4d7c0f"},
    {GraphFamily::Attention, "attention", "#fae8ff", "#a21caf"},
    {GraphFamily::Elementwise, "elementwise", "#f1f5f9", "#475569"},
    {GraphFamily::Reduction, "reductions", "#ffedd5", "#c2410c"},
    {GraphFamily::Shape, "shapes", "#f5f5f4", "#78716c"},
    {GraphFamily::Random, "random", "#f3e8ff", "#7e22ce"},
    {GraphFamily::Loss, "losses", "#ffe4e6", "#be123c"},
    {GraphFamily::Optimizer, "optimizer", "#fef9c3", "#a16207"},
    {GraphFamily::Kernel, "kernels", "#f8fafc", "#334155"},
    {GraphFamily::Other, "other", "#ffffff", "#525252"}};

static const Look &getLook(GraphFamily family) {
  return *llvm::find_if(
      looks, [&](const Look &look) { return look.family == family; });
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Longer texts end in an ellipsis; the tooltip has all of it.
static constexpr size_t kMaxChars = 28, kMaxDetailChars = 48;

static std::string shorten(StringRef text, size_t maxChars) {
  size_t chars = 0;
  for (size_t bytes = 0; bytes < text.size(); ++bytes) {
    // All bytes of a character of UTF-8 but the first begin with the bits 10.
    if ((text[bytes] & 0xc0) == 0x80)
      continue;
    if (++chars > maxChars)
      return (text.take_front(bytes).rtrim() + "…").str();
  }
  return text.str();
}

/// What a label and a tooltip can hold: valid UTF-8 without control characters,
/// and for a backslash, which would begin one of Graphviz's own escapes, the
/// character that looks like it.
static std::string clean(StringRef text) {
  std::string result;
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '\\')
      result += "∖";
    else
      result += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
  }
  return result;
}

static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(clean(text), os);
  return result;
}

/// A tooltip in quotation marks; it holds references to characters as HTML
/// does.
static std::string quote(StringRef text) {
  std::string result = "\"" + escape(text) + "\"";
  for (size_t at = 0; (at = result.find('\n', at)) != std::string::npos;)
    result.replace(at, 1, "\\n");
  return result;
}

/// The texts of a box or frame, one below the other. Graphviz refuses elements
/// without text.
static std::string formatLines(const GraphText &text) {
  SmallVector<std::string, 3> lines;
  if (!text.title.empty())
    lines.push_back("<b>" + escape(shorten(text.title, kMaxChars)) + "</b>");
  if (!text.name.empty())
    lines.push_back(escape(shorten(text.name, kMaxChars)));
  if (!text.detail.empty())
    lines.push_back("<font point-size=\"9\" color=\"#64748b\">" +
                    escape(shorten(text.detail, kMaxDetailChars)) + "</font>");
  return llvm::join(lines, "<br/>");
}

static std::string formatLabel(const GraphNode &node) {
  std::string cells;
  unsigned numCells = 0;
  for (auto [index, value] : llvm::enumerate(node.values)) {
    if (value.label.empty())
      continue;
    ++numCells;
    cells += "<td port=\"v" + std::to_string(index) +
             "\" border=\"1\" bgcolor=\"white\"><font point-size=\"9\" "
             "color=\"#334155\">" +
             escape(value.label) + "</font></td>";
  }
  std::string label = "<<table border=\"0\" cellborder=\"0\" "
                      "cellspacing=\"0\"><tr><td cellpadding=\"5\"";
  if (numCells > 1)
    label += " colspan=\"" + std::to_string(numCells) + "\"";
  label += ">" + formatLines(node.text) + "</td></tr>";
  if (numCells)
    label += "<tr>" + cells + "</tr>";
  return label + "</table>>";
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {

/// Writes graphs; boxes and frames are counted through all of them.
class DotWriter {
public:
  explicit DotWriter(raw_ostream &os) : os(os) {}

  void writeGraph(const Graph &graph);

private:
  void writeFrame(const Graph &graph, unsigned index, unsigned indent);
  void writeNode(const GraphNode &node, unsigned index, unsigned indent);
  void writeEdge(const Graph &graph, const GraphEdge &edge);

  raw_ostream &os;
  unsigned firstNode = 0, firstFrame = 0;
};

} // namespace

void DotWriter::writeNode(const GraphNode &node, unsigned index,
                          unsigned indent) {
  const Look &look = getLook(node.text.family);
  os.indent(indent) << "n" << firstNode + index << " [color=\"" << look.stroke
                    << "\" fillcolor=\""
                    << (node.isGradient ? "#ffffff" : look.fill) << "\"";
  if (node.isMemory)
    os << " style=\"filled,rounded\"";
  else if (node.isGradient)
    os << " style=\"filled,dashed\"";
  os << " tooltip="
     << quote(node.text.tooltip.empty() ? node.text.title : node.text.tooltip)
     << "\n";
  os.indent(indent + 2) << "label=" << formatLabel(node) << "];\n";
}

void DotWriter::writeEdge(const Graph &graph, const GraphEdge &edge) {
  const GraphNode &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
  if (edge.isOrder) {
    os << "    n" << firstNode + edge.from << " -> n" << firstNode + edge.to
       << " [color=\"#525252\" style=dashed tooltip="
       << quote(from.text.title + " before " + to.text.title) << "];\n";
    return;
  }
  const GraphValue &value = from.values[edge.value];
  double width =
      0.9 + std::max(0.0, std::log10(double(value.bytes) + 1) - 3) * 0.55;
  os << "    n" << firstNode + edge.from;
  if (!value.label.empty())
    os << ":v" << edge.value << ":s";
  os << " -> n" << firstNode + edge.to << " [color=\""
     << getLook(from.text.family).stroke
     << "99\" penwidth=" << llvm::format("%.1f", width);
  std::string ends = from.text.title + " → " + to.text.title;
  os << " tooltip="
     << quote(value.label.empty() ? ends : value.label + ": " + ends) << "];\n";
}

void DotWriter::writeFrame(const Graph &graph, unsigned index,
                           unsigned indent) {
  const GraphFrame &frame = graph.frames[index];
  os.indent(indent) << "subgraph cluster_" << firstFrame + index << " {\n";
  indent += 2;
  if (index == 0)
    os.indent(indent) << "label=<<font point-size=\"16\"><b>"
                      << escape(frame.text.title)
                      << "</b></font>> color=white fillcolor=white\n";
  else
    os.indent(indent) << "label=<" << formatLines(frame.text)
                      << "> color=\"#334155\" fillcolor=\"#f8fafc\" tooltip="
                      << quote(frame.text.tooltip.empty() ? frame.text.title
                                                          : frame.text.tooltip)
                      << "\n";
  for (auto [i, node] : llvm::enumerate(graph.nodes))
    if (node.frame == index)
      writeNode(node, i, indent);
  for (unsigned inner = index + 1; inner < graph.frames.size(); ++inner)
    if (graph.frames[inner].parent == index)
      writeFrame(graph, inner, indent);
  if (index == 0)
    for (const GraphEdge &edge : graph.edges)
      writeEdge(graph, edge);
  os.indent(indent - 2) << "}\n";
}

void DotWriter::writeGraph(const Graph &graph) {
  writeFrame(graph, 0, 2);
  firstNode += graph.nodes.size();
  firstFrame += graph.frames.size();
}

/// The families that are there, as the label of the whole picture; empty when
/// there is no op.
static std::string formatLegend(ArrayRef<Graph> graphs) {
  bool isUsed[std::size(looks)] = {};
  bool hasGradients = false;
  for (const Graph &graph : graphs) {
    for (const GraphNode &node : graph.nodes) {
      isUsed[&getLook(node.text.family) - looks] = true;
      hasGradients |= node.isGradient;
    }
    for (const GraphFrame &frame : graph.frames)
      if (frame.text.family == GraphFamily::Kernel)
        isUsed[&getLook(GraphFamily::Kernel) - looks] = true;
  }
  // Graphviz takes no row without cells.
  if (!llvm::is_contained(isUsed, true))
    return "\"\"";
  std::string legend;
  llvm::raw_string_ostream os(legend);
  os << "<<table border=\"0\" cellborder=\"1\" cellspacing=\"6\"><tr>";
  for (auto [look, used] : llvm::zip_equal(looks, isUsed))
    if (used)
      os << "<td color=\"" << look.stroke << "\" bgcolor=\"" << look.fill
         << "\">" << look.name << "</td>";
  if (hasGradients)
    os << "<td style=\"dashed\">gradients</td>";
  os << "</tr></table>>";
  return legend;
}

std::string job::formatDot(ArrayRef<Graph> graphs) {
  std::string dot;
  llvm::raw_string_ostream os(dot);
  os << R"(digraph jobs {
  fontname="Helvetica,Arial,sans-serif" fontsize=11
  bgcolor=white style="filled,rounded" labeljust=l
  node [shape=box style=filled margin=0 fontsize=11
    fontname="Helvetica,Arial,sans-serif"]
  edge [arrowsize=0.6]
)";
  DotWriter writer(os);
  for (const Graph &graph : graphs)
    writer.writeGraph(graph);
  os << "  labelloc=t\n  label=" << formatLegend(graphs) << "\n}\n";
  return dot;
}
