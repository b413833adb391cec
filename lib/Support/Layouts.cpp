//===- Layouts.cpp - Choosing between two layouts -------------------------===//
//
// Ops with the source of the network are plain, those with its sink permuted.
// An edge from a to b is cut, and costs its capacity, if a is plain and b is
// permuted (Greig, Porteous and Seheult, Exact maximum a posteriori estimation
// for binary images, J. R. Stat. Soc. B 51, 1989). The maximum flow is that of
// Dinic's algorithm.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Layouts.h"

#include <algorithm>
#include <cassert>
#include <deque>

using namespace mlir::job;

namespace {

/// No cut has an edge of this capacity.
constexpr int64_t kNever = INT64_MAX / 4;

class Network {
public:
  static constexpr unsigned kPlain = 0, kPermuted = 1;

  unsigned addVertex() {
    vertices.emplace_back();
    return vertices.size() - 1;
  }

  void addEdge(unsigned from, unsigned to, int64_t capacity) {
    if (capacity == 0)
      return;
    vertices[from].push_back(edges.size());
    edges.push_back({to, capacity});
    vertices[to].push_back(edges.size());
    edges.push_back({from, 0});
  }

  /// Saturates a minimum cut.
  void maximizeFlow() {
    while (findLevels()) {
      next.assign(vertices.size(), 0);
      while (augment())
        ;
    }
  }

  /// The vertices from which the sink can be reached after that: the smallest
  /// set of permuted vertices of all minimum cuts.
  std::vector<bool> findPermuted() const {
    std::vector<bool> reaches(vertices.size());
    std::deque<unsigned> queue = {kPermuted};
    reaches[kPermuted] = true;
    while (!queue.empty()) {
      unsigned vertex = queue.front();
      queue.pop_front();
      for (unsigned edge : vertices[vertex]) {
        unsigned from = edges[edge].to;
        // The edge in the other direction.
        if (reaches[from] || edges[edge ^ 1].capacity == 0)
          continue;
        reaches[from] = true;
        queue.push_back(from);
      }
    }
    return reaches;
  }

private:
  struct Edge {
    unsigned to;
    /// What is left of it.
    int64_t capacity;
  };

  /// Numbers the vertices by their distance from the source. Whether the sink
  /// has one.
  bool findLevels() {
    levels.assign(vertices.size(), -1);
    levels[kPlain] = 0;
    std::deque<unsigned> queue = {kPlain};
    while (!queue.empty()) {
      unsigned vertex = queue.front();
      queue.pop_front();
      for (unsigned edge : vertices[vertex]) {
        auto [to, capacity] = edges[edge];
        if (capacity == 0 || levels[to] >= 0)
          continue;
        levels[to] = levels[vertex] + 1;
        queue.push_back(to);
      }
    }
    return levels[kPermuted] >= 0;
  }

  /// Adds the flow of one path to the sink, if there is one left.
  bool augment() {
    std::vector<unsigned> path;
    unsigned vertex = kPlain;
    while (vertex != kPermuted) {
      if (next[vertex] < vertices[vertex].size()) {
        unsigned edge = vertices[vertex][next[vertex]];
        auto [to, capacity] = edges[edge];
        if (capacity > 0 && levels[to] == levels[vertex] + 1) {
          path.push_back(edge);
          vertex = to;
        } else {
          ++next[vertex];
        }
        continue;
      }
      // A dead end.
      if (path.empty())
        return false;
      vertex = edges[path.back() ^ 1].to;
      path.pop_back();
      ++next[vertex];
    }
    int64_t flow = kNever;
    for (unsigned edge : path)
      flow = std::min(flow, edges[edge].capacity);
    for (unsigned edge : path) {
      edges[edge].capacity -= flow;
      edges[edge ^ 1].capacity += flow;
    }
    return true;
  }

  /// Edge i ^ 1 is the reverse of edge i.
  std::vector<Edge> edges;
  std::vector<std::vector<unsigned>> vertices{2};
  std::vector<int> levels;
  /// The first edge of each vertex that may lead on.
  std::vector<unsigned> next;
};

} // namespace

std::vector<bool> mlir::job::planLayouts(const LayoutGraph &graph) {
  Network network;
  unsigned firstOp = 2;
  for (const LayoutGraph::Op &op : graph.ops) {
    unsigned vertex = network.addVertex();
    network.addEdge(Network::kPlain, vertex, op.permutedCost);
    network.addEdge(vertex, Network::kPermuted, op.plainCost);
    if (op.isPermuted == true)
      network.addEdge(vertex, Network::kPermuted, kNever);
    else if (op.isPermuted == false)
      network.addEdge(Network::kPlain, vertex, kNever);
  }
  for (const LayoutGraph::Blob &blob : graph.blobs) {
    assert(blob.copyCost >= 0 && blob.copyCost <= kMaxLayoutCost);
    unsigned producer =
        blob.producer ? firstOp + *blob.producer : Network::kPlain;
    // Permuted if a user is: a copy of a plain blob.
    unsigned permutedCopy = network.addVertex();
    network.addEdge(producer, permutedCopy, blob.copyCost);
    for (unsigned user : blob.users)
      network.addEdge(permutedCopy, firstOp + user, kNever);
    if (!blob.producer)
      continue;
    // Plain if a user is: a copy of a permuted blob.
    unsigned plainCopy = network.addVertex();
    network.addEdge(plainCopy, producer, blob.copyCost);
    for (unsigned user : blob.users)
      network.addEdge(firstOp + user, plainCopy, kNever);
    if (blob.hasPlainUser)
      network.addEdge(Network::kPlain, plainCopy, kNever);
  }
  network.maximizeFlow();
  std::vector<bool> permuted = network.findPermuted();
  return {permuted.begin() + firstOp,
          permuted.begin() + firstOp + graph.ops.size()};
}
