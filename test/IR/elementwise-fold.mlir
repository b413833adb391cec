// RUN: job-opt %s --canonicalize --split-input-file | FileCheck %s
//
// A fold never changes the bits that a kernel would compute. The tests of what
// must not be folded are as important as the others.

// CHECK-LABEL: job.func @neg_of_neg(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @neg_of_neg(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.neg %x : !job.blob<4xf32>
  %1 = job.neg %0 : !job.blob<4xf32>
  job.return %1 : !job.blob<4xf32>
}

// CHECK-LABEL: job.func @relu_of_relu(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    %[[R:.*]] = job.relu %[[X]]
// CHECK-NEXT:    job.return %[[R]]
job.func @relu_of_relu(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.relu %x : !job.blob<4xf32>
  %1 = job.relu %0 : !job.blob<4xf32>
  job.return %1 : !job.blob<4xf32>
}

// CHECK-LABEL: job.func @unary_constants
// CHECK-DAG:     %[[NEG:.*]] = job.constant dense<-2.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[ABS:.*]] = job.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[RELU:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK:         job.return %[[NEG]], %[[ABS]], %[[RELU]], %[[ABS]] :
job.func @unary_constants() -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %two = job.constant dense<2.0> : tensor<4xf32>
  %minus = job.constant dense<-2.0> : tensor<4xf32>
  %0 = job.neg %two : !job.blob<4xf32>
  %1 = job.abs %minus : !job.blob<4xf32>
  %2 = job.relu %minus : !job.blob<4xf32>
  %3 = job.relu %two : !job.blob<4xf32>
  job.return %0, %1, %2, %3 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// relu(-0.0) is 0.0, relu(NaN) is NaN.
// CHECK-LABEL: job.func @relu_edges
// CHECK-DAG:     %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[NAN:.*]] = job.constant dense<0x7FC00000> : tensor<4xf32>
// CHECK:         job.return %[[ZERO]], %[[NAN]] :
job.func @relu_edges() -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %minus_zero = job.constant dense<-0.0> : tensor<4xf32>
  %nan = job.constant dense<0x7FC00000> : tensor<4xf32>
  %0 = job.relu %minus_zero : !job.blob<4xf32>
  %1 = job.relu %nan : !job.blob<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// Integers wrap: the smallest i8 has no positive counterpart.
// CHECK-LABEL: job.func @unary_wraps
// CHECK-NEXT:    %[[MIN:.*]] = job.constant dense<-128> : tensor<4xi8>
// CHECK-NEXT:    job.return %[[MIN]], %[[MIN]] :
job.func @unary_wraps() -> (!job.blob<4xi8>, !job.blob<4xi8>) kind predict {
  %min = job.constant dense<-128> : tensor<4xi8>
  %0 = job.neg %min : !job.blob<4xi8>
  %1 = job.abs %min : !job.blob<4xi8>
  job.return %0, %1 : !job.blob<4xi8>, !job.blob<4xi8>
}

// -----

// What kernels approximate is left to them.
// CHECK-LABEL: job.func @approximated
// CHECK:         job.exp
// CHECK-NEXT:    job.log
// CHECK-NEXT:    job.sqrt
// CHECK-NEXT:    job.rsqrt
// CHECK-NEXT:    job.cos
// CHECK-NEXT:    job.sin
// CHECK-NEXT:    job.tanh
// CHECK-NEXT:    job.sigmoid
// CHECK-NEXT:    job.erf_inv
// CHECK-NEXT:    job.pow
job.func @approximated() -> !job.blob<4xf32> kind predict {
  %one = job.constant dense<1.0> : tensor<4xf32>
  %0 = job.exp %one : !job.blob<4xf32>
  %1 = job.log %0 : !job.blob<4xf32>
  %2 = job.sqrt %1 : !job.blob<4xf32>
  %3 = job.rsqrt %2 : !job.blob<4xf32>
  %4 = job.cos %3 : !job.blob<4xf32>
  %5 = job.sin %4 : !job.blob<4xf32>
  %6 = job.tanh %5 : !job.blob<4xf32>
  %7 = job.sigmoid %6 : !job.blob<4xf32>
  %8 = job.erf_inv %7 : !job.blob<4xf32>
  %9 = job.pow %8, %one : !job.blob<4xf32>
  job.return %9 : !job.blob<4xf32>
}

