//===- GraphSvg.cpp - Graphs as pictures ----------------------------------===//
//
// Text widths are estimates: no font is at hand, and a reader's browser may not
// have ours. All lengths are in pixels.
//
//===----------------------------------------------------------------------===//

#include "GraphModel.h"

#include "JobDialect/Support/GraphLayout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Looks
//===----------------------------------------------------------------------===//

namespace {

struct Look {
  GraphFamily family;
  StringRef name, fill, stroke;
};

/// A line of text in a box.
struct TextStyle {
  double size, charWidth, lineHeight;
  StringRef attributes;
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

static const TextStyle titleStyle = {12, 7.0, 15, "font-weight=\"600\""};
static const TextStyle nameStyle = {11, 6.1, 14, ""};
static const TextStyle detailStyle = {10, 5.6, 13, "fill=\"#64748b\""};
static const TextStyle labelStyle = {9.5, 5.5, 12, "fill=\"#334155\""};

/// Longer texts end in an ellipsis; the tooltip has all of it.
static constexpr size_t kMaxChars = 28, kMaxDetailChars = 48;
static constexpr double kPadding = 8, kBar = 4;
static constexpr double kPillHeight = 15, kPillGap = 6;
static constexpr double kPanelGap = 60, kMargin = 24, kHeader = 34;

/// The number of characters, of which UTF-8 may need several bytes.
static size_t countChars(StringRef text) {
  return llvm::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

static std::string shorten(StringRef text, size_t maxChars) {
  if (countChars(text) <= maxChars)
    return text.str();
  size_t bytes = 0;
  for (size_t chars = 0; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xc0) != 0x80 && chars++ == maxChars - 1)
      break;
  return (text.take_front(bytes).rtrim() + "…").str();
}

static double getWidth(StringRef text, const TextStyle &style) {
  return countChars(text) * style.charWidth;
}

static double getPillWidth(const GraphValue &value) {
  return getWidth(value.label, labelStyle) + 12;
}

/// One digit behind the point: pictures stay small.
static std::string num(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", value);
  if (StringRef(text).ends_with(".0"))
    text.resize(text.size() - 2);
  return text;
}

static void writeEscaped(raw_ostream &os, StringRef text) {
  llvm::printHTMLEscaped(text, os);
}

static void writeText(raw_ostream &os, double x, double y, StringRef text,
                      const TextStyle &style, StringRef more = "") {
  os << "<text x=\"" << num(x) << "\" y=\"" << num(y) << "\" font-size=\""
     << num(style.size) << "\" " << style.attributes << more << ">";
  writeEscaped(os, text);
  os << "</text>\n";
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {

/// A graph that has its places. Coordinates are relative to its corner.
class GraphDrawing {
public:
  explicit GraphDrawing(const Graph &graph, bool isInner = false);

  double getWidth() const { return layout.width; }
  double getHeight() const { return layout.height; }
  void draw(raw_ostream &os, double left, double top) const;
  /// The middles of the boxes of the first (or last) rank, in their order.
  SmallVector<double> getPorts(bool inputs) const;

private:
  /// How a node is drawn within its place.
  struct NodeDrawing {
    SmallVector<std::pair<std::string, TextStyle>, 3> lines;
    /// Of the box without the labels beneath it.
    double width = 0, height = 0;
    double textWidth = 0, textHeight = 0;
    std::unique_ptr<GraphDrawing> inner;
  };

  void measure(const GraphNode &node, NodeDrawing &drawing) const;
  double getOutX(unsigned node, unsigned value) const;
  double getInX(unsigned edge) const;
  void drawNode(raw_ostream &os, unsigned index, GraphPoint at) const;
  void drawEdge(raw_ostream &os, unsigned index, double left, double top) const;

  const Graph &graph;
  bool isInner;
  std::vector<NodeDrawing> nodes;
  GraphLayout layout;
  /// For each edge, where it meets its last box.
  std::vector<double> inXs;
};

} // namespace

void GraphDrawing::measure(const GraphNode &node, NodeDrawing &drawing) const {
  auto addLine = [&](StringRef text, const TextStyle &style) {
    if (text.empty())
      return;
    bool isDetail = &style == &detailStyle;
    drawing.lines.emplace_back(
        shorten(text, isDetail ? kMaxDetailChars : kMaxChars), style);
    drawing.textWidth = std::max(drawing.textWidth,
                                 ::getWidth(drawing.lines.back().first, style));
    drawing.textHeight += style.lineHeight;
  };
  bool isPin = isInner && node.isMemory;
  addLine(node.title, isPin ? labelStyle : titleStyle);
  if (!isInner) {
    addLine(node.name, nameStyle);
    addLine(node.detail, detailStyle);
  }
  drawing.width = drawing.textWidth + 2 * kPadding + (node.isMemory ? 4 : kBar);
  drawing.height = drawing.textHeight + (isPin ? 3 : 2 * kPadding - 3);
  if (!node.inner)
    return;
  drawing.inner = std::make_unique<GraphDrawing>(*node.inner, true);
  drawing.width = drawing.textWidth + 3 * kPadding + kBar +
                  drawing.inner->getWidth() + kPadding;
  drawing.height = std::max(drawing.textHeight + 2 * kPadding,
                            drawing.inner->getHeight() + 2);
}

GraphDrawing::GraphDrawing(const Graph &graph, bool isInner)
    : graph(graph), isInner(isInner), nodes(graph.nodes.size()) {
  std::vector<GraphBox> boxes;
  for (auto [node, drawing] : llvm::zip_equal(graph.nodes, nodes)) {
    measure(node, drawing);
    double pills = 0;
    bool hasLabels = false;
    if (!node.inner)
      for (const GraphValue &value : node.values)
        if (!value.label.empty()) {
          pills += getPillWidth(value) + kPillGap;
          hasLabels = true;
        }
    drawing.width = std::max(drawing.width, pills);
    GraphRank rank = node.isInput    ? GraphRank::First
                     : node.isOutput ? GraphRank::Last
                                     : GraphRank::Any;
    // Of a whole job only kernels pin theirs: an input of a job stands where
    // it is needed.
    if (!isInner)
      rank = GraphRank::Any;
    boxes.push_back({drawing.width,
                     drawing.height + (hasLabels ? kPillHeight + 3 : 0), rank});
  }
  std::vector<GraphArrow> arrows;
  for (const GraphEdge &edge : graph.edges)
    arrows.push_back({edge.from, edge.to});
  GraphSpacing spacing;
  if (isInner)
    spacing = {14, 10, 16};
  layout = layOutGraph(boxes, arrows, spacing);

  // Lines meet a box in the order in which they come.
  inXs.resize(graph.edges.size());
  std::vector<SmallVector<unsigned>> incoming(graph.nodes.size());
  for (auto [index, edge] : llvm::enumerate(graph.edges))
    incoming[edge.to].push_back(index);
  for (auto [node, list] : llvm::enumerate(incoming)) {
    if (nodes[node].inner) {
      SmallVector<double> ports = nodes[node].inner->getPorts(/*inputs=*/true);
      double left = layout.boxes[node].x + nodes[node].width - kPadding -
                    nodes[node].inner->getWidth();
      for (unsigned edge : list)
        inXs[edge] = left + ports[graph.edges[edge].input];
      continue;
    }
    auto comesFrom = [&](unsigned edge) {
      ArrayRef<GraphPoint> points = layout.arrows[edge];
      return points.size() < 2 ? 0.0 : points[points.size() - 2].x;
    };
    llvm::sort(list, [&](unsigned a, unsigned b) {
      return std::pair(comesFrom(a), a) < std::pair(comesFrom(b), b);
    });
    double step = std::min(22.0, nodes[node].width * 0.7 /
                                     std::max<size_t>(1, list.size()));
    double middle = layout.boxes[node].x + nodes[node].width / 2;
    for (auto [i, edge] : llvm::enumerate(list))
      inXs[edge] = middle + (double(i) - (double(list.size()) - 1) / 2) * step;
  }
}

SmallVector<double> GraphDrawing::getPorts(bool inputs) const {
  SmallVector<double> xs;
  for (auto [node, drawing, place] :
       llvm::zip_equal(graph.nodes, nodes, layout.boxes))
    if (inputs ? node.isInput : node.isOutput)
      xs.push_back(place.x + drawing.width / 2);
  return xs;
}

/// The middle of a value's label, where its lines begin.
double GraphDrawing::getOutX(unsigned index, unsigned value) const {
  const GraphNode &node = graph.nodes[index];
  double left = layout.boxes[index].x;
  if (nodes[index].inner)
    return left + nodes[index].width - kPadding -
           nodes[index].inner->getWidth() +
           nodes[index].inner->getPorts(/*inputs=*/false)[value];
  double total = 0, before = 0;
  for (auto [i, other] : llvm::enumerate(node.values)) {
    double width = getPillWidth(other) + kPillGap;
    if (i < value)
      before += width;
    total += width;
  }
  return left + nodes[index].width / 2 - total / 2 + before +
         (getPillWidth(node.values[value]) + kPillGap) / 2;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

void GraphDrawing::drawNode(raw_ostream &os, unsigned index,
                            GraphPoint at) const {
  const GraphNode &node = graph.nodes[index];
  const NodeDrawing &drawing = nodes[index];
  const Look &look = getLook(node.family);
  bool isPin = isInner && node.isMemory;
  os << "<g>";
  if (!node.tooltip.empty()) {
    os << "<title>";
    writeEscaped(os, node.tooltip);
    os << "</title>";
  }
  double radius = node.isMemory ? drawing.height / 2 : 4;
  os << "<rect x=\"" << num(at.x) << "\" y=\"" << num(at.y) << "\" width=\""
     << num(drawing.width) << "\" height=\"" << num(drawing.height)
     << "\" rx=\"" << num(radius) << "\" fill=\""
     << (isPin || node.isGradient ? "#ffffff" : look.fill) << "\" stroke=\""
     << look.stroke << "\" stroke-width=\"" << (isPin ? "0.7" : "1.2") << "\""
     << (node.isGradient && !node.inner ? " stroke-dasharray=\"4 2\"" : "")
     << "/>\n";
  if (!node.isMemory)
    os << "<rect x=\"" << num(at.x) << "\" y=\"" << num(at.y) << "\" width=\""
       << num(kBar) << "\" height=\"" << num(drawing.height)
       << "\" rx=\"2\" fill=\"" << look.stroke << "\"/>\n";

  double y = at.y + (drawing.inner ? kPadding
                                   : (drawing.height - drawing.textHeight) / 2);
  for (const auto &[text, style] : drawing.lines) {
    double base = y + style.lineHeight * 0.78;
    if (drawing.inner)
      writeText(os, at.x + kBar + kPadding, base, text, style);
    else
      writeText(os, at.x + drawing.width / 2 + (node.isMemory ? 0 : kBar / 2),
                base, text, style, " text-anchor=\"middle\"");
    y += style.lineHeight;
  }
  os << "</g>\n";
  if (drawing.inner) {
    drawing.inner->draw(
        os, at.x + drawing.width - kPadding - drawing.inner->getWidth(),
        at.y + (drawing.height - drawing.inner->getHeight()) / 2);
    return;
  }
  for (auto [i, value] : llvm::enumerate(node.values)) {
    if (value.label.empty())
      continue;
    double width = getPillWidth(value);
    double middle = at.x - layout.boxes[index].x + getOutX(index, i);
    double top = at.y + drawing.height + 3;
    os << "<rect x=\"" << num(middle - width / 2) << "\" y=\"" << num(top)
       << "\" width=\"" << num(width) << "\" height=\"" << num(kPillHeight)
       << "\" rx=\"3\" fill=\"#ffffff\" fill-opacity=\"0.9\" stroke=\""
       << look.stroke << "\" stroke-width=\"0.5\"/>\n";
    writeText(os, middle, top + 11, value.label, labelStyle,
              " text-anchor=\"middle\"");
  }
}

void GraphDrawing::drawEdge(raw_ostream &os, unsigned index, double left,
                            double top) const {
  const GraphEdge &edge = graph.edges[index];
  std::vector<GraphPoint> points = layout.arrows[index];
  if (points.empty())
    return;
  const GraphNode &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
  points.front().x = getOutX(edge.from, edge.value);
  points.back().x = inXs[index];
  const GraphValue &value = from.values[edge.value];
  // A line is as thick as its bytes have digits.
  double width =
      0.9 + std::max(0.0, std::log10(double(value.bytes) + 1) - 3) * 0.55;
  os << "<path d=\"M" << num(left + points[0].x) << ' '
     << num(top + points[0].y);
  for (size_t i = 1; i < points.size(); ++i) {
    GraphPoint p = points[i - 1], q = points[i];
    double middle = (p.y + q.y) / 2;
    if (std::abs(p.x - q.x) < 0.5)
      os << 'L' << num(left + q.x) << ' ' << num(top + q.y);
    else
      os << 'C' << num(left + p.x) << ' ' << num(top + middle) << ' '
         << num(left + q.x) << ' ' << num(top + middle) << ' '
         << num(left + q.x) << ' ' << num(top + q.y);
  }
  os << "\" fill=\"none\" stroke=\"" << getLook(from.family).stroke
     << "\" stroke-opacity=\"0.6\" stroke-width=\"" << num(width)
     << "\" marker-end=\"url(#arrow)\">";
  if (!value.label.empty()) {
    os << "<title>";
    writeEscaped(os, value.label + ": " + from.title + " → " + to.title);
    os << "</title>";
  }
  os << "</path>\n";
}

void GraphDrawing::draw(raw_ostream &os, double left, double top) const {
  for (unsigned index = 0; index < graph.edges.size(); ++index)
    drawEdge(os, index, left, top);
  for (unsigned index = 0; index < graph.nodes.size(); ++index)
    drawNode(os, index,
             {left + layout.boxes[index].x, top + layout.boxes[index].y});
}

/// Calls `callback` with the family of every box, those in kernels included.
static void forEachFamily(const Graph &graph,
                          function_ref<void(GraphFamily)> callback) {
  for (const GraphNode &node : graph.nodes) {
    callback(node.family);
    if (node.inner)
      forEachFamily(*node.inner, callback);
  }
}

std::string job::drawSvg(ArrayRef<Graph> graphs) {
  std::vector<GraphDrawing> drawings;
  drawings.reserve(graphs.size());
  bool isUsed[std::size(looks)] = {};
  bool hasGradients = false;
  double width = 0, height = 0;
  for (const Graph &graph : graphs) {
    const GraphDrawing &drawing = drawings.emplace_back(graph);
    forEachFamily(graph, [&](GraphFamily family) {
      isUsed[&getLook(family) - looks] = true;
    });
    for (const GraphNode &node : graph.nodes)
      hasGradients |= node.isGradient;
    width += std::max(drawing.getWidth(),
                      ::getWidth(graph.title, titleStyle) * 1.4) +
             kPanelGap;
    height = std::max(height, drawing.getHeight());
  }

  // The legend comes first.
  std::string legend;
  llvm::raw_string_ostream legendOs(legend);
  double x = kMargin;
  auto addLegend = [&](StringRef name, StringRef fill, StringRef stroke,
                       StringRef more) {
    legendOs << "<rect x=\"" << num(x) << "\" y=\"" << num(kMargin - 10)
             << "\" width=\"14\" height=\"12\" rx=\"2\" fill=\"" << fill
             << "\" stroke=\"" << stroke << "\"" << more << "/>\n";
    writeText(legendOs, x + 19, kMargin, name, nameStyle);
    x += 34 + ::getWidth(name, nameStyle);
  };
  for (auto [look, used] : llvm::zip_equal(looks, isUsed))
    if (used)
      addLegend(look.name, look.fill, look.stroke, "");
  if (hasGradients)
    addLegend("gradients", "#ffffff", "#475569", " stroke-dasharray=\"4 2\"");
  width = std::max(width - kPanelGap + 2 * kMargin, x + kMargin);
  height += 2 * kMargin + 2 * kHeader;

  std::string svg;
  llvm::raw_string_ostream os(svg);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << num(width)
     << "\" height=\"" << num(height) << "\" viewBox=\"0 0 " << num(width)
     << ' ' << num(height)
     << "\" font-family=\"Inter, Helvetica, Arial, sans-serif\" "
        "fill=\"#0f172a\">\n"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"5.5\" "
        "refY=\"3\" markerUnits=\"userSpaceOnUse\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" "
        "fill=\"#64748b\"/></marker></defs>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
     << legend;
  double left = kMargin;
  for (auto [graph, drawing] : llvm::zip_equal(graphs, drawings)) {
    os << "<text x=\"" << num(left) << "\" y=\"" << num(kMargin + kHeader)
       << "\" font-size=\"16\" font-weight=\"600\">";
    writeEscaped(os, graph.title);
    os << "</text>\n";
    drawing.draw(os, left, kMargin + kHeader + 18);
    left += std::max(drawing.getWidth(),
                     ::getWidth(graph.title, titleStyle) * 1.4) +
            kPanelGap;
  }
  os << "</svg>\n";
  return svg;
}
