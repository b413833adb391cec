// RUN: job-opt %s --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect

// expected-error @below {{expects argument 0 to be a blob but got 'tensor<4xf32>'}}
job.func @f(%x: tensor<4xf32>) kind predict {
  job.return
}

// -----

// expected-error @below {{expects result 1 to be a blob but got 'f32'}}
job.func @f(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, f32) kind predict {
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{expects job.name of argument 0 to be a string but got 7 : i64}}
job.func @f(%x: !job.blob<4xf32> {job.name = 7}) kind predict {
  job.return
}

// -----

// expected-error @below {{expects job.name of result 0 to be a string but got unit}}
job.func @f(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.name}) kind predict {
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{expects a kind of train, predict or init but got learn}}
job.func @f() kind learn {
  job.return
}

// -----

// expected-error @below {{expects placement to be a #job.placement}}
job.func @f() kind predict attributes {placement = "0:0"} {
  job.return
}

// -----

// expected-error @below {{expects precision to be a type}}
job.func @f() kind predict attributes {precision = "bf16"} {
  job.return
}

// -----

// expected-error @below {{attribute 'precision' failed to satisfy constraint: type attribute of 32-bit float or bfloat16 type or 16-bit float}}
job.func @f() kind predict attributes {precision = f64} {
  job.return
}

// -----

// expected-error @below {{expects result_structure to be a string}}
job.func @f() kind predict attributes {result_structure = 0} {
  job.return
}

// -----

// expected-error @below {{expects in_place to be true or false}}
job.func @f() kind predict attributes {in_place = 0} {
  job.return
}

// -----

// expected-error @below {{expects fuse_updates to be true or false}}
job.func @f() kind predict attributes {fuse_updates = "no"} {
  job.return
}

// -----

// expected-error @below {{expects tf32 to be true or false}}
job.func @f() kind predict attributes {tf32 = 1} {
  job.return
}

// -----

// expected-error @below {{expects packing to be an array of strategies}}
job.func @f() kind predict attributes {packing = "size"} {
  job.return
}

// -----

// expected-error @below {{attribute 'packing' failed to satisfy constraint: array of best, size, conflicts, time or none with at least 1 elements}}
job.func @f() kind predict attributes {packing = []} {
  job.return
}

// -----

// expected-error @below {{attribute 'packing' failed to satisfy constraint: array of best, size, conflicts, time or none with at least 1 elements}}
job.func @f() kind predict attributes {packing = ["size", "random"]} {
  job.return
}

// -----

// expected-error @below {{expects workspace_limit to be an integer}}
job.func @f() kind predict attributes {workspace_limit = "none"} {
  job.return
}

// -----

// expected-error @below {{attribute 'workspace_limit' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
job.func @f() kind predict attributes {workspace_limit = -1 : i64} {
  job.return
}

// -----

// expected-error @below {{attribute 'workspace_limit' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
job.func @f() kind predict attributes {workspace_limit = 1 : i32} {
  job.return
}

// -----

// expected-error @below {{expects step_counter to be a symbol}}
job.func @f() kind predict attributes {step_counter = "steps"} {
  job.return
}

// -----

// expected-error @below {{expects step_counter to be a symbol}}
job.func @f() kind predict attributes {step_counter = @steps::@inner} {
  job.return
}

// -----

// expected-error @below {{expects excluded_libraries to be an array of names}}
job.func @f() kind predict attributes {excluded_libraries = "cudnn"} {
  job.return
}

// -----

// expected-error @below {{attribute 'excluded_libraries' failed to satisfy constraint: string array attribute}}
job.func @f() kind predict attributes {excluded_libraries = [1]} {
  job.return
}

// -----

// expected-error @below {{expects kind in the signature but got it as an attribute}}
job.func @f() kind predict attributes {kind = 7} {
  job.return
}

// -----

// expected-error @below {{expects sym_name in the signature but got it as an attribute}}
job.func @f() kind predict attributes {sym_name = "g"} {
  job.return
}

// -----

