//===- OrderedList.h - A list whose places are compared ---------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_SUPPORT_ORDEREDLIST_H
#define JOBDIALECT_LIB_SUPPORT_ORDEREDLIST_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mlir::job {

/// A list whose elements can be compared by their places.
class OrderedList {
public:
  void assign(unsigned size);
  bool isBefore(unsigned a, unsigned b) const { return label[a] < label[b]; }
  void moveBefore(llvm::ArrayRef<unsigned> run, unsigned other) {
    unlink(run);
    link(run, previous[other]);
  }
  void moveAfter(llvm::ArrayRef<unsigned> run, unsigned other) {
    unlink(run);
    link(run, other);
  }

private:
  void unlink(llvm::ArrayRef<unsigned> run);
  void link(llvm::ArrayRef<unsigned> run, unsigned before);
  void relabel();

  /// With an element before the first and one after the last.
  std::vector<unsigned> previous, next;
  std::vector<uint64_t> label;
  unsigned first = 0;
};

inline void OrderedList::assign(unsigned size) {
  unsigned last = size + 1;
  first = size;
  previous.resize(size + 2);
  next.resize(size + 2);
  label.resize(size + 2);
  unsigned before = first;
  for (unsigned element = 0; element < size; ++element) {
    next[before] = element;
    previous[element] = before;
    before = element;
  }
  next[before] = next[last] = last;
  previous[last] = before;
  relabel();
}

/// Spreads the labels evenly.
inline void OrderedList::relabel() {
  uint64_t step = std::numeric_limits<uint64_t>::max() / label.size();
  uint64_t value = 0;
  for (unsigned element = first;; element = next[element], value += step) {
    label[element] = value;
    if (element == next[element])
      break;
  }
}

inline void OrderedList::unlink(llvm::ArrayRef<unsigned> run) {
  for (unsigned element : run) {
    next[previous[element]] = next[element];
    previous[next[element]] = previous[element];
  }
}

inline void OrderedList::link(llvm::ArrayRef<unsigned> run, unsigned before) {
  unsigned after = next[before];
  uint64_t value = label[before];
  uint64_t step = (label[after] - value) / (run.size() + 1);
  for (unsigned element : run) {
    label[element] = value += step;
    next[before] = element;
    previous[element] = before;
    before = element;
  }
  next[before] = after;
  previous[after] = before;
  if (step == 0)
    relabel();
}

} // namespace mlir::job

#endif // JOBDIALECT_LIB_SUPPORT_ORDEREDLIST_H
