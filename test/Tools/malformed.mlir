// Malformed text is an error with file, line and column. `not` fails when a
// tool aborts.
//
// RUN: rm -rf %t && split-file %s %t

// RUN: not job-opt %t/unclosed.mlir 2>&1 | FileCheck %s --check-prefix=UNCLOSED
// UNCLOSED: unclosed.mlir:3:13: error: expected operation name in quotes
// RUN: not job-opt %t/operand.mlir 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: operand.mlir:2:{{[0-9]+}}: error: expected ','
// RUN: not job-opt %t/undefined.mlir 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: undefined.mlir:2:16: error: use of undeclared SSA value name
// RUN: not job-opt %t/late.mlir 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: late.mlir:2:{{[0-9]+}}: error: operand #0 does not dominate this use
// RUN: not job-opt %t/unknown-op.mlir 2>&1 | FileCheck %s --check-prefix=OP
// OP: unknown-op.mlir:2:{{[0-9]+}}: error: custom op 'job.negate' is unknown
// RUN: not job-opt %t/unknown-dialect.mlir 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: unknown-dialect.mlir:2:{{[0-9]+}}: error: Dialect `jab' not found
// RUN: not job-opt %t/attribute.mlir 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: attribute.mlir:2:{{[0-9]+}}: error: {{.*}}requires attribute 'padding'
// RUN: not job-opt %t/integer.mlir 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: integer.mlir:1:{{[0-9]+}}: error:
// RUN: not job-opt %t/string.mlir 2>&1 | FileCheck %s --check-prefix=STRING
// STRING: string.mlir:1:{{[0-9]+}}: error: expected '"' in string literal
// RUN: not job-opt %t/successor.mlir 2>&1 | FileCheck %s --check-prefix=SUCCESSOR
// SUCCESSOR: successor.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
// RUN: not job-opt %t/blocks.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: blocks.mlir:1:{{[0-9]+}}: error: {{.*}}region with 1 blocks
// RUN: not job-opt %t/no-such-file.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}job-opt: error: cannot open input file '{{.*}}no-such-file.mlir': no such file or directory{{$}}

// An empty file is an empty module.
// RUN: job-opt %t/empty.mlir | FileCheck %s --check-prefix=EMPTY
// EMPTY: module {

//--- unclosed.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.neg %x : !job.blob<4xf32>
  job.return
//--- operand.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.add %x %x : !job.blob<4xf32>
  job.return
}
//--- undefined.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.neg %y : !job.blob<4xf32>
  job.return
}
//--- late.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.neg %1 : !job.blob<4xf32>
  %1 = job.neg %x : !job.blob<4xf32>
  job.return
}
//--- unknown-op.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = job.negate %x : !job.blob<4xf32>
  job.return
}
//--- unknown-dialect.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  %0 = jab.neg %x : !job.blob<4xf32>
  job.return
}
//--- attribute.mlir
job.func @f(%x: !job.blob<1x1x4x4xf32>) kind predict {
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>} : !job.blob<1x1x4x4xf32>
  job.return
}
//--- integer.mlir
job.func @f(%x: !job.blob<99999999999999999999xf32>) kind predict {
  job.return
}
//--- string.mlir
job.func @f(%x: !job.blob<4xf32> {job.name = "x}) kind predict {
  job.return
}
//--- successor.mlir
job.func @f(%x: !job.blob<4xf32>) kind predict {
  job.return
^next:
  job.return
}
//--- blocks.mlir
"job.kernel"() ({
}) : () -> ()
//--- empty.mlir
