//===- Shadow.cpp - Who has accessed what in a launch ---------------------===//

#include "simulators/cuda/Shadow.h"

#include <algorithm>

using namespace jobsim;

uint64_t Cell::add(uint64_t access, bool isWrite, bool isAtomic) {
  if (!Accesses::ordered(write, access))
    return write;
  if (!isAtomic && !Accesses::ordered(atomic, access))
    return atomic;
  if ((isWrite || isAtomic) && !Accesses::ordered(read, access))
    return read;
  uint64_t &earlier = isAtomic ? atomic : isWrite ? write : read;
  earlier = Accesses::merge(earlier, access);
  return 0;
}

Shadow::Page &Shadow::page(uint64_t round, size_t index) {
  if (index >= pages.size())
    pages.resize(index + 1);
  if (!pages[index])
    pages[index] = std::make_unique<Page>();
  Page &page = *pages[index];
  if (page.round != round) {
    page.round = round;
    page.split = false;
    page.cells.assign(kPageBytes / 4, Cell());
  }
  return page;
}

uint64_t Shadow::add(uint64_t round, size_t offset, size_t bytes,
                     uint64_t access, bool write, bool atomic) {
  while (bytes > 0) {
    Page &cells = page(round, offset / kPageBytes);
    size_t begin = offset % kPageBytes;
    size_t size = std::min(bytes, kPageBytes - begin);
    if (!cells.split && (begin % 4 || size % 4)) {
      std::vector<Cell> split(kPageBytes);
      for (size_t i = 0; i < kPageBytes; ++i)
        split[i] = cells.cells[i / 4];
      cells.cells = std::move(split);
      cells.split = true;
    }
    size_t unit = cells.split ? 1 : 4;
    for (size_t i = begin / unit; i < (begin + size) / unit; ++i)
      if (uint64_t earlier = cells.cells[i].add(access, write, atomic))
        return earlier;
    offset += size;
    bytes -= size;
  }
  return 0;
}

template <typename Predicate>
bool Shadow::anyOf(uint64_t round, size_t offset, size_t bytes,
                   Predicate predicate) {
  for (size_t end = offset + bytes; offset < end;) {
    const Page &cells = page(round, offset / kPageBytes);
    size_t unit = cells.split ? 1 : 4;
    if (predicate(cells.cells[offset % kPageBytes / unit]))
      return true;
    offset += unit - offset % unit;
  }
  return false;
}

bool Shadow::isWritten(uint64_t round, size_t offset, size_t bytes) {
  return anyOf(round, offset, bytes, [](const Cell &cell) {
    return cell.write || cell.atomic;
  });
}

bool Shadow::isReadAsConstant(uint64_t round, size_t offset, size_t bytes) {
  return anyOf(round, offset, bytes, [](const Cell &cell) {
    return cell.read & Accesses::kConstant;
  });
}