// expected-error @below {{failed to verify constraint: region with 1 blocks}}
"job.func"() <{sym_name = "f", function_type = () -> (), kind = #job<kind predict>}> ({}) : () -> ()

// -----

// expected-error @below {{failed to verify constraint: region with 1 blocks}}
job.func @f() kind predict {
}

// -----

// expected-error @below {{expects a non-empty block}}
job.func @f(%x: !job.blob<4xf32>) kind predict {
}

// -----

// expected-error @below {{expects the body to end in job.return but got job.neg}}
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.neg %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{expects the body to end in job.return but got ub.unreachable}}
job.func @f() kind predict {
  ub.unreachable
}

// -----

job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error @below {{expects 1 operands as @f has results but got 0}}
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xi32> kind predict {
  // expected-error @below {{expects operand 0 of type '!job.blob<4xi32>' but got '!job.blob<4xf32>'}}
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{'job.return' op expects parent op 'job.func'}}
job.return

// -----

job.func @f() kind predict {
  // expected-error @below {{symbol's parent must have the SymbolTable trait}}
  job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>
  job.return
}

// -----

"other.container"() ({
  // expected-error @below {{expects to be directly in a module}}
  job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>
}) : () -> ()

// -----

// expected-error @below {{expects 2 dimensions in the permutation, all there are, but got 1}}
job.variable @v : !job.blob<2x3xf32> init #job.constant_init<0.0> {permutation = array<i64: 0>}

// -----

// expected-error @below {{expects each dimension once but got 1 twice}}
job.variable @v : !job.blob<2x3xf32> init #job.constant_init<0.0> {permutation = array<i64: 1, 1>}

// -----

// expected-error @below {{expects a permutation of the expanded shape but got none}}
job.variable @v : !job.blob<2x6xf32> init #job.constant_init<0.0> {expanded_shape = array<i64: 2, 2, 3>}

// -----

// expected-error @below {{expects an expanded shape of 12 elements but got [2, 2, 4]}}
job.variable @v : !job.blob<2x6xf32> init #job.constant_init<0.0> {permutation = array<i64: 0, 2, 1>, expanded_shape = array<i64: 2, 2, 4>}

// -----

// expected-error @below {{expects an expanded shape of 1 elements but got []}}
job.variable @v : !job.blob<1xf32> init #job.constant_init<0.0> {permutation = array<i64>, expanded_shape = array<i64>}

// -----

// expected-error @below {{expects an expanded shape of 12 elements but got [-2, -6]}}
job.variable @v : !job.blob<2x6xf32> init #job.constant_init<0.0> {permutation = array<i64: 1, 0>, expanded_shape = array<i64: -2, -6>}

// -----

// expected-error @below {{expects 3 dimensions in the permutation, all there are, but got 2}}
job.variable @v : !job.blob<2x6xf32> init #job.constant_init<0.0> {permutation = array<i64: 1, 0>, expanded_shape = array<i64: 2, 2, 3>}

// -----

// expected-error @below {{expects initial values of type 'tensor<3x1xf32>' but got 'tensor<1x3xf32>'}}
job.variable @v : !job.blob<1x3xf32> init #job.dense_init<dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>> {permutation = array<i64: 1, 0>}

// -----

// expected-note @below {{the variable is defined here}}
job.variable @v : !job.blob<2x3xf32> init #job.constant_init<0.0> {permutation = array<i64: 1, 0>}
job.func @reads_as_stored() -> !job.blob<3x2xf32> kind predict {
  // expected-error @below {{expects type '!job.blob<2x3xf32>' of variable @v but got '!job.blob<3x2xf32>'}}
  %0 = job.read @v : !job.blob<3x2xf32>
  job.return %0 : !job.blob<3x2xf32>
}

// -----

// expected-error @below {{expects a trainable variable to be of floats but got '!job.blob<4xi32>'}}
job.variable @v : !job.blob<4xi32> init #job.constant_init<0.0>

// -----

// expected-error @below {{invalid kind of attribute specified}}
job.variable @v : !job.blob<4xf32> init #job.sgd

// -----

