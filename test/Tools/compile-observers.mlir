// RUN: job-opt %s | FileCheck %s
// RUN: not job-compile %s -o %t 2>&1 | FileCheck %s --check-prefix=ERROR

// No other program has the functions of Python that see a result.
// ERROR: model.py:3:1: error: expects job @train to have no results for functions of Python, which only the program that defines it has, but got one for watch at model.py:8
// CHECK: job.func @train{{.*}} {job.name = "observed_y", job.observer = "watch at model.py:8"})
job.func @train(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.name = "y"}, !job.blob<4xf32> {job.name = "observed_y", job.observer = "watch at model.py:8"}) kind predict {
  %y = job.exp %x : !job.blob<4xf32> loc("model.py":3:1)
  job.return %y, %y : !job.blob<4xf32>, !job.blob<4xf32>
}