// -----

// Only splats are computed at compile time.
// CHECK-LABEL: job.func @not_a_splat
// CHECK:         job.neg
// CHECK:         job.add
job.func @not_a_splat() -> (!job.blob<2xf32>, !job.blob<2xf32>) kind predict {
  %x = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = job.neg %x : !job.blob<2xf32>
  %1 = job.add %x, %x : !job.blob<2xf32>
  job.return %0, %1 : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

// Neutral elements of floats: x + -0, x - 0, x * 1, x / 1. A constant goes to
// the right of a commutative op.
// CHECK-LABEL: job.func @neutral(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
job.func @neutral(%x: !job.blob<4xf32>)
    -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>,
        !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %minus_zero = job.constant dense<-0.0> : tensor<4xf32>
  %zero = job.constant dense<0.0> : tensor<4xf32>
  %one = job.constant dense<1.0> : tensor<4xf32>
  %0 = job.add %x, %minus_zero : !job.blob<4xf32>
  %1 = job.add %minus_zero, %x : !job.blob<4xf32>
  %2 = job.sub %x, %zero : !job.blob<4xf32>
  %3 = job.mul %x, %one : !job.blob<4xf32>
  %4 = job.mul %one, %x : !job.blob<4xf32>
  %5 = job.div %x, %one : !job.blob<4xf32>
  job.return %0, %1, %2, %3, %4, %5 : !job.blob<4xf32>, !job.blob<4xf32>,
    !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// x = -0 is changed by + 0 and by - (-0), both of which give 0; 0 - x is not
// -x for x = 0.
// CHECK-LABEL: job.func @not_neutral(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = job.constant dense<0.000000e+00>
// CHECK-DAG:     %[[MINUS:.*]] = job.constant dense<-0.000000e+00>
// CHECK-DAG:     %[[ONE:.*]] = job.constant dense<1.000000e+00>
// CHECK:         job.add %[[X]], %[[ZERO]]
// CHECK-NEXT:    job.sub %[[X]], %[[MINUS]]
// CHECK-NEXT:    job.sub %[[ZERO]], %[[X]]
// CHECK-NEXT:    job.div %[[ONE]], %[[X]]
job.func @not_neutral(%x: !job.blob<4xf32>)
    -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %zero = job.constant dense<0.0> : tensor<4xf32>
  %minus_zero = job.constant dense<-0.0> : tensor<4xf32>
  %one = job.constant dense<1.0> : tensor<4xf32>
  %0 = job.add %x, %zero : !job.blob<4xf32>
  %1 = job.sub %x, %minus_zero : !job.blob<4xf32>
  %2 = job.sub %zero, %x : !job.blob<4xf32>
  %3 = job.div %one, %x : !job.blob<4xf32>
  job.return %0, %1, %2, %3 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// x may be NaN or infinite, so x * 0, 0 / x, x - x, x / x and x == x are not
// known.
// CHECK-LABEL: job.func @not_absorbing(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK:         job.mul %[[X]], %{{.*}}
// CHECK-NEXT:    job.div %{{.*}}, %[[X]]
// CHECK-NEXT:    job.sub %[[X]], %[[X]]
// CHECK-NEXT:    job.div %[[X]], %[[X]]
// CHECK-NEXT:    job.compare eq %[[X]], %[[X]]
job.func @not_absorbing(%x: !job.blob<4xf32>)
    -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xi1>) kind predict {
  %zero = job.constant dense<0.0> : tensor<4xf32>
  %0 = job.mul %x, %zero : !job.blob<4xf32>
  %1 = job.div %zero, %x : !job.blob<4xf32>
  %2 = job.sub %x, %x : !job.blob<4xf32>
  %3 = job.div %x, %x : !job.blob<4xf32>
  %4 = job.compare eq %x, %x : !job.blob<4xf32>
  job.return %0, %1, %2, %3, %4 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xi1>
}

