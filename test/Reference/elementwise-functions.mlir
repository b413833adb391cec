// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// Trigonometric and hyperbolic functions, their inverse ones, the error function's
// complement, the logarithm of the gamma function, and divisions that round down.
// The expected values are Python's, those of digamma mpmath's.

// expected-remark@+12 {{of_tan = [0.7470223, -1.557408, -0, 0, 0.2553419, 1.557408, -0.1425465, nan, nan, nan]}}
// expected-remark@+11 {{of_acos = [nan, 3.141593, 1.570796, 1.570796, 1.318116, 0, nan, nan, nan, nan]}}
// expected-remark@+10 {{of_asin = [nan, -1.570796, -0, 0, 0.2526803, 1.570796, nan, nan, nan, nan]}}
// expected-remark@+9 {{of_atan = [-1.19029, -0.7853982, -0, 0, 0.2449787, 0.7853982, 1.249046, 1.570796, -1.570796, nan]}}
// expected-remark@+8 {{of_cosh = [6.132289, 1.543081, 1, 1, 1.031413, 1.543081, 10.06766, inf, inf, nan]}}
// expected-remark@+7 {{of_sinh = [-6.050204, -1.175201, -0, 0, 0.2526123, 1.175201, 10.01787, inf, -inf, nan]}}
// expected-remark@+6 {{of_acosh = [nan, nan, nan, nan, nan, 0, 1.762747, inf, nan, nan]}}
// expected-remark@+5 {{of_asinh = [-1.647231, -0.8813736, -0, 0, 0.2474665, 0.8813736, 1.818446, inf, -inf, nan]}}
// expected-remark@+4 {{of_atanh = [nan, -inf, -0, 0, 0.2554128, inf, nan, nan, nan, nan]}}
// expected-remark@+3 {{of_erfc = [1.999593, 1.842701, 1, 1, 0.7236736, 0.1572992, 2.20905e-05, 0, 2, nan]}}
// expected-remark@+2 {{of_lgamma = [-0.05624372, inf, inf, inf, 1.288023, 0, 0.6931472, inf, inf, nan]}}
// expected-remark@+1 {{of_digamma = [1.103157, nan, nan, nan, -4.227454, -0.5772157, 0.9227843, inf, nan, nan]}}
job.func @functions_f32() -> (!job.blob<10xf32> {job.name = "of_tan"}, !job.blob<10xf32> {job.name = "of_acos"}, !job.blob<10xf32> {job.name = "of_asin"}, !job.blob<10xf32> {job.name = "of_atan"}, !job.blob<10xf32> {job.name = "of_cosh"}, !job.blob<10xf32> {job.name = "of_sinh"}, !job.blob<10xf32> {job.name = "of_acosh"}, !job.blob<10xf32> {job.name = "of_asinh"}, !job.blob<10xf32> {job.name = "of_atanh"}, !job.blob<10xf32> {job.name = "of_erfc"}, !job.blob<10xf32> {job.name = "of_lgamma"}, !job.blob<10xf32> {job.name = "of_digamma"}) kind predict {
  %x = job.constant dense<[-2.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<10xf32>
  %tan = job.tan %x : !job.blob<10xf32>
  %acos = job.acos %x : !job.blob<10xf32>
  %asin = job.asin %x : !job.blob<10xf32>
  %atan = job.atan %x : !job.blob<10xf32>
  %cosh = job.cosh %x : !job.blob<10xf32>
  %sinh = job.sinh %x : !job.blob<10xf32>
  %acosh = job.acosh %x : !job.blob<10xf32>
  %asinh = job.asinh %x : !job.blob<10xf32>
  %atanh = job.atanh %x : !job.blob<10xf32>
  %erfc = job.erfc %x : !job.blob<10xf32>
  %lgamma = job.lgamma %x : !job.blob<10xf32>
  %digamma = job.digamma %x : !job.blob<10xf32>
  job.return %tan, %acos, %asin, %atan, %cosh, %sinh, %acosh, %asinh, %atanh, %erfc, %lgamma, %digamma : !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>
}

// expected-remark@+12 {{of_tan = [0.7470223, -1.557408, -0, 0, 0.2553419, 1.557408, -0.1425465, nan, nan, nan]}}
// expected-remark@+11 {{of_acos = [nan, 3.141593, 1.570796, 1.570796, 1.318116, 0, nan, nan, nan, nan]}}
// expected-remark@+10 {{of_asin = [nan, -1.570796, -0, 0, 0.2526803, 1.570796, nan, nan, nan, nan]}}
// expected-remark@+9 {{of_atan = [-1.19029, -0.7853982, -0, 0, 0.2449787, 0.7853982, 1.249046, 1.570796, -1.570796, nan]}}
// expected-remark@+8 {{of_cosh = [6.132289, 1.543081, 1, 1, 1.031413, 1.543081, 10.06766, inf, inf, nan]}}
// expected-remark@+7 {{of_sinh = [-6.050204, -1.175201, -0, 0, 0.2526123, 1.175201, 10.01787, inf, -inf, nan]}}
// expected-remark@+6 {{of_acosh = [nan, nan, nan, nan, nan, 0, 1.762747, inf, nan, nan]}}
// expected-remark@+5 {{of_asinh = [-1.647231, -0.8813736, -0, 0, 0.2474665, 0.8813736, 1.818446, inf, -inf, nan]}}
// expected-remark@+4 {{of_atanh = [nan, -inf, -0, 0, 0.2554128, inf, nan, nan, nan, nan]}}
// expected-remark@+3 {{of_erfc = [1.999593, 1.842701, 1, 1, 0.7236736, 0.1572992, 2.20905e-05, 0, 2, nan]}}
// expected-remark@+2 {{of_lgamma = [-0.05624372, inf, inf, inf, 1.288023, 0, 0.6931472, inf, inf, nan]}}
// expected-remark@+1 {{of_digamma = [1.103157, nan, nan, nan, -4.227454, -0.5772157, 0.9227843, inf, nan, nan]}}
job.func @functions_f64() -> (!job.blob<10xf64> {job.name = "of_tan"}, !job.blob<10xf64> {job.name = "of_acos"}, !job.blob<10xf64> {job.name = "of_asin"}, !job.blob<10xf64> {job.name = "of_atan"}, !job.blob<10xf64> {job.name = "of_cosh"}, !job.blob<10xf64> {job.name = "of_sinh"}, !job.blob<10xf64> {job.name = "of_acosh"}, !job.blob<10xf64> {job.name = "of_asinh"}, !job.blob<10xf64> {job.name = "of_atanh"}, !job.blob<10xf64> {job.name = "of_erfc"}, !job.blob<10xf64> {job.name = "of_lgamma"}, !job.blob<10xf64> {job.name = "of_digamma"}) kind predict {
  %x = job.constant dense<[-2.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %tan = job.tan %x : !job.blob<10xf64>
  %acos = job.acos %x : !job.blob<10xf64>
  %asin = job.asin %x : !job.blob<10xf64>
  %atan = job.atan %x : !job.blob<10xf64>
  %cosh = job.cosh %x : !job.blob<10xf64>
  %sinh = job.sinh %x : !job.blob<10xf64>
  %acosh = job.acosh %x : !job.blob<10xf64>
  %asinh = job.asinh %x : !job.blob<10xf64>
  %atanh = job.atanh %x : !job.blob<10xf64>
  %erfc = job.erfc %x : !job.blob<10xf64>
  %lgamma = job.lgamma %x : !job.blob<10xf64>
  %digamma = job.digamma %x : !job.blob<10xf64>
  job.return %tan, %acos, %asin, %atan, %cosh, %sinh, %acosh, %asinh, %atanh, %erfc, %lgamma, %digamma : !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>
}

// expected-remark@+7 {{of_tan = [1e-10, -1e-300]}}
// expected-remark@+6 {{of_asin = [1e-10, -1e-300]}}
// expected-remark@+5 {{of_atan = [1e-10, -1e-300]}}
// expected-remark@+4 {{of_sinh = [1e-10, -1e-300]}}
// expected-remark@+3 {{of_asinh = [1e-10, -1e-300]}}
// expected-remark@+2 {{of_atanh = [1e-10, -1e-300]}}
// expected-remark@+1 {{of_lgamma = [23.02585, 690.7755]}}
job.func @near_zero() -> (!job.blob<2xf64> {job.name = "of_tan"}, !job.blob<2xf64> {job.name = "of_asin"}, !job.blob<2xf64> {job.name = "of_atan"}, !job.blob<2xf64> {job.name = "of_sinh"}, !job.blob<2xf64> {job.name = "of_asinh"}, !job.blob<2xf64> {job.name = "of_atanh"}, !job.blob<2xf64> {job.name = "of_lgamma"}) kind predict {
  %x = job.constant dense<[1.0e-10, -1.0e-300]> : tensor<2xf64>
  %tan = job.tan %x : !job.blob<2xf64>
  %asin = job.asin %x : !job.blob<2xf64>
  %atan = job.atan %x : !job.blob<2xf64>
  %sinh = job.sinh %x : !job.blob<2xf64>
  %asinh = job.asinh %x : !job.blob<2xf64>
  %atanh = job.atanh %x : !job.blob<2xf64>
  %lgamma = job.lgamma %x : !job.blob<2xf64>
  job.return %tan, %asin, %atan, %sinh, %asinh, %atanh, %lgamma : !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>
}

// expected-remark@+1 {{of_acosh = [1.348699e-06, 0.9624237]}}
job.func @near_one() -> (!job.blob<2xf64> {job.name = "of_acosh"}) kind predict {
  %x = job.constant dense<[1.0000000000009095, 1.5]> : tensor<2xf64>
  %acosh = job.acosh %x : !job.blob<2xf64>
  job.return %acosh : !job.blob<2xf64>
}

// expected-remark@+3 {{of_acos = [1.348699e-06, 3.141591]}}
// expected-remark@+2 {{of_asin = [1.570795, -1.570795]}}
// expected-remark@+1 {{of_atanh = [14.20952, -14.20952]}}
job.func @near_one_inside() -> (!job.blob<2xf64> {job.name = "of_acos"}, !job.blob<2xf64> {job.name = "of_asin"}, !job.blob<2xf64> {job.name = "of_atanh"}) kind predict {
  %x = job.constant dense<[0.9999999999990905, -0.9999999999990905]> : tensor<2xf64>
  %acos = job.acos %x : !job.blob<2xf64>
  %asin = job.asin %x : !job.blob<2xf64>
  %atanh = job.atanh %x : !job.blob<2xf64>
  job.return %acos, %asin, %atanh : !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>
}

// expected-remark@+4 {{of_asinh = [691.4687, -691.4687]}}
// expected-remark@+3 {{of_acosh = [691.4687, nan]}}
// expected-remark@+2 {{of_atan = [1.570796, -1.570796]}}
// expected-remark@+1 {{of_erfc = [0, 2]}}
job.func @large() -> (!job.blob<2xf64> {job.name = "of_asinh"}, !job.blob<2xf64> {job.name = "of_acosh"}, !job.blob<2xf64> {job.name = "of_atan"}, !job.blob<2xf64> {job.name = "of_erfc"}) kind predict {
  %x = job.constant dense<[1.0e+300, -1.0e+300]> : tensor<2xf64>
  %asinh = job.asinh %x : !job.blob<2xf64>
  %acosh = job.acosh %x : !job.blob<2xf64>
  %atan = job.atan %x : !job.blob<2xf64>
  %erfc = job.erfc %x : !job.blob<2xf64>
  job.return %asinh, %acosh, %atan, %erfc : !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>, !job.blob<2xf64>
}

// expected-remark@+3 {{of_erfc = [5.395866e-176, 5.663192e-296, 2]}}
// expected-remark@+2 {{of_lgamma = [39.33988, 58.00361, -4.517832]}}
// expected-remark@+1 {{of_digamma = [2.970524, 3.238743, 1.792911]}}
job.func @far() -> (!job.blob<3xf64> {job.name = "of_erfc"}, !job.blob<3xf64> {job.name = "of_lgamma"}, !job.blob<3xf64> {job.name = "of_digamma"}) kind predict {
  %x = job.constant dense<[20.0, 26.0, -5.5]> : tensor<3xf64>
  %erfc = job.erfc %x : !job.blob<3xf64>
  %lgamma = job.lgamma %x : !job.blob<3xf64>
  %digamma = job.digamma %x : !job.blob<3xf64>
  job.return %erfc, %lgamma, %digamma : !job.blob<3xf64>, !job.blob<3xf64>, !job.blob<3xf64>
}

// expected-remark@+2 {{of_lgamma = [1.265512, 0.860047, -14.204, -365.7085]}}
// expected-remark@+1 {{of_digamma = [0.03648997, 0.7031566, 5.516858, 1.476004]}}
job.func @negative() -> (!job.blob<4xf64> {job.name = "of_lgamma"}, !job.blob<4xf64> {job.name = "of_digamma"}) kind predict {
  %x = job.constant dense<[-0.5, -1.5, -10.25, -100.75]> : tensor<4xf64>
  %lgamma = job.lgamma %x : !job.blob<4xf64>
  %digamma = job.digamma %x : !job.blob<4xf64>
  job.return %lgamma, %digamma : !job.blob<4xf64>, !job.blob<4xf64>
}

// expected-remark@+2 {{of_floor_div = [2, -3, -3, 2, 9, -3, -0, 3.333333e+15, 0, -1, inf, nan, nan, nan]}}
// expected-remark@+1 {{of_mod = [1, 2, -2, -1, 0.09999999, -0, 0, 2, 3, inf, nan, nan, nan, nan]}}
job.func @division_f32() -> (!job.blob<14xf32> {job.name = "of_floor_div"}, !job.blob<14xf32> {job.name = "of_mod"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 1.0000000272564224e+16, 3.0, -3.0, 5.0, 0x7F800000, 0x7FC00000, 0.0]> : tensor<14xf32>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.10000000149011612, -2.0, 4.0, 3.0, 0x7F800000, 0x7F800000, 0.0, 2.0, 1.0, 0.0]> : tensor<14xf32>
  %floor_div = job.floor_div %x, %y : !job.blob<14xf32>
  %mod = job.mod %x, %y : !job.blob<14xf32>
  job.return %floor_div, %mod : !job.blob<14xf32>, !job.blob<14xf32>
}

// expected-remark@+2 {{of_floor_div = [2, -3, -3, 2, 9, -3, -0, 3.333333e+15, 0, -1, inf, nan, nan, nan]}}
// expected-remark@+1 {{of_mod = [1, 2, -2, -1, 0.1, -0, 0, 1, 3, inf, nan, nan, nan, nan]}}
job.func @division_f64() -> (!job.blob<14xf64> {job.name = "of_floor_div"}, !job.blob<14xf64> {job.name = "of_mod"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 1.0e+16, 3.0, -3.0, 5.0, 0x7FF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<14xf64>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.1, -2.0, 4.0, 3.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 2.0, 1.0, 0.0]> : tensor<14xf64>
  %floor_div = job.floor_div %x, %y : !job.blob<14xf64>
  %mod = job.mod %x, %y : !job.blob<14xf64>
  job.return %floor_div, %mod : !job.blob<14xf64>, !job.blob<14xf64>
}

// expected-remark@+2 {{of_floor_div = [2, -3, -3, 2, -3, -128, -43, 1, -1, 0]}}
// expected-remark@+1 {{of_mod = [1, 2, -2, -1, 0, 0, 1, 0, -1, 0]}}
job.func @division_i8() -> (!job.blob<10xi8> {job.name = "of_floor_div"}, !job.blob<10xi8> {job.name = "of_mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -128, -128, -128, 127, 5]> : tensor<10xi8>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -128, -128, 0]> : tensor<10xi8>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi8>
  %mod = job.mod %x, %y : !job.blob<10xi8>
  job.return %floor_div, %mod : !job.blob<10xi8>, !job.blob<10xi8>
}

// expected-remark@+2 {{of_floor_div = [2, -3, -3, 2, -3, -2147483648, -715827883, 1, -1, 0]}}
// expected-remark@+1 {{of_mod = [1, 2, -2, -1, 0, 0, 1, 0, -1, 0]}}
job.func @division_i32() -> (!job.blob<10xi32> {job.name = "of_floor_div"}, !job.blob<10xi32> {job.name = "of_mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -2147483648, -2147483648, -2147483648, 2147483647, 5]> : tensor<10xi32>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -2147483648, -2147483648, 0]> : tensor<10xi32>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi32>
  %mod = job.mod %x, %y : !job.blob<10xi32>
  job.return %floor_div, %mod : !job.blob<10xi32>, !job.blob<10xi32>
}

// expected-remark@+2 {{of_floor_div = [2, -3, -3, 2, -3, -9223372036854775808, -3074457345618258603, 1, -1, 0]}}
// expected-remark@+1 {{of_mod = [1, 2, -2, -1, 0, 0, 1, 0, -1, 0]}}
job.func @division_i64() -> (!job.blob<10xi64> {job.name = "of_floor_div"}, !job.blob<10xi64> {job.name = "of_mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 5]> : tensor<10xi64>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -9223372036854775808, -9223372036854775808, 0]> : tensor<10xi64>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi64>
  %mod = job.mod %x, %y : !job.blob<10xi64>
  job.return %floor_div, %mod : !job.blob<10xi64>, !job.blob<10xi64>
}

// expected-remark@+1 {{of_atan2 = [0, 3.141593, -0, -3.141593, 1.570796, -1.570796, 2.356194, -2.677945, 1.405648, 0.7853982, -2.356194, 1.570796, 0, 3.141593, -3.141593, nan, nan, 0.7853982, 3.141593]}}
job.func @atan2() -> (!job.blob<19xf64> {job.name = "of_atan2"}) kind predict {
  %x = job.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 1.0, 1.0, -1.0, 0x7FF8000000000000, 1.0, 1.7e+308, 1.0e-300]> : tensor<19xf64>
  %y = job.constant dense<[0.0, -0.0, 0.0, -0.0, 0.0, -0.0, -1.0, -2.0, 0.5, 0x7FF0000000000000, 0xFFF0000000000000, 1.0, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 1.0, 0x7FF8000000000000, 1.7e+308, -1.0e+300]> : tensor<19xf64>
  %atan2 = job.atan2 %x, %y : !job.blob<19xf64>
  job.return %atan2 : !job.blob<19xf64>
}
