// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// What every elementwise op computes; the expected values are numpy's.

// Zeros, infinities and NaN among them.
// expected-remark@+11 {{neg = [1.5, 0, -0, -0.25, -2, -inf, inf, nan]}}
// expected-remark@+10 {{abs = [1.5, 0, 0, 0.25, 2, inf, inf, nan]}}
// expected-remark@+9 {{exp = [0.2231302, 1, 1, 1.284025, 7.389056, inf, 0, nan]}}
// expected-remark@+8 {{log = [nan, -inf, -inf, -1.386294, 0.6931472, inf, nan, nan]}}
// expected-remark@+7 {{sqrt = [nan, -0, 0, 0.5, 1.414214, inf, nan, nan]}}
// expected-remark@+6 {{rsqrt = [nan, -inf, inf, 2, 0.7071068, 0, nan, nan]}}
// expected-remark@+5 {{cos = [0.0707372, 1, 1, 0.9689124, -0.4161468, nan, nan, nan]}}
// expected-remark@+4 {{sin = [-0.997495, -0, 0, 0.247404, 0.9092974, nan, nan, nan]}}
// expected-remark@+3 {{tanh = [-0.9051483, -0, 0, 0.2449187, 0.9640276, 1, -1, nan]}}
// expected-remark@+2 {{sigmoid = [0.1824255, 0.5, 0.5, 0.5621765, 0.8807971, 1, 0, nan]}}
// expected-remark@+1 {{relu = [0, 0, 0, 0.25, 2, inf, 0, nan]}}
job.func @unary_f32() -> (!job.blob<8xf32> {job.name = "neg"}, !job.blob<8xf32> {job.name = "abs"}, !job.blob<8xf32> {job.name = "exp"}, !job.blob<8xf32> {job.name = "log"}, !job.blob<8xf32> {job.name = "sqrt"}, !job.blob<8xf32> {job.name = "rsqrt"}, !job.blob<8xf32> {job.name = "cos"}, !job.blob<8xf32> {job.name = "sin"}, !job.blob<8xf32> {job.name = "tanh"}, !job.blob<8xf32> {job.name = "sigmoid"}, !job.blob<8xf32> {job.name = "relu"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.25, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %neg = job.neg %x : !job.blob<8xf32>
  %abs = job.abs %x : !job.blob<8xf32>
  %exp = job.exp %x : !job.blob<8xf32>
  %log = job.log %x : !job.blob<8xf32>
  %sqrt = job.sqrt %x : !job.blob<8xf32>
  %rsqrt = job.rsqrt %x : !job.blob<8xf32>
  %cos = job.cos %x : !job.blob<8xf32>
  %sin = job.sin %x : !job.blob<8xf32>
  %tanh = job.tanh %x : !job.blob<8xf32>
  %sigmoid = job.sigmoid %x : !job.blob<8xf32>
  %relu = job.relu %x : !job.blob<8xf32>
  job.return %neg, %abs, %exp, %log, %sqrt, %rsqrt, %cos, %sin, %tanh, %sigmoid, %relu : !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>
}

// expected-remark@+11 {{neg = [1.5, 0, -0, -0.25, -2, -inf, inf, nan]}}
// expected-remark@+10 {{abs = [1.5, 0, 0, 0.25, 2, inf, inf, nan]}}
// expected-remark@+9 {{exp = [0.2231302, 1, 1, 1.284025, 7.389056, inf, 0, nan]}}
// expected-remark@+8 {{log = [nan, -inf, -inf, -1.386294, 0.6931472, inf, nan, nan]}}
// expected-remark@+7 {{sqrt = [nan, -0, 0, 0.5, 1.414214, inf, nan, nan]}}
// expected-remark@+6 {{rsqrt = [nan, -inf, inf, 2, 0.7071068, 0, nan, nan]}}
// expected-remark@+5 {{cos = [0.0707372, 1, 1, 0.9689124, -0.4161468, nan, nan, nan]}}
// expected-remark@+4 {{sin = [-0.997495, -0, 0, 0.247404, 0.9092974, nan, nan, nan]}}
// expected-remark@+3 {{tanh = [-0.9051483, -0, 0, 0.2449187, 0.9640276, 1, -1, nan]}}
// expected-remark@+2 {{sigmoid = [0.1824255, 0.5, 0.5, 0.5621765, 0.8807971, 1, 0, nan]}}
// expected-remark@+1 {{relu = [0, 0, 0, 0.25, 2, inf, 0, nan]}}
job.func @unary_f64() -> (!job.blob<8xf64> {job.name = "neg"}, !job.blob<8xf64> {job.name = "abs"}, !job.blob<8xf64> {job.name = "exp"}, !job.blob<8xf64> {job.name = "log"}, !job.blob<8xf64> {job.name = "sqrt"}, !job.blob<8xf64> {job.name = "rsqrt"}, !job.blob<8xf64> {job.name = "cos"}, !job.blob<8xf64> {job.name = "sin"}, !job.blob<8xf64> {job.name = "tanh"}, !job.blob<8xf64> {job.name = "sigmoid"}, !job.blob<8xf64> {job.name = "relu"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.25, 2.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  %neg = job.neg %x : !job.blob<8xf64>
  %abs = job.abs %x : !job.blob<8xf64>
  %exp = job.exp %x : !job.blob<8xf64>
  %log = job.log %x : !job.blob<8xf64>
  %sqrt = job.sqrt %x : !job.blob<8xf64>
  %rsqrt = job.rsqrt %x : !job.blob<8xf64>
  %cos = job.cos %x : !job.blob<8xf64>
  %sin = job.sin %x : !job.blob<8xf64>
  %tanh = job.tanh %x : !job.blob<8xf64>
  %sigmoid = job.sigmoid %x : !job.blob<8xf64>
  %relu = job.relu %x : !job.blob<8xf64>
  job.return %neg, %abs, %exp, %log, %sqrt, %rsqrt, %cos, %sin, %tanh, %sigmoid, %relu : !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>, !job.blob<8xf64>
}

// Functions whose names say what they are for: results near 0 and far below it
// keep their precision.
// expected-remark@+8 {{erf = [-0.9661051, -0, 0, 0.5204999, 0.999593, -0.8427008, -1, 1, -1, nan]}}
// expected-remark@+7 {{gelu = [-0.1002108, -0, 0, 0.3457312, 2.484476, -0.1586553, -7.619853e-23, inf, -0, nan]}}
// expected-remark@+6 {{expm1 = [-0.7768698, -0, 0, 0.6487213, 11.18249, -0.6321206, -0.9999546, inf, -1, nan]}}
// expected-remark@+5 {{log1p = [nan, -0, 0, 0.4054651, 1.252763, -inf, nan, inf, nan, nan]}}
// expected-remark@+4 {{floor = [-2, -0, 0, 0, 2, -1, -10, inf, -inf, nan]}}
// expected-remark@+3 {{ceil = [-1, -0, 0, 1, 3, -1, -10, inf, -inf, nan]}}
// expected-remark@+2 {{round = [-2, -0, 0, 0, 2, -1, -10, inf, -inf, nan]}}
// expected-remark@+1 {{sign = [-1, -0, 0, 1, 1, -1, -1, 1, -1, nan]}}
job.func @functions_f32() -> (!job.blob<10xf32> {job.name = "erf"}, !job.blob<10xf32> {job.name = "gelu"}, !job.blob<10xf32> {job.name = "expm1"}, !job.blob<10xf32> {job.name = "log1p"}, !job.blob<10xf32> {job.name = "floor"}, !job.blob<10xf32> {job.name = "ceil"}, !job.blob<10xf32> {job.name = "round"}, !job.blob<10xf32> {job.name = "sign"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.5, 2.5, -1.0, -10.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<10xf32>
  %erf = job.erf %x : !job.blob<10xf32>
  %gelu = job.gelu %x : !job.blob<10xf32>
  %expm1 = job.expm1 %x : !job.blob<10xf32>
  %log1p = job.log1p %x : !job.blob<10xf32>
  %floor = job.floor %x : !job.blob<10xf32>
  %ceil = job.ceil %x : !job.blob<10xf32>
  %round = job.round %x : !job.blob<10xf32>
  %sign = job.sign %x : !job.blob<10xf32>
  job.return %erf, %gelu, %expm1, %log1p, %floor, %ceil, %round, %sign : !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>
}

// expected-remark@+8 {{erf = [-0.9661051, -0, 0, 0.5204999, 0.999593, -0.8427008, -1, 1, -1, nan]}}
// expected-remark@+7 {{gelu = [-0.1002108, -0, 0, 0.3457312, 2.484476, -0.1586553, -7.619853e-23, inf, -0, nan]}}
// expected-remark@+6 {{expm1 = [-0.7768698, -0, 0, 0.6487213, 11.18249, -0.6321206, -0.9999546, inf, -1, nan]}}
// expected-remark@+5 {{log1p = [nan, -0, 0, 0.4054651, 1.252763, -inf, nan, inf, nan, nan]}}
// expected-remark@+4 {{floor = [-2, -0, 0, 0, 2, -1, -10, inf, -inf, nan]}}
// expected-remark@+3 {{ceil = [-1, -0, 0, 1, 3, -1, -10, inf, -inf, nan]}}
// expected-remark@+2 {{round = [-2, -0, 0, 0, 2, -1, -10, inf, -inf, nan]}}
// expected-remark@+1 {{sign = [-1, -0, 0, 1, 1, -1, -1, 1, -1, nan]}}
job.func @functions_f64() -> (!job.blob<10xf64> {job.name = "erf"}, !job.blob<10xf64> {job.name = "gelu"}, !job.blob<10xf64> {job.name = "expm1"}, !job.blob<10xf64> {job.name = "log1p"}, !job.blob<10xf64> {job.name = "floor"}, !job.blob<10xf64> {job.name = "ceil"}, !job.blob<10xf64> {job.name = "round"}, !job.blob<10xf64> {job.name = "sign"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.5, 2.5, -1.0, -10.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %erf = job.erf %x : !job.blob<10xf64>
  %gelu = job.gelu %x : !job.blob<10xf64>
  %expm1 = job.expm1 %x : !job.blob<10xf64>
  %log1p = job.log1p %x : !job.blob<10xf64>
  %floor = job.floor %x : !job.blob<10xf64>
  %ceil = job.ceil %x : !job.blob<10xf64>
  %round = job.round %x : !job.blob<10xf64>
  %sign = job.sign %x : !job.blob<10xf64>
  job.return %erf, %gelu, %expm1, %log1p, %floor, %ceil, %round, %sign : !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>
}

// expected-remark@+4 {{erf = [1.128379e-10, -1.128379e-10, 1.128379e-300]}}
// expected-remark@+3 {{gelu = [5e-11, -5e-11, 5e-301]}}
// expected-remark@+2 {{expm1 = [1e-10, -1e-10, 1e-300]}}
// expected-remark@+1 {{log1p = [1e-10, -1e-10, 1e-300]}}
job.func @small_arguments() -> (!job.blob<3xf64> {job.name = "erf"}, !job.blob<3xf64> {job.name = "gelu"}, !job.blob<3xf64> {job.name = "expm1"}, !job.blob<3xf64> {job.name = "log1p"}) kind predict {
  %x = job.constant dense<[1.0e-10, -1.0e-10, 1.0e-300]> : tensor<3xf64>
  %erf = job.erf %x : !job.blob<3xf64>
  %gelu = job.gelu %x : !job.blob<3xf64>
  %expm1 = job.expm1 %x : !job.blob<3xf64>
  %log1p = job.log1p %x : !job.blob<3xf64>
  job.return %erf, %gelu, %expm1, %log1p : !job.blob<3xf64>, !job.blob<3xf64>, !job.blob<3xf64>, !job.blob<3xf64>
}

// expected-remark@+1 {{y = [-1, -1, 0, 1, 1]}}
job.func @sign_i8() -> (!job.blob<5xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %y = job.sign %x : !job.blob<5xi8>
  job.return %y : !job.blob<5xi8>
}

// expected-remark@+3 {{not = [0, 0, 1, 1]}}
// expected-remark@+2 {{and = [1, 0, 0, 0]}}
// expected-remark@+1 {{or = [1, 1, 1, 0]}}
job.func @logical() -> (!job.blob<4xi1> {job.name = "not"}, !job.blob<4xi1> {job.name = "and"}, !job.blob<4xi1> {job.name = "or"}) kind predict {
  %x = job.constant dense<[true, true, false, false]> : tensor<4xi1>
  %y = job.constant dense<[true, false, true, false]> : tensor<4xi1>
  %not = job.logical_not %x : !job.blob<4xi1>
  %and = job.logical_and %x, %y : !job.blob<4xi1>
  %or = job.logical_or %x, %y : !job.blob<4xi1>
  job.return %not, %and, %or : !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>
}

// expected-remark@+1 {{y = [-inf, -0.5, 0, 0.08885599, 1, inf, nan, nan]}}
job.func @erf_inv() -> (!job.blob<8xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-1.0, -0.5204998778130465, 0.0, 0.1, 0.8427007929497149, 1.0, 1.5, 0x7FF8000000000000]> : tensor<8xf64>
  %y = job.erf_inv %x : !job.blob<8xf64>
  job.return %y : !job.blob<8xf64>
}

// 0 is larger than -0; NaN wins.
// expected-remark@+6 {{add = [4, -1.5, 0, 0, nan, nan, inf, 0]}}
// expected-remark@+5 {{sub = [-2, -2.5, 0, -0, nan, nan, inf, 0]}}
// expected-remark@+4 {{mul = [3, -1, -0, -0, nan, nan, inf, 0]}}
// expected-remark@+3 {{div = [0.3333333, -4, nan, nan, nan, nan, inf, nan]}}
// expected-remark@+2 {{maximum = [3, 0.5, 0, 0, nan, nan, inf, 0]}}
// expected-remark@+1 {{minimum = [1, -2, -0, -0, nan, nan, 2, 0]}}
job.func @binary_f32() -> (!job.blob<8xf32> {job.name = "add"}, !job.blob<8xf32> {job.name = "sub"}, !job.blob<8xf32> {job.name = "mul"}, !job.blob<8xf32> {job.name = "div"}, !job.blob<8xf32> {job.name = "maximum"}, !job.blob<8xf32> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[1.0, -2.0, 0.0, -0.0, 0x7FC00000, 1.0, 0x7F800000, 0.0]> : tensor<8xf32>
  %y = job.constant dense<[3.0, 0.5, -0.0, 0.0, 1.0, 0x7FC00000, 2.0, 0.0]> : tensor<8xf32>
  %add = job.add %x, %y : !job.blob<8xf32>
  %sub = job.sub %x, %y : !job.blob<8xf32>
  %mul = job.mul %x, %y : !job.blob<8xf32>
  %div = job.div %x, %y : !job.blob<8xf32>
  %maximum = job.maximum %x, %y : !job.blob<8xf32>
  %minimum = job.minimum %x, %y : !job.blob<8xf32>
  job.return %add, %sub, %mul, %div, %maximum, %minimum : !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>
}

// Of negative numbers for integers only; as C has it at the limits.
// expected-remark@+1 {{z = [1024, 3, 16, 0, 4, -8, nan, nan, 1, 1, 1, 1, 1, -inf, inf]}}
job.func @pow() -> (!job.blob<15xf64> {job.name = "z"}) kind predict {
  %x = job.constant dense<[2.0, 9.0, 0.25, 0.0, -2.0, -2.0, -2.0, 0x7FF8000000000000, 1.0, 0.0, 0x7FF8000000000000, 1.0, -1.0, -0.0, 0xFFF0000000000000]> : tensor<15xf64>
  %y = job.constant dense<[10.0, 0.5, -2.0, 2.0, 2.0, 3.0, 0.5, 1.0, 0x7FF8000000000000, 0.0, 0.0, 0x7FF0000000000000, 0xFFF0000000000000, -1.0, 0.5]> : tensor<15xf64>
  %z = job.pow %x, %y : !job.blob<15xf64>
  job.return %z : !job.blob<15xf64>
}

// Overflow wraps.
// expected-remark@+7 {{neg = [-128, -127, 7, -5, 0]}}
// expected-remark@+6 {{abs = [-128, 127, 7, 5, 0]}}
// expected-remark@+5 {{add = [127, -128, -4, -124, -128]}}
// expected-remark@+4 {{sub = [-127, 126, -10, -122, -128]}}
// expected-remark@+3 {{mul = [-128, 127, -21, 123, 0]}}
// expected-remark@+2 {{maximum = [-1, 127, 3, 127, 0]}}
// expected-remark@+1 {{minimum = [-128, 1, -7, 5, -128]}}
job.func @integers_i8() -> (!job.blob<5xi8> {job.name = "neg"}, !job.blob<5xi8> {job.name = "abs"}, !job.blob<5xi8> {job.name = "add"}, !job.blob<5xi8> {job.name = "sub"}, !job.blob<5xi8> {job.name = "mul"}, !job.blob<5xi8> {job.name = "maximum"}, !job.blob<5xi8> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-128, 127, -7, 5, 0]> : tensor<5xi8>
  %y = job.constant dense<[-1, 1, 3, 127, -128]> : tensor<5xi8>
  %neg = job.neg %x : !job.blob<5xi8>
  %abs = job.abs %x : !job.blob<5xi8>
  %add = job.add %x, %y : !job.blob<5xi8>
  %sub = job.sub %x, %y : !job.blob<5xi8>
  %mul = job.mul %x, %y : !job.blob<5xi8>
  %maximum = job.maximum %x, %y : !job.blob<5xi8>
  %minimum = job.minimum %x, %y : !job.blob<5xi8>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<5xi8>, !job.blob<5xi8>, !job.blob<5xi8>, !job.blob<5xi8>, !job.blob<5xi8>, !job.blob<5xi8>, !job.blob<5xi8>
}

// expected-remark@+7 {{neg = [-2147483648, -2147483647, 7, -5, 0]}}
// expected-remark@+6 {{abs = [-2147483648, 2147483647, 7, 5, 0]}}
// expected-remark@+5 {{add = [2147483647, -2147483648, -4, -2147483644, -2147483648]}}
// expected-remark@+4 {{sub = [-2147483647, 2147483646, -10, -2147483642, -2147483648]}}
// expected-remark@+3 {{mul = [-2147483648, 2147483647, -21, 2147483643, 0]}}
// expected-remark@+2 {{maximum = [-1, 2147483647, 3, 2147483647, 0]}}
// expected-remark@+1 {{minimum = [-2147483648, 1, -7, 5, -2147483648]}}
job.func @integers_i32() -> (!job.blob<5xi32> {job.name = "neg"}, !job.blob<5xi32> {job.name = "abs"}, !job.blob<5xi32> {job.name = "add"}, !job.blob<5xi32> {job.name = "sub"}, !job.blob<5xi32> {job.name = "mul"}, !job.blob<5xi32> {job.name = "maximum"}, !job.blob<5xi32> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-2147483648, 2147483647, -7, 5, 0]> : tensor<5xi32>
  %y = job.constant dense<[-1, 1, 3, 2147483647, -2147483648]> : tensor<5xi32>
  %neg = job.neg %x : !job.blob<5xi32>
  %abs = job.abs %x : !job.blob<5xi32>
  %add = job.add %x, %y : !job.blob<5xi32>
  %sub = job.sub %x, %y : !job.blob<5xi32>
  %mul = job.mul %x, %y : !job.blob<5xi32>
  %maximum = job.maximum %x, %y : !job.blob<5xi32>
  %minimum = job.minimum %x, %y : !job.blob<5xi32>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<5xi32>, !job.blob<5xi32>, !job.blob<5xi32>, !job.blob<5xi32>, !job.blob<5xi32>, !job.blob<5xi32>, !job.blob<5xi32>
}

// expected-remark@+7 {{neg = [-9223372036854775808, -9223372036854775807, 7, -5, 0]}}
// expected-remark@+6 {{abs = [-9223372036854775808, 9223372036854775807, 7, 5, 0]}}
// expected-remark@+5 {{add = [9223372036854775807, -9223372036854775808, -4, -9223372036854775804, -9223372036854775808]}}
// expected-remark@+4 {{sub = [-9223372036854775807, 9223372036854775806, -10, -9223372036854775802, -9223372036854775808]}}
// expected-remark@+3 {{mul = [-9223372036854775808, 9223372036854775807, -21, 9223372036854775803, 0]}}
// expected-remark@+2 {{maximum = [-1, 9223372036854775807, 3, 9223372036854775807, 0]}}
// expected-remark@+1 {{minimum = [-9223372036854775808, 1, -7, 5, -9223372036854775808]}}
job.func @integers_i64() -> (!job.blob<5xi64> {job.name = "neg"}, !job.blob<5xi64> {job.name = "abs"}, !job.blob<5xi64> {job.name = "add"}, !job.blob<5xi64> {job.name = "sub"}, !job.blob<5xi64> {job.name = "mul"}, !job.blob<5xi64> {job.name = "maximum"}, !job.blob<5xi64> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, 9223372036854775807, -7, 5, 0]> : tensor<5xi64>
  %y = job.constant dense<[-1, 1, 3, 9223372036854775807, -9223372036854775808]> : tensor<5xi64>
  %neg = job.neg %x : !job.blob<5xi64>
  %abs = job.abs %x : !job.blob<5xi64>
  %add = job.add %x, %y : !job.blob<5xi64>
  %sub = job.sub %x, %y : !job.blob<5xi64>
  %mul = job.mul %x, %y : !job.blob<5xi64>
  %maximum = job.maximum %x, %y : !job.blob<5xi64>
  %minimum = job.minimum %x, %y : !job.blob<5xi64>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<5xi64>, !job.blob<5xi64>, !job.blob<5xi64>, !job.blob<5xi64>, !job.blob<5xi64>, !job.blob<5xi64>, !job.blob<5xi64>
}