// expected-error @below {{attribute 'type' failed to satisfy constraint: type attribute of a logical array: shape and element type}}
job.variable @v : tensor<4xf32> init #job.constant_init<0.0>

// -----

job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0> // expected-note {{see existing symbol definition here}}
// expected-error @below {{redefinition of symbol named 'v'}}
job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a variable but got @v, which is none}}
  %0 = job.read @v : !job.blob<4xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a variable but got @f, which is none}}
  %0 = job.read @f : !job.blob<4xf32>
  job.return
}

// -----

// expected-note @below {{the variable is defined here}}
job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @f() kind predict {
  // expected-error @below {{expects type '!job.blob<4xf32>' of variable @v but got '!job.blob<4xf64>'}}
  %0 = job.read @v : !job.blob<4xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects a variable but got @v, which is none}}
  job.assign @v, %x : !job.blob<4xf32>
  job.return
}

// -----

// expected-note @below {{the variable is defined here}}
job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @f(%x: !job.blob<5xf32>) kind predict {
  // expected-error @below {{expects type '!job.blob<4xf32>' of variable @v but got '!job.blob<5xf32>'}}
  job.assign @v, %x : !job.blob<5xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a blob with at least one dimension but got none (a scalar has the shape 1)}}
  %0 = job.constant dense<0.0> : tensor<f32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects positive extents but got 0 in dimension 0}}
  %0 = job.constant dense<> : tensor<0xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects an element type of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 but got 'f8E4M3FN'}}
  %0 = job.constant dense<0.0> : tensor<4xf8E4M3FN>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a dense attribute but got sparse<0, 1.000000e+00> : tensor<4xf32>}}
  %0 = job.constant sparse<0, 1.0> : tensor<4xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a value of type 'tensor<4xf32>' but got 'vector<4xf32>'}}
  %0 = job.constant dense<0.0> : vector<4xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{requires attribute 'value'}}
  %0 = "job.constant"() : () -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects a value of type 'tensor<5xf32>' but got 'tensor<4xf32>'}}
  %0 = "job.constant"() <{value = dense<0.0> : tensor<4xf32>}> : () -> !job.blob<5xf32>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{result #0 must be !job.blob<1xi64>, but got '!job.blob<2xi64>'}}
  %0 = "job.step"() : () -> !job.blob<2xi64>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region's arguments to have the types of the inputs, '!job.blob<4xf32>', but got '!job.blob<5xf32>'}}
  "job.kernel"(%x) ({
  ^bb0(%a: !job.blob<5xf32>):
    job.yield
  }) : (!job.blob<4xf32>) -> ()
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region to end in job.yield but got job.neg}}
  job.kernel(%a = %x : !job.blob<4xf32>) {
    %0 = job.neg %a : !job.blob<4xf32>
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects job.yield to have the types of the results, '!job.blob<5xf32>', but got '!job.blob<4xf32>'}}
  %0 = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<5xf32> {
    job.yield %a : !job.blob<4xf32>
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  job.kernel() {
    // expected-error @below {{use of undeclared SSA value name}}
    %0 = job.neg %x : !job.blob<4xf32>
    job.yield
  }
  job.return
}

// -----

// expected-error @below {{'job.yield' op expects parent op to be one of 'job.custom_gradient, job.kernel, job.micro_steps'}}
job.yield

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @f() -> !job.blob<4xf32> kind predict {
  %0 = job.kernel() -> !job.blob<4xf32> {
    // expected-error @below {{'job.read' op expects to stand outside of a job.kernel, whose ops have no effects and no regions}}
    %1 = job.read @w : !job.blob<4xf32>
    job.yield %1 : !job.blob<4xf32>
  }
  job.return %0 : !job.blob<4xf32>
}

// -----

