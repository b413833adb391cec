//===- NoOneDnnTest.cpp - A build without oneDNN --------------------------===//
//
// This program is linked from the objects of a build without oneDNN, and from
// no library of it: a function that only oneDNN's files define is missing then.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/LibraryCall.h"

#include <gtest/gtest.h>

#include <string_view>

using namespace jobrt;

TEST(NoOneDnnTest, HasTheOtherFunctions) {
  LibraryThreadScope scope;
  prepareLibraryThread();
  ASSERT_FALSE(libraryCalls().empty());
  for (const LibraryCallEntry &entry : libraryCalls())
    EXPECT_TRUE(std::string_view(entry.callee).starts_with("host."))
        << entry.callee;
}