// expected-remark@+6 {{eq = [0, 1, 0, 0, 0, 1]}}
// expected-remark@+5 {{ne = [1, 0, 1, 1, 1, 0]}}
// expected-remark@+4 {{lt = [1, 0, 0, 0, 0, 0]}}
// expected-remark@+3 {{le = [1, 1, 0, 0, 0, 1]}}
// expected-remark@+2 {{gt = [0, 0, 1, 0, 0, 0]}}
// expected-remark@+1 {{ge = [0, 1, 1, 0, 0, 1]}}
job.func @compare_f32() -> (!job.blob<6xi1> {job.name = "eq"}, !job.blob<6xi1> {job.name = "ne"}, !job.blob<6xi1> {job.name = "lt"}, !job.blob<6xi1> {job.name = "le"}, !job.blob<6xi1> {job.name = "gt"}, !job.blob<6xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, 3.0, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<6xf32>
  %y = job.constant dense<[2.0, 2.0, 2.0, 1.0, 0x7FC00000, -0.0]> : tensor<6xf32>
  %eq = job.compare eq %x, %y : !job.blob<6xf32>
  %ne = job.compare ne %x, %y : !job.blob<6xf32>
  %lt = job.compare lt %x, %y : !job.blob<6xf32>
  %le = job.compare le %x, %y : !job.blob<6xf32>
  %gt = job.compare gt %x, %y : !job.blob<6xf32>
  %ge = job.compare ge %x, %y : !job.blob<6xf32>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<6xi1>, !job.blob<6xi1>, !job.blob<6xi1>, !job.blob<6xi1>, !job.blob<6xi1>, !job.blob<6xi1>
}

