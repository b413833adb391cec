//===- ManifestTest.cpp - Tests of the manifest ---------------------------===//

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Target/Artifact.h"
#include "jobrt/abi.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace mlir;
namespace json = llvm::json;

/// As compact text with sorted members: what the tests compare.
static std::string toText(const json::Value &value) {
  return llvm::formatv("{0}", value).str();
}

/// The same of JSON text.
static std::string normalize(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text.str();
    return "";
  }
  return toText(*value);
}

namespace {

class ManifestTest : public testing::Test {
protected:
  ManifestTest() {
    context.loadDialect<plan::PlanDialect, LLVM::LLVMDialect>();
    target.triple = "x86_64-pc-linux-gnu";
    target.cpu = "sapphirerapids";
    target.features = "+avx2,-amx-tile";
    target.requiredFeatures = {"avx512f", "avx2"};
  }

  FailureOr<std::string> build(StringRef text) {
    std::string spaces = R"(
      #arena = #plan.space<arena>
      #variables = #plan.space<variables>
      #constants = #plan.space<constants>
      #inputs = #plan.space<inputs>
      #outputs = #plan.space<outputs>
      #workspace = #plan.space<workspace>
    )";
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(spaces + text.str(), &context);
    if (!module) {
      ADD_FAILURE() << "the text does not parse";
      return failure();
    }
    if (sharedSizes)
      (*module)->setAttr(plan::kSizesAttrName,
                         parseAttribute(sharedSizes, &context));
    return job::buildManifest(*module, target);
  }

  /// The manifest as JSON.
  json::Object get(StringRef text) {
    FailureOr<std::string> manifest = build(text);
    if (failed(manifest)) {
      ADD_FAILURE() << "no manifest";
      return {};
    }
    return *llvm::cantFail(json::parse(*manifest)).getAsObject();
  }

  /// The one command of a program with the sizes and `body`.
  std::string getCommand(StringRef body, StringRef symbols = "") {
    json::Object manifest = get(inProgram(body, symbols));
    json::Array *entries = manifest.getArray("entries");
    if (!entries)
      return "";
    return toText(*(*entries)[0].getAsObject()->get("commands"));
  }

  std::string inProgram(StringRef body, StringRef symbols = "") {
    return (symbols + R"(
      plan.program @p kind predict sizes<arena = 64 above 64, inputs = 64, outputs = 64, workspace = 64> {
    )" + body +
            "\nplan.return }")
        .str();
  }

  /// The error of building the manifest of `text`.
  std::string getError(StringRef text) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    EXPECT_TRUE(failed(build(text)));
    return message;
  }

  MLIRContext context;
  job::TargetDescription target;
  /// The sizes of the module's variables and constants.
  const char *sharedSizes = "#plan.sizes<variables = 128, constants = 128>";
};

