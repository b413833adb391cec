//===- export.h - Symbols of the shared library -----------------*- C++ -*-===//
//
// The library is built with hidden visibility; JOBRT_API marks public symbols.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_EXPORT_H
#define JOBRT_EXPORT_H

#define JOBRT_API __attribute__((visibility("default")))

#endif // JOBRT_EXPORT_H