// Exact where doubles are equal.
// expected-remark@+6 {{eq = [0, 1, 0]}}
// expected-remark@+5 {{ne = [1, 0, 1]}}
// expected-remark@+4 {{lt = [0, 0, 1]}}
// expected-remark@+3 {{le = [0, 1, 1]}}
// expected-remark@+2 {{gt = [1, 0, 0]}}
// expected-remark@+1 {{ge = [1, 1, 0]}}
job.func @compare_i64() -> (!job.blob<3xi1> {job.name = "eq"}, !job.blob<3xi1> {job.name = "ne"}, !job.blob<3xi1> {job.name = "lt"}, !job.blob<3xi1> {job.name = "le"}, !job.blob<3xi1> {job.name = "gt"}, !job.blob<3xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[9223372036854775807, -9223372036854775808, 5]> : tensor<3xi64>
  %y = job.constant dense<[9223372036854775806, -9223372036854775808, 6]> : tensor<3xi64>
  %eq = job.compare eq %x, %y : !job.blob<3xi64>
  %ne = job.compare ne %x, %y : !job.blob<3xi64>
  %lt = job.compare lt %x, %y : !job.blob<3xi64>
  %le = job.compare le %x, %y : !job.blob<3xi64>
  %gt = job.compare gt %x, %y : !job.blob<3xi64>
  %ge = job.compare ge %x, %y : !job.blob<3xi64>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<3xi1>, !job.blob<3xi1>, !job.blob<3xi1>, !job.blob<3xi1>, !job.blob<3xi1>, !job.blob<3xi1>
}

