// REQUIRES: graphviz
//
// The picture that Graphviz draws. What a user names is escaped; what XML or
// Graphviz cannot hold is replaced.
//
// RUN: job-opt %s --job-print-graph="output=%t.svg entry=serve" -o /dev/null 2>&1 | count 0
// RUN: FileCheck %s < %t.svg
// RUN: job-opt %s --job-print-graph=entry=serve -o /dev/null | FileCheck %s
// RUN: job-opt %s --job-print-graph=entry=empty -o /dev/null | FileCheck %s --check-prefix=EMPTY
// RUN: echo "job.func @nothing() kind predict { job.return }" | job-opt --job-print-graph -o /dev/null | FileCheck %s --check-prefix=NOTHING
// RUN: %python -c "import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])" %t.svg
// RUN: env TMPDIR=%t.none not job-opt %s --job-print-graph=entry=serve -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOLDER

// CHECK: <svg
// CHECK-DAG: >job serve (predict)</text>
// CHECK-DAG: >x&lt;y&amp;amp;∖N �</text>
// CHECK-DAG: >16xf32 · 64 B</text>
// CHECK-DAG: >act &quot;1&quot; ∖N</text>
// CHECK-DAG: >model.py:3 · 16 FLOP</text>
// CHECK-DAG: xlink:title="job.tanh&#10;act &quot;1&quot; ∖N&#10;model.py:3:5&#10;FLOPs: 16&#10;reads 64 bytes, writes 64"
// CHECK-DAG: xlink:title="16xf32 · 64 B: tanh → out"
// CHECK-DAG: >elementwise</text>
// CHECK: </svg>
// EMPTY: <svg
// NOTHING: <title>jobs</title>
// FOLDER: {{^}}{{.*}}print-graph-svg.mlir: error: cannot make a temporary file in '{{.*}}.none': no such file or directory

job.func @serve(%x: !job.blob<16xf32> {job.name = "x<y&amp;\\N\01\FF"})
    -> (!job.blob<16xf32> {job.name = "out"}) kind predict {
  %0 = job.tanh %x : !job.blob<16xf32> loc("act \"1\" \\N"("model.py":3:5))
  job.return %0 : !job.blob<16xf32>
}

job.func @empty(%x: !job.blob<16xf32> {job.name = ""}) kind predict {
  job.return
}