TEST_F(ManifestTest, Whole) {
  FailureOr<std::string> manifest = build(R"(
    plan.variable @"hidden-weight" : memref<4x4xf32, #variables> {offset = 0 : i64} loc("hidden-weight"("train.py":12:4))
    plan.variable @step : memref<1xi64, #variables> {offset = 64 : i64, trainable = false} loc(unknown)
    plan.constant @table dense<1.0> : tensor<5xf32> {offset = 64 : i64}
    plan.executable @kernel_7 {
      plan.variant @cpu chunks(3) function(@jobk_7)
    }
    llvm.func @jobk_7(!llvm.ptr, i64)
    plan.program @train_job kind train
        sizes<arena = 128 above 64, inputs = 192, outputs = 64, workspace = 256>
        attributes {
        result_structure = "{\"dict\": {\"loss\": 0}}"} {
      %labels = plan.input 1 "labels" {offset = 64 : i64} : memref<4xi32, #inputs>
      %images = plan.input 0 "images" {offset = 0 : i64} : memref<1x4x1xf32, #inputs>
      %loss = plan.output 0 "loss" {offset = 0 : i64} : memref<4xf32, #outputs>
      %weight = plan.get_variable @"hidden-weight" : memref<4x4xf32, #variables>
      %table = plan.get_constant @table : memref<5xf32, #constants>
      %workspace = plan.workspace : memref<200xi8, #workspace>
      %a = plan.alloc {offset = 64 : i64} : memref<4xf32, #arena>
      %x = plan.view %images : memref<1x4x1xf32, #inputs> to memref<1x4xf32, #inputs>
      plan.call #plan.host.attention<heads = 2, queries = 3, keys = 4, channels = 5, value_channels = 6, scale = 1.000000e-01, head_parts = 2> ins(%x, %weight : memref<1x4xf32, #inputs>, memref<4x4xf32, #variables>) outs(%a : memref<4xf32, #arena>) workspace(%workspace : memref<200xi8, #workspace>) {flops = 32 : i64} loc("hidden"("train.py":20:8))
      plan.dispatch @kernel_7 ins(%labels, %table : memref<4xi32, #inputs>, memref<5xf32, #constants>) inouts(%a : memref<4xf32, #arena>) outs(%loss : memref<4xf32, #outputs>) loc(fused<"gradient of">["hidden"("train.py":20:8)])
      plan.copy %a to %loss : memref<4xf32, #arena> to memref<4xf32, #outputs> loc("train.py":12:4)
      plan.fill %loss with 255 : memref<4xf32, #outputs> loc(unknown)
      plan.return
    }
    plan.program @jobmlir_init kind init sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0> {
      %seed = plan.input 0 "seed" {offset = 0 : i64} : memref<1xi64, #inputs>
      plan.return
    }
  )");
  ASSERT_TRUE(succeeded(manifest));
  std::string expected = R"({
    "format": 7,
    "compiler": ")" + job::getCompilerVersion() +
                         R"(",
    "target": {"triple": "x86_64-pc-linux-gnu", "cpu": "sapphirerapids",
               "features": ["avx512f", "avx2"]},
    "interface": "4ce34f52bd8f04a2",
    "devices": [{"name": "cpu0", "kind": "host", "queues": 1}],
    "bank_bytes": 128,
    "constants_bytes": 128,
    "variables": [
      {"name": "hidden-weight", "shape": [4, 4], "dtype": "f32", "offset": 0,
       "trainable": true, "location": 0},
      {"name": "step", "shape": [1], "dtype": "i64", "offset": 64,
       "trainable": false, "location": -1}
    ],
    "locations": ["train.py:12:4", "train.py:20:8"],
    "entries": [
      {
        "name": "train_job", "kind": "train",
        "inputs": [
          {"name": "images", "shape": [1, 4, 1], "dtype": "f32", "offset": 0},
          {"name": "labels", "shape": [4], "dtype": "i32", "offset": 64}],
        "outputs": [{"name": "loss", "shape": [4], "dtype": "f32", "offset": 0}],
        "result_structure": "{\"dict\": {\"loss\": 0}}",
        "input_bytes": 192, "output_bytes": 64, "arena_bytes": 128,
        "workspace_bytes": 256, "arena_lower_bound": 64,
        "commands": [
          {"op": "call", "callee": "host.attention",
           "config": {"batch": 1, "heads": 2, "queries": 3, "keys": 4,
                      "channels": 5, "value_channels": 6, "causal": 0,
                      "scale": 0.1, "head_parts": 2, "query_parts": 1},
           "chunks": 2,
           "flops": 32, "reads": [0, 1], "writes": [2],
           "name": "hidden", "location": 1,
           "args": [["input", 0, 16], ["bank", 0, 64], ["arena", 64, 16],
                    ["workspace", 0, 200]]},
          {"op": "dispatch", "kernel": 7, "chunks": 3,
           "flops": 0, "reads": [0, 1, 2], "writes": [2, 3],
           "name": "gradient of hidden", "location": 1,
           "args": [["input", 64, 16], ["constant", 64, 20],
                    ["arena", 64, 16], ["output", 0, 16]]},
          {"op": "copy", "location": 0,
           "args": [["arena", 64, 16], ["output", 0, 16]]},
          {"op": "fill", "value": 255, "location": -1,
           "args": [["output", 0, 16]]}
        ]
      },
      {
        "name": "jobmlir_init", "kind": "init",
        "inputs": [{"name": "seed", "shape": [1], "dtype": "i64", "offset": 0}],
        "outputs": [], "result_structure": "null",
        "input_bytes": 64, "output_bytes": 0, "arena_bytes": 0,
        "workspace_bytes": 0, "arena_lower_bound": 0, "commands": []
      }
    ]
  })";
  EXPECT_EQ(normalize(*manifest), normalize(expected));
}