// expected-remark@+2 {{z = [1, -2, 3]}}
// expected-remark@+1 {{k = [1, 5, 3]}}
job.func @select() -> (!job.blob<3xf32> {job.name = "z"}, !job.blob<3xi8> {job.name = "k"}) kind predict {
  %c = job.constant dense<[true, false, true]> : tensor<3xi1>
  %x = job.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = job.constant dense<[-1.0, -2.0, -3.0]> : tensor<3xf32>
  %i = job.constant dense<[1, 2, 3]> : tensor<3xi8>
  %j = job.constant dense<[4, 5, 6]> : tensor<3xi8>
  %z = job.select %c, %x, %y : !job.blob<3xi1>, !job.blob<3xf32>
  %k = job.select %c, %i, %j : !job.blob<3xi1>, !job.blob<3xi8>
  job.return %z, %k : !job.blob<3xf32>, !job.blob<3xi8>
}

// The fraction is dropped, what is too large saturates, NaN gives 0.
// expected-remark@+4 {{i1 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}}
// expected-remark@+3 {{i8 = [-3, 0, 0, 2, 127, -128, 127, 127, 0, -128]}}
// expected-remark@+2 {{i32 = [-3, 0, 0, 2, 200, -200, 2147483647, 2147483647, 0, -2147483648]}}
// expected-remark@+1 {{i64 = [-3, 0, 0, 2, 200, -200, 10000000000, 9223372036854775807, 0, -9223372036854775808]}}
job.func @cast_from_f32() -> (!job.blob<10xi1> {job.name = "i1"}, !job.blob<10xi8> {job.name = "i8"}, !job.blob<10xi32> {job.name = "i32"}, !job.blob<10xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[-3.7, -0.5, 0.5, 2.5, 200.0, -200.0, 10000000000.0, 1.000000020e+20, 0x7FC00000, 0xFF800000]> : tensor<10xf32>
  %i1 = job.cast %x : !job.blob<10xf32> to !job.blob<10xi1>
  %i8 = job.cast %x : !job.blob<10xf32> to !job.blob<10xi8>
  %i32 = job.cast %x : !job.blob<10xf32> to !job.blob<10xi32>
  %i64 = job.cast %x : !job.blob<10xf32> to !job.blob<10xi64>
  job.return %i1, %i8, %i32, %i64 : !job.blob<10xi1>, !job.blob<10xi8>, !job.blob<10xi32>, !job.blob<10xi64>
}

