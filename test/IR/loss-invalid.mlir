// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<6xf32>, %l: !job.blob<1xi32>) kind predict {
  // expected-error @below {{'job.sparse_softmax_cross_entropy' op expects logits of at least 2 dimensions but got '!job.blob<6xf32>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<6xf32>, !job.blob<1xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %l: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects labels of the shape of the logits without the last dimension but got '!job.blob<3xi32>' for '!job.blob<2x6xf32>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %l: !job.blob<2x1xi32>) kind predict {
  // expected-error @below {{expects labels of the shape of the logits without the last dimension but got '!job.blob<2x1xi32>' for '!job.blob<2x6xf32>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xf32>, !job.blob<2x1xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %l: !job.blob<2xf32>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers with a static shape, but got '!job.blob<2xf32>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xf32>, !job.blob<2xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %l: !job.blob<2xi1>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers with a static shape, but got '!job.blob<2xi1>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xf32>, !job.blob<2xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xi32>, %l: !job.blob<2xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<2x6xi32>'}}
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xi32>, !job.blob<2xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x1xf32>, %x: !job.blob<2x6xf32>, %l: !job.blob<2xi32>) kind predict {
  // expected-error @below {{'job.sparse_softmax_cross_entropy_grad' op expects a gradient of type '!job.blob<2xf32>' but got '!job.blob<2x1xf32>'}}
  %0 = job.sparse_softmax_cross_entropy_grad %g, %x, %l : !job.blob<2x1xf32>, !job.blob<2x6xf32>, !job.blob<2xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2xf64>, %x: !job.blob<2x6xf32>, %l: !job.blob<2xi32>) kind predict {
  // expected-error @below {{expects a gradient of type '!job.blob<2xf32>' but got '!job.blob<2xf64>'}}
  %0 = job.sparse_softmax_cross_entropy_grad %g, %x, %l : !job.blob<2xf64>, !job.blob<2x6xf32>, !job.blob<2xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2xf32>, %x: !job.blob<6xf32>, %l: !job.blob<2xi32>) kind predict {
  // expected-error @below {{'job.sparse_softmax_cross_entropy_grad' op expects logits of at least 2 dimensions but got '!job.blob<6xf32>'}}
  %0 = job.sparse_softmax_cross_entropy_grad %g, %x, %l : !job.blob<2xf32>, !job.blob<6xf32>, !job.blob<2xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2xf32>, %x: !job.blob<2x6xf32>, %l: !job.blob<6xi32>) kind predict {
  // expected-error @below {{expects labels of the shape of the logits without the last dimension but got '!job.blob<6xi32>' for '!job.blob<2x6xf32>'}}
  %0 = job.sparse_softmax_cross_entropy_grad %g, %x, %l : !job.blob<2xf32>, !job.blob<2x6xf32>, !job.blob<6xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2xf32>, %x: !job.blob<2x6xf32>, %l: !job.blob<2xi32>) kind predict {
  // expected-error @below {{failed to verify that all of {logits, result} have same type}}
  %0 = "job.sparse_softmax_cross_entropy_grad"(%g, %x, %l) : (!job.blob<2xf32>, !job.blob<2x6xf32>, !job.blob<2xi32>) -> !job.blob<2x5xf32>
  job.return
}
