// Without Graphviz the DOT text is written, beside the file of the picture.
//
// RUN: rm -rf %t && mkdir %t
// RUN: env PATH=%t %build/bin/job-opt %s --job-print-graph=output=%t/x.svg -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: FileCheck %s < %t/x.dot
// RUN: not ls %t/x.svg
// RUN: env PATH=%t %build/bin/job-opt %s --job-print-graph -o /dev/null 2>%t/messages | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t/messages
// RUN: env PATH=%t %build/bin/job-opt %s --job-print-graph=dot -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning

// CHECK: digraph jobs {
// FILE: warning: expects Graphviz's program 'dot' on PATH to draw a picture; wrote its DOT text to '{{.*}}x.dot'
// OUT: warning: expects Graphviz's program 'dot' on PATH to draw a picture; wrote its DOT text to standard output

job.func @serve(%x: !job.blob<16xf32>) -> !job.blob<16xf32> kind predict {
  %0 = job.tanh %x : !job.blob<16xf32>
  job.return %0 : !job.blob<16xf32>
}