// Integers wrap; f32 rounds to nearest even, and once.
// expected-remark@+6 {{i1 = [1, 1, 1, 1, 1, 1]}}
// expected-remark@+5 {{i8 = [0, 127, -128, 5, 1, 1]}}
// expected-remark@+4 {{i32 = [0, -129, 128, 5, 16777217, 536870913]}}
// expected-remark@+3 {{f32 = [-9.223372e+18, -129, 128, 4.294967e+09, 1.677722e+07, 9.0072e+15]}}
// expected-remark@+2 {{f64 = [-9.223372e+18, -129, 128, 4.294967e+09, 1.677722e+07, 9.0072e+15]}}
// expected-remark@+1 {{exact = [-9223372036854775808, -129, 128, 4294967296, 16777216, 9007200328482816]}}
job.func @cast_from_i64() -> (!job.blob<6xi1> {job.name = "i1"}, !job.blob<6xi8> {job.name = "i8"}, !job.blob<6xi32> {job.name = "i32"}, !job.blob<6xf32> {job.name = "f32"}, !job.blob<6xf64> {job.name = "f64"}, !job.blob<6xi64> {job.name = "exact"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, -129, 128, 4294967301, 16777217, 9007199791611905]> : tensor<6xi64>
  %i1 = job.cast %x : !job.blob<6xi64> to !job.blob<6xi1>
  %i8 = job.cast %x : !job.blob<6xi64> to !job.blob<6xi8>
  %i32 = job.cast %x : !job.blob<6xi64> to !job.blob<6xi32>
  %f32 = job.cast %x : !job.blob<6xi64> to !job.blob<6xf32>
  %f64 = job.cast %x : !job.blob<6xi64> to !job.blob<6xf64>
  %exact = job.cast %f32 : !job.blob<6xf32> to !job.blob<6xi64>
  job.return %i1, %i8, %i32, %f32, %f64, %exact : !job.blob<6xi1>, !job.blob<6xi8>, !job.blob<6xi32>, !job.blob<6xf32>, !job.blob<6xf64>, !job.blob<6xi64>
}

