//===- OutputFile.h - Files that a user asked for ---------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_OUTPUTFILE_H
#define JOBDIALECT_SUPPORT_OUTPUTFILE_H

#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

namespace mlir::job {

/// Writes `contents`, one after another, to the file `path`, or to standard
/// output for "-". An older file stays until the new one is on the disk and
/// takes its place with the same owner and mode; after an error it stays. A
/// device, pipe, link, mounted file or file of several names is written in
/// place, and so is a file where no other one can be created.
llvm::Error writeFile(StringRef path, ArrayRef<StringRef> contents);

/// The same for a file that is never written in place, because processes may
/// have loaded it: a link, or one name of several, becomes a file of its own. A
/// file that may not be written is replaced as well, and one of another user by
/// one of this user, with the mode of new files: who owns code that a process
/// loads can change it.
llvm::Error replaceFile(StringRef path, ArrayRef<StringRef> contents);

/// writeFile() whose error is emitted at `loc`.
LogicalResult writeOutputFile(Location loc, StringRef path, StringRef text);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_OUTPUTFILE_H
