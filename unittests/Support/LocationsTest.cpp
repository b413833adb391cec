//===- LocationsTest.cpp - Tests of reading locations ---------------------===//

#include "JobDialect/Support/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::job;

namespace {

class LocationsTest : public testing::Test {
protected:
  Location line(StringRef file, unsigned line, unsigned column) {
    return FileLineColLoc::get(&context, file, line, column);
  }
  Location name(StringRef name, Location child) {
    return NameLoc::get(StringAttr::get(&context, name), child);
  }
  Location fuse(ArrayRef<Location> locs, StringRef what = "") {
    return FusedLoc::get(
        locs, what.empty() ? Attribute() : StringAttr::get(&context, what),
        &context);
  }
  /// "file:line:col", or "none".
  std::string place(Location loc) {
    std::optional<UserLocation> result = getUserLocation(loc);
    return result ? result->str() : "none";
  }

  MLIRContext context;
  Location unknown = UnknownLoc::get(&context);
  Location train = line("train.py", 12, 4);
  Location library = line("layers.py", 7, 1);
};

TEST_F(LocationsTest, Line) {
  EXPECT_EQ(place(train), "train.py:12:4");
  EXPECT_EQ(getUserName(train), "");
}

TEST_F(LocationsTest, RangeIsItsBegin) {
  auto file = StringAttr::get(&context, "train.py");
  EXPECT_EQ(place(FileLineColRange::get(file, 3, 5, 9)), "train.py:3:5");
}

TEST_F(LocationsTest, Unknown) {
  EXPECT_EQ(place(unknown), "none");
  EXPECT_EQ(getUserName(unknown), "");
}

TEST_F(LocationsTest, Name) {
  Location conv = name("conv1", train);
  EXPECT_EQ(place(conv), "train.py:12:4");
  EXPECT_EQ(getUserName(conv), "conv1");
  // The outermost name is the user's.
  EXPECT_EQ(getUserName(name("block", conv)), "block");
}

TEST_F(LocationsTest, CallIsItsCallee) {
  Location call = CallSiteLoc::get(library, train);
  EXPECT_EQ(place(call), "layers.py:7:1");
  EXPECT_EQ(getUserName(
                CallSiteLoc::get(name("inner", library), name("outer", train))),
            "inner");
  // A callee that says nothing leaves it to the caller.
  EXPECT_EQ(place(CallSiteLoc::get(unknown, train)), "train.py:12:4");
  EXPECT_EQ(getUserName(CallSiteLoc::get(library, name("outer", train))),
            "outer");
}

TEST_F(LocationsTest, Derived) {
  Location gradient = fuse({name("conv1", train)}, "gradient of");
  EXPECT_EQ(getUserName(gradient), "gradient of conv1");
  EXPECT_EQ(place(gradient), "train.py:12:4");
  Location update = fuse({name("weight", train)}, "update of");
  EXPECT_EQ(getUserName(update), "update of weight");
  EXPECT_EQ(getUserName(fuse({gradient}, "update of")),
            "update of gradient of conv1");
}

TEST_F(LocationsTest, DerivedFromSomethingWithoutName) {
  EXPECT_EQ(getUserName(fuse({train}, "gradient of")),
            "gradient of train.py:12:4");
  EXPECT_EQ(getUserName(fuse({unknown}, "gradient of")), "");
}

TEST_F(LocationsTest, Fused) {
  Location a = name("a", unknown), b = name("b", train);
  EXPECT_EQ(getUserName(fuse({a, b})), "a, b");
  // The first with a line.
  EXPECT_EQ(place(fuse({a, b})), "train.py:12:4");
  EXPECT_EQ(getUserName(fuse({a, name("a", train)})), "a");
  EXPECT_EQ(getUserName(fuse({a, train})), "a");
  EXPECT_EQ(getUserName(fuse({a, b, name("c", train)})), "a, b, c");
  EXPECT_EQ(getUserName(fuse(
                {a, b, name("c", train), name("d", train), name("e", train)})),
            "a, b, c and 2 more");
}

TEST_F(LocationsTest, OpaqueIsItsFallback) {
  int tag = 0;
  Location opaque = OpaqueLoc::get(&tag, name("conv1", train));
  EXPECT_EQ(place(opaque), "train.py:12:4");
  EXPECT_EQ(getUserName(opaque), "conv1");
}

} // namespace

TEST_F(LocationsTest, Recomputation) {
  Location conv = name("conv1", train), again = getRecomputationLoc(conv);
  EXPECT_TRUE(isRecomputation(again));
  EXPECT_EQ(getUserName(again), "recomputation of conv1");
  EXPECT_EQ(place(again), "train.py:12:4");
  EXPECT_EQ(getUserName(getRecomputationLoc(fuse(conv, "gradient of"))),
            "recomputation of gradient of conv1");
  EXPECT_FALSE(isRecomputation(conv));
  EXPECT_FALSE(isRecomputation(fuse(conv)));
  EXPECT_FALSE(isRecomputation(fuse(conv, "gradient of")));
}