TEST_F(ManifestTest, Interface) {
  auto getInterface = [&](StringRef variables, StringRef ports) {
    return get(inProgram(ports, variables)).getString("interface")->str();
  };
  constexpr StringLiteral init = R"(
    plan.program @jobmlir_init kind init sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0> {
      %seed = plan.input 0 "seed" {offset = 0 : i64} : memref<1xi64, #inputs>
      plan.return
    })";
  auto ofVariables = [&](StringRef variables) {
    return getInterface((variables + init).str(), "");
  };
  std::string a =
      "plan.variable @a : memref<4xf32, #variables> {offset = 0 : i64}\n";
  std::string b =
      "plan.variable @b : memref<8xf32, #variables> {offset = 64 : i64}\n";
  std::string whole = ofVariables(a + b);
  EXPECT_EQ(whole.size(), 16u);
  // Where they lie is the plan's business.
  EXPECT_EQ(
      whole,
      ofVariables(
          "plan.variable @a : memref<4xf32, #variables> {offset = 64 : i64}\n"
          "plan.variable @b : memref<8xf32, #variables> {offset = 0 : i64}"));
  EXPECT_NE(whole, ofVariables(b + a));
  EXPECT_NE(whole, ofVariables(a));
  EXPECT_NE(
      whole,
      ofVariables(
          a +
          "plan.variable @c : memref<8xf32, #variables> {offset = 64 : i64}"));
  EXPECT_NE(whole, ofVariables(a + "plan.variable @b : memref<4x2xf32, "
                                   "#variables> {offset = 64 : i64}"));
  EXPECT_NE(
      whole,
      ofVariables(
          a +
          "plan.variable @b : memref<8xi32, #variables> {offset = 64 : i64}"));

  auto ofPort = [&](StringRef port) { return getInterface("", port); };
  std::string x = ofPort(
      "%0 = plan.input 0 \"x\" {offset = 0 : i64} : memref<4xf32, #inputs>");
  EXPECT_NE(x, ofPort(""));
  EXPECT_NE(x, ofPort("%0 = plan.input 0 \"y\" {offset = 0 : i64} : "
                      "memref<4xf32, #inputs>"));
  EXPECT_NE(x, ofPort("%0 = plan.output 0 \"x\" {offset = 0 : i64} : "
                      "memref<4xf32, #outputs>"));
}

TEST_F(ManifestTest, EmptyModule) {
  sharedSizes = nullptr;
  json::Object manifest = get("");
  EXPECT_EQ(manifest.getInteger("bank_bytes"), 0);
  EXPECT_EQ(manifest.getInteger("constants_bytes"), 0);
  EXPECT_TRUE(manifest.getArray("entries")->empty());
}

TEST_F(ManifestTest, EqualModulesEqualText) {
  std::string text = inProgram(
      "%x = plan.input 0 \"x\" {offset = 0 : i64} : memref<4xf32, #inputs>");
  EXPECT_EQ(*build(text), *build(text));
}

TEST_F(ManifestTest, ElementTypes) {
  json::Object manifest = get(inProgram(R"(
    %0 = plan.input 0 "a" {offset = 0 : i64} : memref<1xf32, #inputs>
    %1 = plan.input 1 "b" {offset = 0 : i64} : memref<1xf64, #inputs>
    %2 = plan.input 2 "c" {offset = 0 : i64} : memref<1xi1, #inputs>
    %3 = plan.input 3 "d" {offset = 0 : i64} : memref<1xi8, #inputs>
    %4 = plan.input 4 "e" {offset = 0 : i64} : memref<1xi32, #inputs>
    %5 = plan.input 5 "f" {offset = 0 : i64} : memref<1xi64, #inputs>
  )"));
  json::Object *entry = (*manifest.getArray("entries"))[0].getAsObject();
  std::vector<StringRef> names;
  for (const json::Value &input : *entry->getArray("inputs"))
    names.push_back(*input.getAsObject()->getString("dtype"));
  EXPECT_EQ(names,
            (std::vector<StringRef>{"f32", "f64", "i1", "i8", "i32", "i64"}));
}

TEST_F(ManifestTest, BoolIsOneByte) {
  EXPECT_EQ(getCommand(R"(
              %a = plan.alloc {offset = 0 : i64} : memref<5xi1, #arena>
              plan.fill %a with 1 : memref<5xi1, #arena> loc(unknown)
            )"),
            normalize(R"([{"op": "fill", "value": 1, "location": -1,
                           "args": [["arena", 0, 5]]}])"));
}

