//===- StridedReadOpInterface.td - Elements elsewhere ------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def StridedReadOpInterface : OpInterface<"StridedReadOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with one operand and one result that computes nothing: the result is
    the operand read at other places. Inside of a kernel such an op costs
    nothing; each kernel that needs one has its own copy.
  }];
  let methods = [
    InterfaceMethod<[{
      The element `(i_0, i_1, ...)` of the result is the operand's element
      `offset + sum of strides[d] * i_d`, counted in row-major order.
    }], "::mlir::job::StridedRead", "getStridedRead">
  ];
}

#endif // JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD
