// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// What is right passes.
plan.executable @code {
  plan.variant @cpu chunks(2) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xf32>, %y: memref<4xf32>, %chunk: index) {
    return
  }
}
plan.program @p kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %a = plan.input 1 "a" : memref<2x4xf32, #inputs>
  %b = plan.input 2 "b" : memref<4x3xf32, #inputs>
  %y = plan.alloc : memref<4xf32, #arena>
  %c = plan.output 0 "c" : memref<2x3xf32, #outputs>
  plan.dispatch @code ins(%x : memref<4xf32, #inputs>) inouts(%y : memref<4xf32, #arena>)
  plan.call #plan.onednn.matmul<k = 4, m = 2, n = 3> ins(%a, %b : memref<2x4xf32, #inputs>, memref<4x3xf32, #inputs>) outs(%c : memref<2x3xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @p kind predict {
  %a = plan.input 0 "a" : memref<2x4xf32, #inputs>
  %b = plan.input 1 "b" : memref<4x3xf32, #inputs>
  %c = plan.output 0 "c" : memref<2x3xf32, #outputs>
  // expected-error@below {{'plan.call' op expects 2 buffers in ins but got 1}}
  plan.call #plan.onednn.matmul<k = 4, m = 2, n = 3> ins(%a : memref<2x4xf32, #inputs>) outs(%c : memref<2x3xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @p kind predict {
  %a = plan.input 0 "a" : memref<2x4xf32, #inputs>
  %b = plan.input 1 "b" : memref<4x3xf32, #inputs>
  %c = plan.output 0 "c" : memref<2x3xf32, #outputs>
  %d = plan.input 2 "d" : memref<4x5xf32, #inputs>
  // expected-error@below {{'plan.call' op expects outs of 'memref<1x2x5xf32>', by its config, but got 'memref<2x3xf32, #plan.space<outputs>>'}}
  plan.call #plan.onednn.matmul<k = 4, m = 2, n = 5> ins(%a, %d : memref<2x4xf32, #inputs>, memref<4x5xf32, #inputs>) outs(%c : memref<2x3xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @p kind predict {
  %a = plan.input 0 "a" : memref<2x4xf32, #inputs>
  %b = plan.input 1 "b" : memref<4x3xf32, #inputs>
  %c = plan.output 0 "c" : memref<2x3xf32, #outputs>
  // expected-error@below {{'plan.call' op expects a plan.workspace but got another buffer as workspace}}
  plan.call #plan.onednn.matmul<k = 4, m = 2, n = 3> ins(%a, %b : memref<2x4xf32, #inputs>, memref<4x3xf32, #inputs>) outs(%c : memref<2x3xf32, #outputs>) workspace(%a : memref<2x4xf32, #inputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// The bytes of the workspace are those that the function needs.
plan.program @p kind predict {
  %a = plan.input 0 "a" : memref<1x1x4x4xf32, #inputs>
  %b = plan.input 1 "b" : memref<1x1x3x3xf32, #inputs>
  %c = plan.output 0 "c" : memref<1x1x2x2xf32, #outputs>
  %w = plan.workspace : memref<64xi8, #workspace>
  // expected-error@below {{'plan.call' op expects a workspace of 34624 bytes, by its config, but got 64}}
  plan.call #plan.onednn.conv2d<c = 1, h = 4, kh = 3, kw = 3, n = 1, oc = 1, oh = 2, ow = 2, w = 4, slice = 34624> ins(%a, %b : memref<1x1x4x4xf32, #inputs>, memref<1x1x3x3xf32, #inputs>) outs(%c : memref<1x1x2x2xf32, #outputs>) workspace(%w : memref<64xi8, #workspace>)
  plan.return
}

// -----

plan.executable @sqrt {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@below {{'plan.variant' op expects a variant of a target of this build, cpu or cuda, but got gpu}}
  plan.variant @gpu schedule(#plan.cpu_schedule<>)
}

// -----

// The code is there already, and is for the schedule.
plan.executable @sqrt {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@below {{'plan.variant' op expects 2 chunks, as the schedule makes, but got 3}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 4]>) chunks(3) function(@cpu_code)
  func.func @cpu_code(%x: memref<8xf32>, %y: memref<8xf32>, %chunk: index) {
    return
  }
}

// -----

plan.executable @body {
  // expected-error@below {{'func.func' op expects at least one linalg.generic}}
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

plan.executable @code {
  plan.variant @cpu chunks(2) function(@cpu_code)
  // expected-error@below {{'func.func' op expects code but got a declaration}}
  func.func private @cpu_code(memref<4xf32>, index)
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// expected-note@below {{the kernel is here}}
plan.executable @sqrt {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: tensor<64xi32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      plan.check %1 number 0 of 1 : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
plan.program @p kind predict {
  %x = plan.input 0 "x" : memref<8xf32, #inputs>
  %y = plan.output 0 "y" : memref<8xf32, #outputs>
  %s = plan.alloc : memref<64xi32, #arena>
  // expected-error@below {{'plan.dispatch' op expects 1 checks, as its kernel has, but got 2}}
  plan.dispatch @sqrt ins(%x : memref<8xf32, #inputs>) outs(%y, %s : memref<8xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("a"), loc("b")]}
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @misspelt kind predict {
  // expected-error@below {{'plan.input' op expects attributes of its own or of a dialect but got "cheked"}}
  // expected-note@below {{did you mean checked instead of cheked?}}
  %x = plan.input 0 "x" {cheked} : memref<4xf32, #inputs>
  plan.return
}

// -----

plan.device @gpu0 kind(cuda) queues(1)

#variables = #plan.space<variables>

plan.variable @a : memref<4x4xf32, #variables>
plan.variable @b : memref<4x4xf32, #variables>
plan.program @target kind predict {
  %a = plan.get_variable @a : memref<4x4xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  // expected-error@below {{'plan.call' op expects a function of the target cuda but got onednn.matmul of cpu}}
  plan.call #plan.onednn.matmul<m = 4, n = 4, k = 4> ins(%a, %a : memref<4x4xf32, #variables>, memref<4x4xf32, #variables>) outs(%b : memref<4x4xf32, #variables>)
  plan.return
}

// -----

#variables = #plan.space<variables>

plan.variable @a : memref<4x4xf32, #variables>
plan.variable @b : memref<4x4xf32, #variables>
plan.program @target kind predict {
  %a = plan.get_variable @a : memref<4x4xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  // expected-error@below {{'plan.call' op expects a function of the target cpu but got cublaslt.matmul of cuda}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4> ins(%a, %a : memref<4x4xf32, #variables>, memref<4x4xf32, #variables>) outs(%b : memref<4x4xf32, #variables>)
  plan.return
}

// -----

plan.device @gpu0 kind(cuda) queues(1)

#variables = #plan.space<variables>

plan.variable @a : memref<4x4xf32, #variables>
plan.variable @b : memref<4x4xf32, #variables>
plan.program @type kind predict {
  %a = plan.get_variable @a : memref<4x4xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  // expected-error@below {{'plan.call' op expects ins of 'memref<1x4x4xbf16>', by its config, but got 'memref<4x4xf32, #plan.space<variables>>'}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, type = bf16> ins(%a, %a : memref<4x4xf32, #variables>, memref<4x4xf32, #variables>) outs(%b : memref<4x4xf32, #variables>)
  plan.return
}

// -----

plan.device @gpu0 kind(cuda) queues(1)

#variables = #plan.space<variables>

plan.variable @a : memref<4x4xf32, #variables>
plan.variable @b : memref<4x4xf32, #variables>
plan.program @bias kind predict {
  %a = plan.get_variable @a : memref<4x4xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  // expected-error@below {{'plan.call' op expects 3 buffers in ins but got 2}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, epilogue = bias> ins(%a, %a : memref<4x4xf32, #variables>, memref<4x4xf32, #variables>) outs(%b : memref<4x4xf32, #variables>)
  plan.return
}

// -----

plan.device @gpu0 kind(cuda) queues(1)

#variables = #plan.space<variables>

plan.variable @x : memref<2x4x5x5xf32, #variables>
plan.variable @f : memref<4x3x1x1xf32, #variables>
plan.variable @y : memref<2x4x5x5xf32, #variables>
plan.program @layout kind predict {
  %x = plan.get_variable @x : memref<2x4x5x5xf32, #variables>
  %f = plan.get_variable @f : memref<4x3x1x1xf32, #variables>
  %y = plan.get_variable @y : memref<2x4x5x5xf32, #variables>
  // expected-error@below {{'plan.call' op expects ins of 'memref<2x5x5x3xf32>', by its config, but got 'memref<2x4x5x5xf32, #plan.space<variables>>'}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 5, w = 5, oc = 4, kh = 1, kw = 1, oh = 5, ow = 5, layout = nhwc> ins(%x, %f : memref<2x4x5x5xf32, #variables>, memref<4x3x1x1xf32, #variables>) outs(%y : memref<2x4x5x5xf32, #variables>)
  plan.return
}
