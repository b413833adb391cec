//===- SplitMaskedLoads.cpp - Parts of loads that no lane takes -----------===//

#include "SplitMaskedLoads.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

/// How deep the operands of a mask are looked at.
static constexpr unsigned kMaxDepth = 6;

static APInt getOffLanes(Value *mask, unsigned depth);

/// Of a shuffle's result.
static APInt getOffLanes(ShuffleVectorInst *shuffle, unsigned depth) {
  unsigned lanes = shuffle->getShuffleMask().size();
  unsigned half = cast<FixedVectorType>(shuffle->getOperand(0)->getType())
                      ->getNumElements();
  APInt first = getOffLanes(shuffle->getOperand(0), depth + 1);
  APInt second = getOffLanes(shuffle->getOperand(1), depth + 1);
  APInt off(lanes, 0);
  for (auto [lane, from] : enumerate(shuffle->getShuffleMask())) {
    if (from < 0)
      continue;
    unsigned source = from;
    if (source < half ? first[source] : second[source - half])
      off.setBit(lane);
  }
  return off;
}

/// The lanes of a mask that are certainly off, as bits.
static APInt getOffLanes(Value *mask, unsigned depth) {
  unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
  APInt off(lanes, 0);
  if (depth > kMaxDepth)
    return off;
  if (auto *constant = dyn_cast<Constant>(mask)) {
    for (unsigned lane : seq(lanes))
      if (Constant *element = constant->getAggregateElement(lane);
          element && element->isNullValue())
        off.setBit(lane);
    return off;
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(mask))
    return getOffLanes(shuffle, depth);
  Value *a, *b;
  if (match(mask, PatternMatch::m_LogicalAnd(PatternMatch::m_Value(a),
                                             PatternMatch::m_Value(b))) &&
      a->getType() == mask->getType() && b->getType() == mask->getType())
    return getOffLanes(a, depth + 1) | getOffLanes(b, depth + 1);
  if (auto *select = dyn_cast<SelectInst>(mask))
    return getOffLanes(select->getTrueValue(), depth + 1) &
           getOffLanes(select->getFalseValue(), depth + 1);
  if (match(mask, PatternMatch::m_Or(PatternMatch::m_Value(a),
                                     PatternMatch::m_Value(b))))
    return getOffLanes(a, depth + 1) & getOffLanes(b, depth + 1);
  return off;
}

/// The lanes [first, first + count) of a vector.
static Value *getPart(IRBuilder<> &builder, Value *vector, unsigned first,
                      unsigned count) {
  auto lanes = to_vector(seq<int>(first, first + count));
  return builder.CreateShuffleVector(vector, lanes);
}

static void splitLoad(IntrinsicInst *load, unsigned registerBits) {
  auto *type = cast<FixedVectorType>(load->getType());
  unsigned lanes = type->getNumElements();
  unsigned bits = type->getScalarSizeInBits();
  unsigned perPart = bits ? registerBits / bits : 0;
  if (perPart < 2 || lanes <= perPart || lanes % perPart != 0)
    return;
  Value *mask = load->getArgOperand(1), *other = load->getArgOperand(2);
  APInt off = getOffLanes(mask, 0);
  auto isOff = [&](unsigned first) {
    return off.extractBits(perPart, first).isAllOnes();
  };
  if (none_of(seq<unsigned>(0, lanes / perPart),
              [&](unsigned part) { return isOff(part * perPart); }))
    return;
  IRBuilder<> builder(load);
  auto *partType = FixedVectorType::get(type->getElementType(), perPart);
  Align align = load->getParamAlign(0).valueOrOne();
  Value *result = other;
  for (unsigned first = 0; first < lanes; first += perPart) {
    if (isOff(first))
      continue;
    Value *address = builder.CreateConstGEP1_64(type->getElementType(),
                                                load->getArgOperand(0), first);
    Value *part = builder.CreateMaskedLoad(
        partType, address, commonAlignment(align, first * (bits / 8)),
        getPart(builder, mask, first, perPart),
        getPart(builder, other, first, perPart));
    // All lanes of the result but those of the part.
    SmallVector<int> wide(lanes, -1);
    auto merged = to_vector(seq<int>(0, lanes));
    for (unsigned lane : seq(perPart)) {
      wide[lane] = lane;
      merged[first + lane] = lanes + lane;
    }
    result = builder.CreateShuffleVector(
        result, builder.CreateShuffleVector(part, wide), merged);
  }
  load->replaceAllUsesWith(result);
  load->eraseFromParent();
}

void mlir::job::splitMaskedLoads(Module &module, TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    unsigned bits =
        machine.getTargetTransformInfo(function)
            .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
            .getFixedValue();
    SmallVector<IntrinsicInst *> loads;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::masked_load)
        loads.push_back(call);
    for (IntrinsicInst *load : loads)
      splitLoad(load, bits);
  }
}
