// Loops over items that break a rule, and schedules that do not fit one.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan.executable(plan-generate-code))' --split-input-file --verify-diagnostics

plan.executable @kernel {
  // expected-error@+1 {{expects a body on memrefs to have an scf.parallel over its items}}
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    return
  }
}

// -----

plan.executable @kernel {
  // expected-error@+1 {{expects buffers of static shape but got 'memref<?xf32>'}}
  func.func @body(%x: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expects to be without side effects, outside of the loop over items}}
    %1 = memref.load %x[%c0] : memref<4xf32>
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    // expected-error@+1 {{expects no operation behind the loop over items}}
    %1 = memref.load %x[%c0] : memref<4xf32>
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expects one induction variable, from 0 in steps of 1 to a positive constant, and no results}}
    scf.parallel (%i) = (%c1) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expects one induction variable, from 0 in steps of 1 to a positive constant, and no results}}
    scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expects plan.operations to be a positive i64 but got 0 : i64}}
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    } {plan.operations = 0 : i64}
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{expects to have known effects in a body}}
      func.call @unknown() : () -> ()
    }
    return
  }
  func.func private @unknown()
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{expects no vectorize for a loop over items}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16]>)
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{expects distribute to name the loop over items, 0, but got 1}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [1, 2]>)
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{expects 4 chunks, as the schedule makes, but got 2}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 1]>) chunks(2)
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<100xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
      %0 = memref.load %x[%i] : memref<100xf32>
      memref.store %0, %x[%i] : memref<100xf32>
    }
    return
  }
  // expected-error@+1 {{expects at most 64 chunks but got 100}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 1]>)
}

// -----

plan.executable @kernel {
  // expected-error@+1 {{expects a body on memrefs to return nothing but got 1 results}}
  func.func @body(%x: memref<4xf32>) -> memref<4xf32> {
    return %x : memref<4xf32>
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{expects no tile for a loop over items}}
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [0, 8]>)
}

// -----

plan.executable @kernel {
  // expected-error@+1 {{expects a last buffer of type 'memref<64xi32>' for the status of the checks}}
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      plan.check %0 number 0 of 1 : f32
      memref.store %0, %x[%i] : memref<4xf32>
    }
    return
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 1]>)
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %f = memref.load %x[%i] : memref<4xf32>
      // expected-error@+1 {{'math.exp' op expects an operation of arith, or one of math that needs no function of a library, in the body of a kernel}}
      %0 = math.exp %f : f32
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{'arith.divui' op expects a divisor that cannot be 0 but got one of 0 to 3}}
      %0 = arith.divui %c4, %i : index
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{'memref.reinterpret_cast' op expects the 4 elements of its source at most but got one at 4}}
      %0 = memref.reinterpret_cast %x to offset: [1], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32, strided<[2, 1], offset: 1>>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{'memref.reinterpret_cast' op expects an offset, sizes and strides in a body that are constants and not negative}}
      %0 = memref.reinterpret_cast %x to offset: [%i], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.subview %x[0] [2] [2] : memref<4xf32> to memref<2xf32, strided<[2]>>
      // expected-error@+1 {{'memref.reinterpret_cast' op expects a dense source of static shape in a body but got 'memref<2xf32, strided<[2]>>'}}
      %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [3], strides: [1] : memref<2xf32, strided<[2]>> to memref<3xf32>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{'memref.cast' op expects views of a body to be memref.collapse_shape, memref.expand_shape, memref.reinterpret_cast or memref.subview}}
      %0 = memref.cast %x : memref<4xf32> to memref<?xf32>
    }
    return
  }
}

// -----

plan.executable @kernel {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-error@+1 {{expects effects on memrefs only in a body}}
      cf.assert %true, "what a step cannot report"
    }
    return
  }
}