// -----

// A partly neutral constant is not neutral.
// CHECK-LABEL: job.func @partly_neutral
// CHECK:         job.mul
job.func @partly_neutral(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %0 = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = job.mul %x, %0 : !job.blob<2xf32>
  job.return %1 : !job.blob<2xf32>
}

// -----

// Integers have one zero.
// CHECK-LABEL: job.func @neutral_integers(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xi32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]], %[[X]] :
job.func @neutral_integers(%x: !job.blob<4xi32>)
    -> (!job.blob<4xi32>, !job.blob<4xi32>, !job.blob<4xi32>) kind predict {
  %zero = job.constant dense<0> : tensor<4xi32>
  %one = job.constant dense<1> : tensor<4xi32>
  %0 = job.add %zero, %x : !job.blob<4xi32>
  %1 = job.sub %x, %zero : !job.blob<4xi32>
  %2 = job.mul %x, %one : !job.blob<4xi32>
  job.return %0, %1, %2 : !job.blob<4xi32>, !job.blob<4xi32>, !job.blob<4xi32>
}

// -----

// Each result is rounded once, to the type's precision: 0.1 + 0.2 in f32 is
// 0.3, in f64 it is not.
// CHECK-LABEL: job.func @rounding
// CHECK-DAG:     %[[F:.*]] = job.constant dense<3.000000e-01> : tensor<4xf32>
// CHECK-DAG:     %[[D:.*]] = job.constant dense<0.30000000000000004> : tensor<4xf64>
// CHECK:         job.return %[[F]], %[[D]] :
job.func @rounding() -> (!job.blob<4xf32>, !job.blob<4xf64>) kind predict {
  %0 = job.constant dense<0.1> : tensor<4xf32>
  %1 = job.constant dense<0.2> : tensor<4xf32>
  %2 = job.add %0, %1 : !job.blob<4xf32>
  %3 = job.constant dense<0.1> : tensor<4xf64>
  %4 = job.constant dense<0.2> : tensor<4xf64>
  %5 = job.add %3, %4 : !job.blob<4xf64>
  job.return %2, %5 : !job.blob<4xf32>, !job.blob<4xf64>
}

// -----

// CHECK-LABEL: job.func @binary_constants
// CHECK-DAG:     %[[SUB:.*]] = job.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[MUL:.*]] = job.constant dense<1.000000e+01> : tensor<4xf32>
// CHECK-DAG:     %[[DIV:.*]] = job.constant dense<2.500000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[MAX:.*]] = job.constant dense<5.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[MIN:.*]] = job.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK:         job.return %[[SUB]], %[[MUL]], %[[DIV]], %[[MAX]], %[[MIN]] :
job.func @binary_constants()
    -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %x = job.constant dense<5.0> : tensor<4xf32>
  %y = job.constant dense<2.0> : tensor<4xf32>
  %0 = job.sub %x, %y : !job.blob<4xf32>
  %1 = job.mul %x, %y : !job.blob<4xf32>
  %2 = job.div %x, %y : !job.blob<4xf32>
  %3 = job.maximum %x, %y : !job.blob<4xf32>
  %4 = job.minimum %x, %y : !job.blob<4xf32>
  job.return %0, %1, %2, %3, %4 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// A constant division by zero has the value of IEEE 754.