TEST_F(ManifestTest, ResultStructureThatIsNotGiven) {
  auto get = [&](StringRef body) {
    json::Object manifest = this->get(inProgram(body));
    json::Object *entry = (*manifest.getArray("entries"))[0].getAsObject();
    return entry->getString("result_structure")->str();
  };
  StringRef one =
      "%0 = plan.output 0 \"a\" {offset = 0 : i64} : memref<1xf32, #outputs>\n";
  StringRef two =
      "%1 = plan.output 1 \"b\" {offset = 0 : i64} : memref<1xf32, #outputs>\n";
  EXPECT_EQ(get(""), "null");
  EXPECT_EQ(get(one), "0");
  EXPECT_EQ(get((one + two).str()), R"({"tuple":[0,1]})");
}

TEST_F(ManifestTest, NamesThatAreNoUTF8) {
  EXPECT_EQ(
      getError(inProgram(
          R"(%0 = plan.input 0 "caf\E9" {offset = 0 : i64} : memref<1xf32, #inputs>)")),
      R"(expects a name of UTF-8 but got "caf\E9")");
}

TEST_F(ManifestTest, PermutedVariable) {
  json::Object manifest = get(R"(
    plan.variable @filter : memref<6x3x2x4xf32, #variables> {offset = 0 : i64, permutation = array<i64: 0, 2, 3, 1>} loc(unknown)
    plan.program @jobmlir_init kind init sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0> {
      %seed = plan.input 0 "seed" {offset = 0 : i64} : memref<1xi64, #inputs>
      plan.return
    })");
  const json::Value &variable = (*manifest.getArray("variables"))[0];
  EXPECT_EQ(*variable.getAsObject()->getArray("shape"),
            (json::Array{6, 4, 3, 2}));
  EXPECT_EQ(*variable.getAsObject()->getArray("permutation"),
            (json::Array{0, 2, 3, 1}));
}