// expected-error @below {{'job.func' op expects a job.name, job.placement, job.sharding or job.observer of argument 0 but got "job.nam"}}
// expected-note @below {{did you mean job.name instead of job.nam?}}
job.func @f(%x: !job.blob<4xf32> {job.nam = "x"}) -> !job.blob<4xf32> kind predict {
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{'job.func' op expects the nesting of 1 results as result_structure but got "[0,"}}
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {result_structure = "[0,"} {
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{'job.func' op expects the nesting of 1 results as result_structure but got "[0, {\22dict\22: {\22a\22: 1}}]"}}
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {result_structure = "[0, {\"dict\": {\"a\": 1}}]"} {
  job.return %x : !job.blob<4xf32>
}

// -----

// expected-error @below {{'job.func' op expects a result_structure of at most 64 levels but got 65}}
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {result_structure = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"} {
  job.return %x : !job.blob<4xf32>
}

// -----

// Brackets in names are no levels.
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {result_structure = "{\"dict\": {\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\": {\"tuple\": [0, null]}}}"} {
  job.return %x : !job.blob<4xf32>
}

// -----

job.func @placement(%x: !job.blob<4xf32>) kind predict {
  // expected-error@+1 {{'job.neg' op expects "job.placement" to be a #job.placement but got "gpu"}}
  %0 = job.neg %x {job.placement = "gpu"} : !job.blob<4xf32>
  job.return
}

// -----

job.func @placement() kind predict {
  // expected-error@+1 {{'job.return' op expects no "job.placement", which is for ops directly in a job or in its micro-steps, but got #job.placement<gpu, "0:0">}}
  job.return {job.placement = #job.placement<gpu, "0:0">}
}

// -----

job.func @placement(%x: !job.blob<4xf32>) kind predict {
  %0 = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
    // expected-error@+1 {{'job.neg' op expects no "job.placement"}}
    %1 = job.neg %a {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
    job.yield %1 : !job.blob<4xf32>
  }
  job.return
}

// -----

// expected-error@+1 {{'builtin.module' op expects no "job.placement"}}
module attributes {job.placement = #job.placement<gpu, "0:0">} {
}

// -----

job.func @transfer(%x: !job.blob<4xf32>) kind predict {
  // expected-error@+1 {{'job.transfer' op expects no "job.placement"}}
  %0 = job.transfer %x to <gpu, "0:0"> {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  job.return
}

// -----

// expected-error @below {{'job.func' op expects job.observer of result 0 to be a string but got 3 : i64}}
job.func @observer(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.observer = 3}) kind predict {
  job.return %x : !job.blob<4xf32>
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region's arguments to have the types of the inputs, the values and the gradients of values of floats, '!job.blob<4xf32>', '!job.blob<4xf32>', '!job.blob<4xf32>', but got '!job.blob<4xf32>', '!job.blob<4xf32>'}}
  %0 = job.custom_gradient values(%x : !job.blob<4xf32>) inputs(%x : !job.blob<4xf32>) {
  ^bb0(%in: !job.blob<4xf32>, %grad: !job.blob<4xf32>):
    job.yield %grad : !job.blob<4xf32>
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects job.yield to have the types of the inputs of floats, '!job.blob<4xf32>', but got}}
  %0 = job.custom_gradient values(%x : !job.blob<4xf32>) inputs(%x : !job.blob<4xf32>) {
  ^bb0(%in: !job.blob<4xf32>, %out: !job.blob<4xf32>, %grad: !job.blob<4xf32>):
    job.yield
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region to end in job.yield but got test.end}}
  %0 = job.custom_gradient values(%x : !job.blob<4xf32>) inputs(%x : !job.blob<4xf32>) {
  ^bb0(%in: !job.blob<4xf32>, %out: !job.blob<4xf32>, %grad: !job.blob<4xf32>):
    "test.end"() : () -> ()
  }
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.custom_gradient values(%x : !job.blob<4xf32>) inputs(%x : !job.blob<4xf32>) {
  ^bb0(%in: !job.blob<4xf32>, %out: !job.blob<4xf32>, %grad: !job.blob<4xf32>):
    // expected-error @below {{expects to stand outside of a job.custom_gradient, whose ops have no effects and no regions}}
    job.assign @w, %grad : !job.blob<4xf32>
    job.yield %grad : !job.blob<4xf32>
  }
  job.return
}