// CHECK-LABEL: job.func @division_by_zero
// CHECK-NEXT:    %[[INF:.*]] = job.constant dense<0x7F800000> : tensor<4xf32>
// CHECK-NEXT:    job.return %[[INF]]
job.func @division_by_zero() -> !job.blob<4xf32> kind predict {
  %x = job.constant dense<5.0> : tensor<4xf32>
  %y = job.constant dense<0.0> : tensor<4xf32>
  %0 = job.div %x, %y : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// -----

// Sums, differences and products wrap; comparisons are signed.
// CHECK-LABEL: job.func @integer_constants
// CHECK-DAG:     %[[ADD:.*]] = job.constant dense<-126> : tensor<4xi8>
// CHECK-DAG:     %[[SUB:.*]] = job.constant dense<124> : tensor<4xi8>
// CHECK-DAG:     %[[MUL:.*]] = job.constant dense<125> : tensor<4xi8>
// CHECK-DAG:     %[[BIG:.*]] = job.constant dense<127> : tensor<4xi8>
// CHECK-DAG:     %[[SMALL:.*]] = job.constant dense<-128> : tensor<4xi8>
// CHECK:         job.return %[[ADD]], %[[SUB]], %[[MUL]], %[[BIG]], %[[SMALL]] :
job.func @integer_constants()
    -> (!job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>) kind predict {
  %max = job.constant dense<127> : tensor<4xi8>
  %min = job.constant dense<-128> : tensor<4xi8>
  %three = job.constant dense<3> : tensor<4xi8>
  %four = job.constant dense<4> : tensor<4xi8>
  // 127 + 3 = 130 = 256 - 126
  %0 = job.add %max, %three : !job.blob<4xi8>
  // -128 - 4 = -132 = 124 - 256
  %1 = job.sub %min, %four : !job.blob<4xi8>
  // 127 * 3 = 381 = 125 + 256
  %2 = job.mul %max, %three : !job.blob<4xi8>
  %3 = job.maximum %max, %min : !job.blob<4xi8>
  %4 = job.minimum %max, %min : !job.blob<4xi8>
  job.return %0, %1, %2, %3, %4 : !job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>, !job.blob<4xi8>
}

// -----

// CHECK-LABEL: job.func @max_min_of_one(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]] :
job.func @max_min_of_one(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.maximum %x, %x : !job.blob<4xf32>
  %1 = job.minimum %x, %x : !job.blob<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// NaN wins on either side; 0 is above -0.
// CHECK-LABEL: job.func @max_min_edges
// CHECK-DAG:     %[[NAN:.*]] = job.constant dense<0x7FC00000> : tensor<4xf32>
// CHECK-DAG:     %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[MINUS:.*]] = job.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK:         job.return %[[NAN]], %[[NAN]], %[[ZERO]], %[[MINUS]] :
job.func @max_min_edges() -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %nan = job.constant dense<0x7FC00000> : tensor<4xf32>
  %zero = job.constant dense<0.0> : tensor<4xf32>
  %minus_zero = job.constant dense<-0.0> : tensor<4xf32>
  %0 = job.maximum %nan, %zero : !job.blob<4xf32>
  %1 = job.minimum %zero, %nan : !job.blob<4xf32>
  %2 = job.maximum %minus_zero, %zero : !job.blob<4xf32>
  %3 = job.minimum %zero, %minus_zero : !job.blob<4xf32>
  job.return %0, %1, %2, %3 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// CHECK-LABEL: job.func @select(
// CHECK-SAME:    %[[C:[^ ]*]]: !job.blob<4xi1>, %[[X:[^ ]*]]: !job.blob<4xf32>, %[[Y:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]], %[[Y]] :
job.func @select(%c: !job.blob<4xi1>, %x: !job.blob<4xf32>, %y: !job.blob<4xf32>)
    -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %true = job.constant dense<true> : tensor<4xi1>
  %false = job.constant dense<false> : tensor<4xi1>
  %0 = job.select %c, %x, %x : !job.blob<4xi1>, !job.blob<4xf32>
  %1 = job.select %true, %x, %y : !job.blob<4xi1>, !job.blob<4xf32>
  %2 = job.select %false, %x, %y : !job.blob<4xi1>, !job.blob<4xf32>
  job.return %0, %1, %2 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// CHECK-LABEL: job.func @select_mixed
// CHECK:         job.select
job.func @select_mixed(%x: !job.blob<2xf32>, %y: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %c = job.constant dense<[true, false]> : tensor<2xi1>
  %0 = job.select %c, %x, %y : !job.blob<2xi1>, !job.blob<2xf32>
  job.return %0 : !job.blob<2xf32>
}

// -----

// CHECK-LABEL: job.func @cast_to_itself(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @cast_to_itself(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.cast %x : !job.blob<4xf32> to !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// -----

// Not a round trip: the f32 in the middle drops digits.
// CHECK-LABEL: job.func @cast_back
// CHECK:         job.cast
// CHECK-NEXT:    job.cast
job.func @cast_back(%x: !job.blob<4xf64>) -> !job.blob<4xf64> kind predict {
  %0 = job.cast %x : !job.blob<4xf64> to !job.blob<4xf32>
  %1 = job.cast %0 : !job.blob<4xf32> to !job.blob<4xf64>
  job.return %1 : !job.blob<4xf64>
}

// -----

// What is widened and narrowed again is unchanged.
// CHECK-LABEL: job.func @cast_forth_and_back(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xbf16>
// CHECK-NEXT:    job.return %[[X]]
job.func @cast_forth_and_back(%x: !job.blob<4xbf16>) -> !job.blob<4xbf16> kind predict {
  %0 = job.cast %x : !job.blob<4xbf16> to !job.blob<4xf32>
  %1 = job.cast %0 : !job.blob<4xf32> to !job.blob<4xbf16>
  job.return %1 : !job.blob<4xbf16>
}

// Neither type holds the numbers of the other one.
// CHECK-LABEL: job.func @cast_between_narrow_types
// CHECK:         job.cast
// CHECK-NEXT:    job.cast
job.func @cast_between_narrow_types(%x: !job.blob<4xbf16>) -> !job.blob<4xbf16> kind predict {
  %0 = job.cast %x : !job.blob<4xbf16> to !job.blob<4xf16>
  %1 = job.cast %0 : !job.blob<4xf16> to !job.blob<4xbf16>
  job.return %1 : !job.blob<4xbf16>
}

// -----

// i1 holds 0 or 1, never -1; 2^24 + 1 rounds to even in f32; integers wrap.
// CHECK-LABEL: job.func @cast_constants
// CHECK-DAG:     %[[ONE_F:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[ONE_I:.*]] = job.constant dense<1> : tensor<4xi32>
// CHECK-DAG:     %[[EVEN:.*]] = job.constant dense<0x4B800000> : tensor<4xf32>
// CHECK-DAG:     %[[WRAPPED:.*]] = job.constant dense<1> : tensor<4xi8>
// CHECK-DAG:     %[[SIGNED:.*]] = job.constant dense<-1> : tensor<4xi64>
// CHECK-DAG:     %[[TRUE:.*]] = job.constant dense<true> : tensor<4xi1>
// CHECK-DAG:     %[[TENTH:.*]] = job.constant dense<1.000000e-01> : tensor<4xf32>
// CHECK:         job.return %[[ONE_F]], %[[ONE_I]], %[[EVEN]], %[[WRAPPED]], %[[SIGNED]], %[[TRUE]], %[[TENTH]] :
job.func @cast_constants()
    -> (!job.blob<4xf32>, !job.blob<4xi32>, !job.blob<4xf32>, !job.blob<4xi8>,
        !job.blob<4xi64>, !job.blob<4xi1>, !job.blob<4xf32>) kind predict {
  %true = job.constant dense<true> : tensor<4xi1>
  %odd = job.constant dense<16777217> : tensor<4xi32>
  %minus = job.constant dense<-1> : tensor<4xi8>
  %even = job.constant dense<256> : tensor<4xi32>
  %tenth = job.constant dense<0.1> : tensor<4xf64>
  %0 = job.cast %true : !job.blob<4xi1> to !job.blob<4xf32>
  %1 = job.cast %true : !job.blob<4xi1> to !job.blob<4xi32>
  %2 = job.cast %odd : !job.blob<4xi32> to !job.blob<4xf32>
  %3 = job.cast %odd : !job.blob<4xi32> to !job.blob<4xi8>
  %4 = job.cast %minus : !job.blob<4xi8> to !job.blob<4xi64>
  // Not the lowest bit, which is 0.
  %5 = job.cast %even : !job.blob<4xi32> to !job.blob<4xi1>
  %6 = job.cast %tenth : !job.blob<4xf64> to !job.blob<4xf32>
  job.return %0, %1, %2, %3, %4, %5, %6 : !job.blob<4xf32>, !job.blob<4xi32>, !job.blob<4xf32>,
    !job.blob<4xi8>, !job.blob<4xi64>, !job.blob<4xi1>, !job.blob<4xf32>
}

// -----

// Floats to integers saturate, which is left to the kernel.
// CHECK-LABEL: job.func @cast_float_to_integer
// CHECK:         job.cast
job.func @cast_float_to_integer() -> !job.blob<4xi32> kind predict {
  %0 = job.constant dense<1.0e+20> : tensor<4xf32>
  %1 = job.cast %0 : !job.blob<4xf32> to !job.blob<4xi32>
  job.return %1 : !job.blob<4xi32>
}

// -----

// CHECK-LABEL: job.func @not_of_not(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xi1>)
// CHECK-NEXT:    job.return %[[X]]
job.func @not_of_not(%x: !job.blob<4xi1>) -> !job.blob<4xi1> kind predict {
  %0 = job.logical_not %x : !job.blob<4xi1>
  %1 = job.logical_not %0 : !job.blob<4xi1>
  job.return %1 : !job.blob<4xi1>
}

// CHECK-LABEL: job.func @logical_with_itself(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xi1>)
// CHECK-NEXT:    job.return %[[X]], %[[X]] :
job.func @logical_with_itself(%x: !job.blob<4xi1>) -> (!job.blob<4xi1>, !job.blob<4xi1>) kind predict {
  %0 = job.logical_and %x, %x : !job.blob<4xi1>
  %1 = job.logical_or %x, %x : !job.blob<4xi1>
  job.return %0, %1 : !job.blob<4xi1>, !job.blob<4xi1>
}

// -----

// On either side.
// CHECK-LABEL: job.func @logical_with_constants(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xi1>)
// CHECK-DAG:     %[[TRUE:.*]] = job.constant dense<true> : tensor<4xi1>
// CHECK-DAG:     %[[FALSE:.*]] = job.constant dense<false> : tensor<4xi1>
// CHECK:         job.return %[[X]], %[[FALSE]], %[[TRUE]], %[[X]], %[[FALSE]] :
job.func @logical_with_constants(%x: !job.blob<4xi1>)
    -> (!job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>) kind predict {
  %true = job.constant dense<true> : tensor<4xi1>
  %false = job.constant dense<false> : tensor<4xi1>
  %0 = job.logical_and %true, %x : !job.blob<4xi1>
  %1 = job.logical_and %x, %false : !job.blob<4xi1>
  %2 = job.logical_or %true, %x : !job.blob<4xi1>
  %3 = job.logical_or %x, %false : !job.blob<4xi1>
  %4 = job.logical_not %true : !job.blob<4xi1>
  job.return %0, %1, %2, %3, %4 : !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>
}

// -----

// Constants that are no splats stay.
// CHECK-LABEL: job.func @logical_mixed
// CHECK:         job.logical_not
// CHECK:         job.logical_and
job.func @logical_mixed(%x: !job.blob<2xi1>) -> (!job.blob<2xi1>, !job.blob<2xi1>) kind predict {
  %c = job.constant dense<[true, false]> : tensor<2xi1>
  %0 = job.logical_not %c : !job.blob<2xi1>
  %1 = job.logical_and %x, %c : !job.blob<2xi1>
  job.return %0, %1 : !job.blob<2xi1>, !job.blob<2xi1>
}

// -----

// Functions that a kernel approximates are left to it.
// CHECK-LABEL: job.func @functions_stay
// CHECK:         job.erf
// CHECK:         job.expm1
job.func @functions_stay() -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.constant dense<0.5> : tensor<4xf32>
  %1 = job.erf %0 : !job.blob<4xf32>
  %2 = job.expm1 %0 : !job.blob<4xf32>
  job.return %1, %2 : !job.blob<4xf32>, !job.blob<4xf32>
}
