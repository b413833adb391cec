// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

// CHECK: job.variable @w :
// CHECK-NEXT: job.variable @"w-m" : !job.blob<4xf32> init #job.constant_init<0.000000e+00> {trainable = false}
// CHECK-NEXT: job.variable @"w-v" : !job.blob<4xf32> init #job.constant_init<0.000000e+00> {trainable = false}
// CHECK-NOT: w-beta
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// CHECK: job.variable @v :
// CHECK-NEXT: job.variable @"v-m" : !job.blob<4xf64>
// CHECK-NEXT: job.variable @"v-v" : !job.blob<4xf64>
// CHECK-NEXT: job.variable @"v-beta1_t" : !job.blob<1xf32> init #job.constant_init<5.000000e-01> {trainable = false}
// CHECK-NEXT: job.variable @"v-beta2_t" : !job.blob<1xf32> init #job.constant_init<7.500000e-01> {trainable = false}
job.variable @v : !job.blob<4xf64> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @plain
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[HALF:.*]] = job.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-DAG: %[[QUARTER:.*]] = job.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK-DAG: %[[THREE:.*]] = job.constant dense<7.500000e-01> : tensor<4xf32>
// CHECK-DAG: %[[EPS:.*]] = job.constant dense<6.250000e-02> : tensor<4xf32>
// CHECK: %[[G:.*]] = job.mul %arg0, %[[QUARTER]]
// CHECK: %[[M0:.*]] = job.read @"w-m"
// CHECK: %[[MKEPT:.*]] = job.mul %[[M0]], %[[HALF]]
// CHECK: %[[MADD:.*]] = job.mul %[[G]], %[[HALF]]
// CHECK: %[[M:.*]] = job.add %[[MKEPT]], %[[MADD]]
// CHECK: job.assign @"w-m", %[[M]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[G]], %[[G]]
// CHECK: %[[V0:.*]] = job.read @"w-v"
// CHECK: %[[VKEPT:.*]] = job.mul %[[V0]], %[[THREE]]
// CHECK: %[[VADD:.*]] = job.mul %[[SQUARE]], %[[QUARTER]]
// CHECK: %[[V:.*]] = job.add %[[VKEPT]], %[[VADD]]
// CHECK: job.assign @"w-v", %[[V]]
// CHECK: %[[ROOT:.*]] = job.sqrt %[[V]]
// CHECK: %[[DIVISOR:.*]] = job.add %[[ROOT]], %[[EPS]]
// CHECK: %[[DIRECTION:.*]] = job.div %[[M]], %[[DIVISOR]]
// CHECK: %[[STEP:.*]] = job.mul %[[DIRECTION]], %[[RATE]]
// CHECK: %[[W:.*]] = job.read @w :
// CHECK: %[[NEW:.*]] = job.sub %[[W]], %[[STEP]]
// CHECK: job.assign @w, %[[NEW]]
job.func @plain(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.adam<beta1 = 0.5, beta2 = 0.75, epsilon = 0.0625, bias_correction = false> schedule #job.constant_schedule<0.125>
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// The corrected rate is a scalar, in f32 whatever the variable is of.
// CHECK-LABEL: job.func @corrected
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<1.250000e-01> : tensor<1xf32>
// CHECK-DAG: %[[BETA1:.*]] = job.constant dense<5.000000e-01> : tensor<1xf32>
// CHECK-DAG: %[[BETA2:.*]] = job.constant dense<7.500000e-01> : tensor<1xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<1xf32>
// CHECK: %[[P1:.*]] = job.read @"v-beta1_t"
// CHECK: %[[N1:.*]] = job.mul %[[P1]], %[[BETA1]]
// CHECK: job.assign @"v-beta1_t", %[[N1]]
// CHECK: %[[C1:.*]] = job.sub %[[ONE]], %[[P1]]
// CHECK: %[[P2:.*]] = job.read @"v-beta2_t"
// CHECK: %[[N2:.*]] = job.mul %[[P2]], %[[BETA2]]
// CHECK: job.assign @"v-beta2_t", %[[N2]]
// CHECK: %[[C2:.*]] = job.sub %[[ONE]], %[[P2]]
// CHECK: %[[ROOT:.*]] = job.sqrt %[[C2]]
// CHECK: %[[SCALED:.*]] = job.mul %[[ROOT]], %[[RATE]]
// CHECK: %[[CORRECTED:.*]] = job.div %[[SCALED]], %[[C1]]
// CHECK: %[[WIDE:.*]] = job.cast %[[CORRECTED]] : <1xf32> to <1xf64>
// CHECK: %[[ALL:.*]] = job.broadcast_in_dim %[[WIDE]] {dims = array<i64: 0>} : <1xf64> to <4xf64>
// CHECK: job.mul %[[ALL]], %{{.*}} : <4xf64>
job.func @corrected(%g: !job.blob<4xf64>) kind train {
  %v = job.read @v : !job.blob<4xf64>
  job.loss %v : !job.blob<4xf64>
  job.minimize #job.adam<beta1 = 0.5, beta2 = 0.75, epsilon = 0.0625, bias_correction = true> schedule #job.constant_schedule<0.125>
  job.update @v, %g : !job.blob<4xf64>
  job.return
}