TEST_F(ManifestTest, VariablePermutedWithinADimension) {
  json::Object manifest = get(R"(
    plan.variable @weight : memref<5x24xf32, #variables> {offset = 0 : i64, permutation = array<i64: 0, 2, 3, 1>, expanded_shape = array<i64: 5, 4, 3, 2>} loc(unknown)
    plan.program @jobmlir_init kind init sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0> {
      %seed = plan.input 0 "seed" {offset = 0 : i64} : memref<1xi64, #inputs>
      plan.return
    })");
  const json::Value &variable = (*manifest.getArray("variables"))[0];
  EXPECT_EQ(*variable.getAsObject()->getArray("shape"), (json::Array{5, 24}));
  EXPECT_EQ(*variable.getAsObject()->getArray("permutation"),
            (json::Array{0, 2, 3, 1}));
  EXPECT_EQ(*variable.getAsObject()->getArray("expanded_shape"),
            (json::Array{5, 4, 3, 2}));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(ManifestTest, MissingOffsets) {
  EXPECT_EQ(getError("plan.variable @v : memref<4xf32, #variables>"),
            "'plan.variable' op expects an offset but got none");
  EXPECT_EQ(getError("plan.constant @c dense<1.0> : tensor<4xf32>"),
            "'plan.constant' op expects an offset but got none");
  EXPECT_EQ(
      getError(inProgram("%0 = plan.input 0 \"a\" : memref<1xf32, #inputs>")),
      "'plan.input' op expects an offset but got none");
  EXPECT_EQ(
      getError(inProgram("%0 = plan.output 0 \"a\" : memref<1xf32, #outputs>")),
      "'plan.output' op expects an offset but got none");
  EXPECT_EQ(getError(inProgram("%0 = plan.alloc : memref<1xf32, #arena>\n"
                               "plan.fill %0 with 0 : memref<1xf32, #arena>")),
            "'plan.alloc' op expects an offset but got none");
}

TEST_F(ManifestTest, MissingSizes) {
  std::vector<std::string> names = {"inputs", "outputs", "arena", "workspace"};
  for (const std::string &missing : names) {
    std::string sizes;
    for (const std::string &name : names)
      if (name != missing)
        sizes += (sizes.empty() ? "" : ", ") + name + " = 0" +
                 (name == "arena" ? " above 0" : "");
    EXPECT_EQ(getError("plan.program @p kind predict sizes<" + sizes +
                       "> { plan.return }"),
              "'plan.program' op expects a size of the " + missing +
                  " but got none");
  }
  sharedSizes = nullptr;
  EXPECT_EQ(getError("plan.variable @v : memref<4xf32, #variables> "
                     "{offset = 0 : i64}"),
            "expects a size of the variables but got none");
  EXPECT_EQ(getError("plan.constant @c dense<1.0> : tensor<4xf32> "
                     "{offset = 0 : i64}"),
            "expects a size of the constants but got none");
}

TEST_F(ManifestTest, KernelsThatAreNotLowered) {
  auto getKernelError = [&](std::string variant, StringRef functions = "") {
    return getError(inProgram("plan.dispatch @kernel",
                              "plan.executable @kernel {" + variant + "}\n" +
                                  functions.str()));
  };
  StringRef error = "'plan.dispatch' op expects a lowered kernel, with a "
                    "function @jobk_<n>, but got @kernel";
  for (StringRef name : {"relu", "jobk_", "jobk_x", "jobk_-1", "jobk_1x",
                         "jobk_99999999999999999999"})
    EXPECT_EQ(
        getKernelError(
            ("plan.variant @cpu chunks(1) function(@\"" + name + "\")").str(),
            ("llvm.func @\"" + name + "\"(!llvm.ptr, i64)").str()),
        error);
  StringRef none =
      "'plan.dispatch' op expects a lowered kernel but got @kernel";
  EXPECT_EQ(getKernelError("plan.variant @cpu chunks(1)"), none);
  EXPECT_EQ(getKernelError("plan.variant @cuda chunks(1)"), none);
}

TEST_F(ManifestTest, KernelWithoutSchedule) {
  EXPECT_EQ(
      getError(inProgram("plan.dispatch @kernel",
                         "plan.device @gpu0 kind(cuda) queues(1)\n"
                         "plan.executable @kernel {\n"
                         "  plan.variant @cuda chunks(1) function(@jobk_0) }\n"
                         "llvm.func @jobk_0(!llvm.ptr, i64)")),
      "'plan.dispatch' op expects a kernel with a #plan.cuda_schedule");
}

TEST_F(ManifestTest, InitEntry) {
  StringRef sizes =
      R"(sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0>)";
  auto init = [&](StringRef name, StringRef body) {
    return ("plan.program @" + name + " kind init " + sizes + "{" + body +
            "\nplan.return }\n")
        .str();
  };
  std::string seed =
      "%0 = plan.input 0 \"seed\" {offset = 0 : i64} : memref<1xi64, #inputs>";
  std::string variable =
      "plan.variable @v : memref<1xf32, #variables> {offset = 0 : i64}\n";

  EXPECT_EQ(getError(variable),
            "expects one program of kind init for 1 variables but got 0");
  // A module without variables may have one.
  EXPECT_TRUE(succeeded(build(init("jobmlir_init", seed))));
  EXPECT_TRUE(succeeded(build(variable + init("jobmlir_init", seed))));

  std::string form = "'plan.program' op expects a program of kind init to be "
                     "@jobmlir_init with the one input \"seed\" of type "
                     "'memref<1xi64, #plan.space<inputs>>'";
  EXPECT_EQ(getError(init("start", seed)), form);
  EXPECT_EQ(getError(init("jobmlir_init", "")), form);
  EXPECT_EQ(getError(init("jobmlir_init",
                          "%0 = plan.input 0 \"key\" {offset = 0 : i64} : "
                          "memref<1xi64, #inputs>")),
            form);
  EXPECT_EQ(getError(init("jobmlir_init",
                          "%0 = plan.input 0 \"seed\" {offset = 0 : i64} : "
                          "memref<1xi32, #inputs>")),
            form);
  EXPECT_EQ(getError(init("jobmlir_init",
                          seed + "\n%1 = plan.input 1 \"x\" {offset = 0 : i64} "
                                 ": memref<1xi64, #inputs>")),
            form);
}

// A view of an iteration's rows moves by its own bytes; so does a view of it.
TEST_F(ManifestTest, Repeat) {
  EXPECT_EQ(getCommand(R"(
      %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
      %y = plan.alloc {offset = 0 : i64} : memref<2x2xf32, #arena>
      plan.repeat count(4) {
        %rows = plan.micro_view %x : memref<16xf32, #inputs> to memref<4xf32, #inputs>
        %v = plan.view %rows : memref<4xf32, #inputs> to memref<2x2xf32, #inputs>
        plan.copy %v to %y : memref<2x2xf32, #inputs> to memref<2x2xf32, #arena> loc(unknown)
      })"),
            normalize(R"([{"op": "repeat", "count": 4, "commands": [
              {"op": "copy", "location": -1,
               "args": [["input", 0, 16, 16], ["arena", 0, 16]]}]}])"));
}