// expected-remark@+3 {{i8 = [1, 0]}}
// expected-remark@+2 {{i64 = [1, 0]}}
// expected-remark@+1 {{f32 = [1, 0]}}
job.func @cast_from_i1() -> (!job.blob<2xi8> {job.name = "i8"}, !job.blob<2xi64> {job.name = "i64"}, !job.blob<2xf32> {job.name = "f32"}) kind predict {
  %x = job.constant dense<[true, false]> : tensor<2xi1>
  %i8 = job.cast %x : !job.blob<2xi1> to !job.blob<2xi8>
  %i64 = job.cast %x : !job.blob<2xi1> to !job.blob<2xi64>
  %f32 = job.cast %x : !job.blob<2xi1> to !job.blob<2xf32>
  job.return %i8, %i64, %f32 : !job.blob<2xi8>, !job.blob<2xi64>, !job.blob<2xf32>
}

// The approximation of the gelu, and the derivatives of both, with their limits.
// expected-remark@+3 {{tanh = [-0.1004284, -0, 0, 0.345714, 2.484916, -0.158808, -1.204092e-37, inf, -0, nan]}}
// expected-remark@+2 {{slope = [-0.1274692, 0.5, 0.5, 0.8674951, 1.037611, -0.08331547, -7.6184e-22, 1, 0, nan]}}
// expected-remark@+1 {{tanh_slope = [-0.1277108, 0.5, 0.5, 0.8673699, 1.037952, -0.08296408, -2.757638e-36, 1, 0, nan]}}
job.func @gelus_f32() -> (!job.blob<10xf32> {job.name = "tanh"}, !job.blob<10xf32> {job.name = "slope"}, !job.blob<10xf32> {job.name = "tanh_slope"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.5, 2.5, -1.0, -10.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<10xf32>
  %one = job.constant dense<1.0> : tensor<10xf32>
  %tanh = job.gelu %x approximate tanh : !job.blob<10xf32>
  %slope = job.gelu_grad %one, %x : !job.blob<10xf32>
  %tanh_slope = job.gelu_grad %one, %x approximate tanh : !job.blob<10xf32>
  job.return %tanh, %slope, %tanh_slope : !job.blob<10xf32>, !job.blob<10xf32>, !job.blob<10xf32>
}

// The approximation of the gelu, and the derivatives of both, with their limits.
// expected-remark@+3 {{tanh = [-0.1004284, -0, 0, 0.345714, 2.484916, -0.158808, -1.204092e-37, inf, -0, nan]}}
// expected-remark@+2 {{slope = [-0.1274692, 0.5, 0.5, 0.8674951, 1.037611, -0.08331547, -7.6184e-22, 1, 0, nan]}}
// expected-remark@+1 {{tanh_slope = [-0.1277108, 0.5, 0.5, 0.8673699, 1.037952, -0.08296408, -2.757638e-36, 1, 0, nan]}}
job.func @gelus_f64() -> (!job.blob<10xf64> {job.name = "tanh"}, !job.blob<10xf64> {job.name = "slope"}, !job.blob<10xf64> {job.name = "tanh_slope"}) kind predict {
  %x = job.constant dense<[-1.5, -0.0, 0.0, 0.5, 2.5, -1.0, -10.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %one = job.constant dense<1.0> : tensor<10xf64>
  %tanh = job.gelu %x approximate tanh : !job.blob<10xf64>
  %slope = job.gelu_grad %one, %x : !job.blob<10xf64>
  %tanh_slope = job.gelu_grad %one, %x approximate tanh : !job.blob<10xf64>
  job.return %tanh, %slope, %tanh_slope : !job.blob<10xf64>, !job.blob<10xf64>, !job.blob<10xf64>
}

// expected-remark@+1 {{y = [-1.5, nan]}}
job.func @stop_gradient() -> (!job.blob<2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-1.5, 0x7FC00000]> : tensor<2xf32>
  %y = job.stop_gradient %x : !job.blob<2xf32>
  job.return %y : !job.blob<2xf32>
}
