//===- BlobDevicesTest.cpp - The devices of blobs and variables -----------===//

#include "JobDialect/Analysis/BlobDevices.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::job;

namespace {
class BlobDevicesTest : public testing::Test {
protected:
  BlobDevicesTest() : context(makeRegistry()) {}

  void parse(StringRef text) {
    std::string aliases = "#cpu = #job.placement<cpu, \"0:0\">\n"
                          "#gpu0 = #job.placement<gpu, \"0:0\">\n"
                          "#gpu1 = #job.placement<gpu, \"0:1\">\n";
    module = parseSourceString<ModuleOp>(aliases + text.str(), &context);
    ASSERT_TRUE(module);
  }

  /// The op at the location `name`.
  Operation *find(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (auto loc = dyn_cast<NameLoc>(op->getLoc());
          loc && loc.getName() == name)
        found = op;
    });
    return found;
  }

  static std::string describe(PlacementAttr device) {
    return device ? getDeviceName(device) : "none";
  }
  std::string devicesOf(StringRef name) {
    return describe(getBlobDevices(find(name)->getResult(0)));
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  MLIRContext context;

protected:
  // Before its context is destroyed.
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(BlobDevicesTest, BlobsAreWhereTheyAreComputed) {
  parse(R"(
    job.func @f(%x: !job.blob<4xf32>) kind predict attributes {placement = #gpu1} {
      %0 = job.neg %x : !job.blob<4xf32> loc("own")
      %1 = job.neg %0 {job.placement = #cpu} : !job.blob<4xf32> loc("other")
      %2 = job.reshape %1 : !job.blob<4xf32> to !job.blob<2x2xf32> loc("view")
      %3 = job.transfer %1 to #gpu0 : !job.blob<4xf32> loc("moved")
      job.return
    })");
  EXPECT_EQ(devicesOf("own"), "gpu1");
  EXPECT_EQ(devicesOf("other"), "cpu0");
  EXPECT_EQ(devicesOf("view"), "cpu0");
  EXPECT_EQ(devicesOf("moved"), "gpu0");
  auto func = *module->getOps<FuncOp>().begin();
  EXPECT_EQ(describe(getBlobDevices(func.getArgument(0))), "none");
  // The argument is read by every device, another blob is not.
  EXPECT_EQ(findRemoteOperand(find("own")), nullptr);
  EXPECT_EQ(findRemoteOperand(find("other")), &find("other")->getOpOperand(0));
  EXPECT_EQ(findRemoteOperand(find("moved")), nullptr);
}

TEST_F(BlobDevicesTest, PartsSumsAndResultsOfMicroSteps) {
  parse(R"(
    job.func @f(%x: !job.blob<8x4xf32>) kind predict attributes {placement = #gpu0} {
      %0 = job.neg %x {job.placement = #cpu} : !job.blob<8x4xf32>
      %1, %2 = job.micro_steps count(2) rows(%x, %0 : !job.blob<8x4xf32>, !job.blob<8x4xf32>) sums(!job.blob<4x4xf32>) packed(!job.blob<8x4xf32>) {
      ^bb0(%given: !job.blob<4x4xf32>, %made: !job.blob<4x4xf32>, %sofar: !job.blob<4x4xf32>):
        %3 = job.transfer %made to #gpu1 : !job.blob<4x4xf32>
        %4 = job.neg %given {job.placement = #gpu0} : !job.blob<4x4xf32>
        %5 = job.add %sofar, %3 {job.placement = #gpu1} : !job.blob<4x4xf32>
        job.yield %5, %4 : !job.blob<4x4xf32>, !job.blob<4x4xf32>
      } loc("loop")
      job.return
    })");
  auto loop = cast<MicroStepsOp>(find("loop"));
  EXPECT_EQ(describe(getBlobDevices(loop.getResult(0))), "gpu1");
  EXPECT_EQ(describe(getBlobDevices(loop.getResult(1))), "gpu0");
  Block &body = loop.getBody().front();
  EXPECT_EQ(describe(getBlobDevices(body.getArgument(0))), "none");
  EXPECT_EQ(describe(getBlobDevices(body.getArgument(1))), "cpu0");
  EXPECT_EQ(describe(getBlobDevices(body.getArgument(2))), "gpu1");
  // A part of the memory of the host is copied to where it is used.
  EXPECT_EQ(describe(getPartDevices(body.getArgument(0))), "gpu0");
  EXPECT_EQ(describe(getPartDevices(body.getArgument(1))), "cpu0");
}

TEST_F(BlobDevicesTest, DevicesAreInTheOrderOfTheText) {
  parse(R"(
    job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #gpu0}
    job.func @f(%x: !job.blob<4xf32>) kind predict attributes {placement = #gpu1} {
      %0 = job.neg %x {job.placement = #cpu} : !job.blob<4xf32>
      %1 = job.neg %x {job.placement = #gpu1} : !job.blob<4xf32>
      job.return
    })");
  std::string names;
  auto devices = findDevices(*module);
  for (PlacementAttr device : llvm::make_first_range(devices))
    names += getDeviceName(device) + " ";
  EXPECT_EQ(names, "gpu1 cpu0 gpu0 ");
  parse("job.func @f() kind predict { job.return }");
  EXPECT_TRUE(findDevices(*module).empty());
}

TEST_F(BlobDevicesTest, AVariableIsWhereATrainingJobReadsIt) {
  parse(R"(
    job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
    job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
    job.func @first(%x: !job.blob<4xf32>) kind predict attributes {placement = #cpu} {
      %v = job.read @v : !job.blob<4xf32>
      %w = job.read @w : !job.blob<4xf32>
      job.return
    }
    job.func @second(%x: !job.blob<4xf32>) kind train attributes {placement = #gpu0} {
      %v = job.read @v {job.placement = #gpu1} : !job.blob<4xf32>
      %0 = job.mul %x, %v : !job.blob<4xf32>
      job.loss %0 : !job.blob<4xf32>
      job.minimize #job.sgd schedule #job.constant_schedule<0.1>
      job.return
    })");
  std::string homes;
  for (auto [name, home] : findVariableHomes(*module))
    homes += name.str() + " " + describe(home) + ", ";
  EXPECT_EQ(homes, "v gpu1, w cpu0, ");
}