// Events are numbered in the order of their records.
TEST_F(ManifestTest, Queues) {
  EXPECT_EQ(getCommand(R"(
      %y = plan.output 0 "y" {offset = 0 : i64} : memref<4xf32, #outputs>
      %a = plan.record queue(1) loc(unknown)
      %b = plan.record loc("b"("train.py":3:4))
      plan.wait %b queue(1) loc(unknown)
      plan.wait %a loc(unknown)
      plan.fill %y with 0 queue(2) : memref<4xf32, #outputs> loc(unknown))"),
            normalize(R"([
              {"op": "record", "event": 0, "queue": 1, "args": [],
               "location": -1},
              {"op": "record", "event": 1, "args": [], "location": 0,
               "name": "b"},
              {"op": "wait", "event": 1, "queue": 1, "args": [],
               "location": -1},
              {"op": "wait", "event": 0, "args": [], "location": -1},
              {"op": "fill", "value": 0, "queue": 2, "location": -1,
               "args": [["output", 0, 16]]}])"));
}

TEST_F(ManifestTest, HostCall) {
  EXPECT_EQ(getCommand(R"(
      %x = plan.input 0 "x" {offset = 0 : i64} : memref<2x2xf32, #inputs>
      %a = plan.alloc {offset = 0 : i64} : memref<3xi32, #arena>
      %y = plan.output 0 "y" {offset = 0 : i64} : memref<8xi1, #outputs>
      plan.host_call "f" ins(%x : memref<2x2xf32, #inputs>) inouts(%a : memref<3xi32, #arena>) outs(%y : memref<8xi1, #outputs>) loc("seen"("train.py":3:4)))"),
            normalize(R"([
              {"op": "host_call", "callee": "f", "name": "seen", "location": 0,
               "args": [["input", 0, 16], ["arena", 0, 12], ["output", 0, 8]],
               "types": [["f32", [2, 2]], ["i32", [3]], ["i1", [8]]],
               "flops": 0, "reads": [0, 1], "writes": [1, 2]}])"));
}

TEST_F(ManifestTest, Collectives) {
  std::string world = "plan.communicator @world ranks(4)\n";
  EXPECT_EQ(toText(*get(world).get("communicator")),
            normalize(R"({"ranks": 4})"));
  EXPECT_EQ(get("").get("communicator"), nullptr);
  EXPECT_EQ(
      getError(world + "plan.communicator @row ranks(2)"),
      "'plan.communicator' op expects to be the only communicator but got "
      "a second one");
  EXPECT_EQ(getError(world + "plan.device @a kind(host) queues(1)\n"
                             "plan.device @b kind(host) queues(1)"),
            "'plan.communicator' op expects one device but got 2");
  EXPECT_EQ(getCommand(R"(
      %x = plan.alloc {offset = 0 : i64} : memref<1024xbf16, #arena>
      %y = plan.alloc {offset = 4096 : i64} : memref<256xbf16, #arena>
      plan.collective reduce_scatter on @world avg ins(%x : memref<1024xbf16, #arena>) outs(%y : memref<256xbf16, #arena>) loc("grad"("train.py":3:4))
      plan.collective broadcast on @world root(2) inouts(%y : memref<256xbf16, #arena>)
      plan.collective send on @world peer(3) ins(%x : memref<1024xbf16, #arena>)
      plan.collective recv on @world peer(1) joined outs(%y : memref<256xbf16, #arena>))",
                       world),
            normalize(R"([
              {"op": "collective", "kind": "reduce_scatter", "dtype": "bf16",
               "reduction": "avg", "name": "grad", "location": 0,
               "args": [["arena", 0, 2048], ["arena", 4096, 512]],
               "flops": 768, "reads": [0], "writes": [1]},
              {"op": "collective", "kind": "broadcast", "dtype": "bf16",
               "peer": 2, "args": [["arena", 4096, 512]], "location": 1,
               "flops": 0, "reads": [0], "writes": [0]},
              {"op": "collective", "kind": "send", "dtype": "bf16", "peer": 3,
               "args": [["arena", 0, 2048]], "location": 2,
               "flops": 0, "reads": [0], "writes": []},
              {"op": "collective", "kind": "recv", "dtype": "bf16", "peer": 1,
               "joined": true, "args": [["arena", 4096, 512]], "location": 3,
               "flops": 0, "reads": [], "writes": [0]}])"));
}

TEST_F(ManifestTest, Devices) {
  json::Object manifest = get("plan.device @host kind(host) queues(3)");
  EXPECT_EQ(toText(*manifest.get("devices")),
            normalize(R"([{"name": "host", "kind": "host", "queues": 3}])"));
  EXPECT_EQ(
      toText(*get("plan.device @gpu0 kind(cuda) queues(1)").get("devices")),
      normalize(R"([{"name": "gpu0", "kind": "cuda", "queues": 1}])"));
}

// Spaces and variables have the numbers of other devices than the first one.
TEST_F(ManifestTest, SeveralDevices) {
  sharedSizes = "#plan.sizes<variables = 64, @gpu1 variables = 128>";
  json::Object manifest = get(R"(
      plan.device @cpu0 kind(host) queues(1)
      plan.device @gpu0 kind(cuda) queues(1)
      plan.device @gpu1 kind(cuda) queues(1) index(1)
      plan.variable @a : memref<4xf32, #plan.space<variables>> {offset = 0 : i64}
      plan.variable @b : memref<32xf32, #plan.space<@gpu1, variables>> {offset = 0 : i64}
      plan.program @jobmlir_init kind init sizes<arena = 0 above 0, inputs = 64, outputs = 0, workspace = 0> {
        %seed = plan.input 0 "seed" {offset = 0 : i64} : memref<1xi64, #plan.space<inputs>>
        plan.return
      }
      plan.program @p kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0, @gpu1 arena = 192 above 128, @gpu1 workspace = 256> {
        %a = plan.alloc {offset = 0 : i64} : memref<32xf32, #plan.space<@gpu1, arena>>
        %b = plan.get_variable @b : memref<32xf32, #plan.space<@gpu1, variables>>
        plan.copy %b to %a queue(2) : memref<32xf32, #plan.space<@gpu1, variables>> to memref<32xf32, #plan.space<@gpu1, arena>>
        plan.return
      })");
  EXPECT_EQ(toText(*manifest.get("devices")), normalize(R"([
              {"name": "cpu0", "kind": "host", "queues": 1},
              {"name": "gpu0", "kind": "cuda", "queues": 1},
              {"name": "gpu1", "kind": "cuda", "queues": 1, "index": 1}])"));
  EXPECT_EQ(manifest.getInteger("bank_bytes"), 64);
  EXPECT_EQ(toText(*manifest.get("banks")),
            normalize(R"([{"device": 2, "bytes": 128}])"));
  const json::Array &variables = *manifest.getArray("variables");
  EXPECT_EQ(variables[0].getAsObject()->get("device"), nullptr);
  EXPECT_EQ(variables[1].getAsObject()->getInteger("device"), 2);
  const json::Object &entry = *(*manifest.getArray("entries"))[1].getAsObject();
  EXPECT_EQ(entry.getInteger("arena_bytes"), 64);
  EXPECT_EQ(toText(*entry.get("spaces")), normalize(R"([
              {"device": 2, "arena_bytes": 192, "workspace_bytes": 256,
               "arena_lower_bound": 128}])"));
  EXPECT_EQ(toText(*entry.get("commands")), normalize(R"([
              {"op": "copy", "queue": 2, "location": 2,
               "args": [["bank@2", 0, 128], ["arena@2", 0, 128]]}])"));
}

TEST_F(ManifestTest, StagingOfADevice) {
  EXPECT_EQ(getError(R"(
      plan.device @cpu0 kind(host) queues(1)
      plan.device @gpu0 kind(cuda) queues(1)
      plan.program @p kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0, @gpu0 inputs = 64> {
        %x = plan.input 0 "x" {offset = 0 : i64} : memref<4xf32, #plan.space<@gpu0, inputs>>
        plan.return
      })"),
            "'plan.input' op expects a staging slot, memory of the host, in a "
            "space without a device but got #plan.space<@gpu0, inputs>");
}

TEST_F(ManifestTest, NoOffsetInRepeat) {
  EXPECT_EQ(getError(inProgram(R"(
      plan.repeat count(4) {
        %y = plan.alloc : memref<4xf32, #arena>
        plan.fill %y with 0 : memref<4xf32, #arena>
      })")),
            "'plan.alloc' op expects an offset but got none");
}

} // namespace
