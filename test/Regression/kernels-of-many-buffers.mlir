// A kernel may have more buffers than fit into 4 kB of parameters.
//
// RUN: %python -c "n = 600; args = ', '.join(f'%%a{i}: !job.blob<4xf32>' for i in range(n)); names = ', '.join(f'%%a{i}' for i in range(n)); types = ', '.join(['!job.blob<4xf32>'] * n); print(f'job.func @f({args}) -> !job.blob<{4 * n}xf32> kind predict {{\n  %%y = job.concat {names} {{axis = 0 : i64}} : {types}\n  job.return %%y : !job.blob<{4 * n}xf32>\n}}')" > %t.mlir
// RUN: job-compile %t.mlir -o %t.so --gpu-target=simulated,sm_80,sm_90,sm_100
// RUN: job-run %t.so --list | FileCheck %s
// RUN: env JOBMLIR_CUDA_LIBRARY=%build/lib/libjobsim_cuda.so job-run %t.so --entry f --json --output %t.gpu --device cuda | FileCheck %s --check-prefix=RUNS
// CHECK: predict f
// CHECK: code for simulated, sm_80, sm_90, sm_100
// RUNS: "device":"cuda"
