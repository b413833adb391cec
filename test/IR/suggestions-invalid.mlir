// RUN: job-opt %s --split-input-file --verify-diagnostics

// Names that do not exist, with a note on a similar one of the same kind.

job.variable @weight : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @weigth(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{'job.read' op expects a variable but got @wieght, which is none}}
  // expected-note @below {{did you mean @weight instead of @wieght?}}
  %w = job.read @wieght : !job.blob<4xf32>
  job.return
}

// -----

// A job is no variable, and other names are not similar.
job.variable @bias : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @kernel(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{'job.assign' op expects a variable but got @kernels, which is none}}
  job.assign @kernels, %x : !job.blob<4xf32>
  job.return
}

// -----

// expected-error @below {{expects a kind of train, predict or init but got predcit}}
// expected-note @below {{did you mean predict instead of predcit?}}
job.func @f(%x: !job.blob<4xf32>) kind predcit {
  job.return
}

// -----

job.variable @scale : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
job.func @f() kind train {
  // expected-error @below {{expects @scales, a part of the loss scale, to be a variable}}
  // expected-note @below {{did you mean @scale instead of @scales?}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scales, good_steps = @steps, period = 2, multiplier = 2.0>}
  job.return
}

// -----

// Of two similar variables only one is trainable.
job.variable @v1 : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @v2 : !job.blob<1xf32> init #job.constant_init<1.0>
job.func @f() kind train {
  // expected-error @below {{expects a list of trainable variables but got @v, which is none}}
  // expected-note @below {{did you mean @v2 instead of @v?}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@v]}
  job.return
}

// -----

// expected-error @below {{expects a job.name, job.placement, job.sharding or job.observer of argument 0 but got "job.placment"}}
// expected-note @below {{did you mean job.placement instead of job.placment?}}
job.func @f(%x: !job.blob<4xf32> {job.placment = #job.placement<cpu, "0:0">}) kind predict {
  job.return
}
