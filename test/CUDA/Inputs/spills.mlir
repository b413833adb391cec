// A division in f64, which is a function with a stack in ptxas.
job.func @quotient(%x: !job.blob<105xf64>, %y: !job.blob<105xf64>) -> !job.blob<105xf64> kind predict {
  %0 = job.div %x, %y : !job.blob<105xf64>
  job.return %0 : !job.blob<105xf64>
}
