// RUN: not job-opt %s --job-build-initializer --job-check-gradients -o /dev/null 2>&1 | FileCheck %s
// RUN: not job-opt %s --job-build-initializer --job-check-gradients="step=0.1 seed=3" -o /dev/null 2>&1 | FileCheck %s
// RUN: not job-opt %s --job-build-initializer --job-check-gradients="tolerance=0.1" -o /dev/null 2>&1 | FileCheck %s
// RUN: job-opt %s --job-build-initializer --job-check-gradients="tolerance=0.15" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: job-opt %s --job-build-initializer --job-check-gradients="samples=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// One element is wrong by 1 in 8. All are close to the kink of relu, whose
// gradient is right all the same: a step that goes over it is made smaller.

// CHECK-NOT: error:
// CHECK: error: expects d loss / d weight[2] = 7 but got 8
// CHECK-NOT: error:
// CHECK-NOT: remark:

// ALL-NOT: error:
// ALL: remark: seed 1: the gradients of 2 variables of @train agree with central differences in 5 elements
// NONE: remark: seed 1: the gradients of 2 variables of @train agree with central differences in 0 elements

job.variable @weight : !job.blob<3xf32> init #job.constant_init<0.01>
job.variable @near : !job.blob<2xf32> init #job.constant_init<-0.01>

job.func @train() kind train {
  %w = job.read @weight : !job.blob<3xf32>
  %c = job.constant dense<[1.0, 2.0, 7.0]> : tensor<3xf32>
  %d = job.constant dense<[1.0, 2.0, 8.0]> : tensor<3xf32>
  %0 = job.relu %w : !job.blob<3xf32>
  %1 = job.mul %0, %c : !job.blob<3xf32>
  job.loss %1 : !job.blob<3xf32>

  %n = job.read @near : !job.blob<2xf32>
  %2 = job.relu %n : !job.blob<2xf32>
  job.loss %2 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.update @weight, %d : !job.blob<3xf32>
  %zero = job.constant dense<0.0> : tensor<2xf32>
  job.update @near, %zero : !job.blob<2xf32>
  job.return
}
