//===- PlanCollectives.cpp - What several ranks do together ---------------===//

#include "Effects.h"

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/JSON.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/Suggestions.h"

using namespace mlir;
using namespace mlir::plan;
namespace json = llvm::json;

void CollectiveOp::getEffects(Effects &effects) {
  // Other ranks wait for it: it is not to be removed.
  effects.emplace_back(MemoryEffects::Write::get());
  addBufferEffects(*this, effects);
}

static bool isReduced(CollectiveKind kind) {
  return kind == CollectiveKind::AllReduce ||
         kind == CollectiveKind::ReduceScatter;
}

static bool isPeerToPeer(CollectiveKind kind) {
  return kind == CollectiveKind::Send || kind == CollectiveKind::Recv;
}

Value CollectiveOp::getSent() {
  if (!getInouts().empty())
    return getInouts().front();
  return getIns().empty() ? Value() : getIns().front();
}

Value CollectiveOp::getReceived() {
  if (!getInouts().empty())
    return getInouts().front();
  return getOuts().empty() ? Value() : getOuts().front();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that an attribute is there for the collectives that need it only.
static LogicalResult verifyAttribute(CollectiveOp op, StringRef name,
                                     bool isThere, bool isNeeded) {
  if (isThere == isNeeded)
    return success();
  return op.emitOpError() << "expects " << (isNeeded ? "a " : "no ") << name
                          << " for " << stringifyCollectiveKind(op.getKind())
                          << " but got " << (isThere ? "one" : "none");
}

static LogicalResult verifyBuffers(CollectiveOp op) {
  CollectiveKind kind = op.getKind();
  size_t ins = op.getIns().size(), inouts = op.getInouts().size(),
         outs = op.getOuts().size();
  StringRef expected = "one buffer in ins and one in outs, or one in inouts";
  bool isRight = (ins == 1 && inouts == 0 && outs == 1) ||
                 (ins == 0 && inouts == 1 && outs == 0);
  if (kind == CollectiveKind::Send) {
    expected = "one buffer in ins";
    isRight = ins == 1 && inouts == 0 && outs == 0;
  } else if (kind == CollectiveKind::Recv) {
    expected = "one buffer in outs";
    isRight = ins == 0 && inouts == 0 && outs == 1;
  }
  if (isRight)
    return success();
  return op.emitOpError() << "expects " << expected << " for "
                          << stringifyCollectiveKind(kind) << " but got " << ins
                          << " in ins, " << inouts << " in inouts and " << outs
                          << " in outs";
}

static LogicalResult verifyElements(CollectiveOp op) {
  Type element;
  for (Type type : op.getOperandTypes()) {
    Type other = cast<MemRefType>(type).getElementType();
    if (other.isInteger(1))
      return op.emitOpError("expects numbers but got i1");
    if (element && element != other)
      return op.emitOpError() << "expects buffers of one element type but got "
                              << element << " and " << other;
    element = other;
  }
  if (op.getReduction() == Reduction::Avg && !isa<FloatType>(element))
    return op.emitOpError()
           << "expects floats for an average but got " << element;
  return success();
}

LogicalResult CollectiveOp::verify() {
  if (failed(verifyAttribute(*this, "reduction", getReduction().has_value(),
                             isReduced(getKind()))) ||
      failed(verifyAttribute(*this, "root", getRoot().has_value(),
                             getKind() == CollectiveKind::Broadcast)) ||
      failed(verifyAttribute(*this, "peer", getPeer().has_value(),
                             isPeerToPeer(getKind()))) ||
      failed(verifyBuffers(*this)))
    return failure();
  return verifyElements(*this);
}

/// Checks the numbers of elements for a number of ranks.
static LogicalResult verifyCounts(CollectiveOp op, int64_t ranks) {
  Value sent = op.getSent(), received = op.getReceived();
  if (isPeerToPeer(op.getKind()))
    return success();
  auto count = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getNumElements();
  };
  bool isScatter = op.getKind() == CollectiveKind::ReduceScatter;
  int64_t parts =
      isScatter || op.getKind() == CollectiveKind::AllGather ? ranks : 1;
  int64_t whole = count(isScatter ? sent : received),
          part = count(isScatter ? received : sent);
  if (whole % parts != 0)
    return op.emitOpError()
           << "expects a multiple of " << parts
           << " elements, one part for each rank, but got " << whole;
  if (sent != received && part * parts != whole)
    return op.emitOpError()
           << "expects " << whole / parts << " elements for a buffer of "
           << whole << " and " << parts << " parts but got " << part;
  return success();
}

LogicalResult
CollectiveOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto communicator = symbolTable.lookupNearestSymbolFrom<CommunicatorOp>(
      (*this)->getParentOp(), getCommunicatorAttr());
  if (!communicator) {
    InFlightDiagnostic error = emitOpError()
                               << "expects a plan.communicator but got "
                               << getCommunicatorAttr() << ", which is none";
    job::suggestSymbol<CommunicatorOp>(error, (*this)->getParentOp(),
                                       getCommunicatorAttr());
    return error;
  }
  auto ranks = static_cast<int64_t>(communicator.getRanks());
  for (std::optional<uint64_t> other : {getRoot(), getPeer()})
    if (other && *other >= communicator.getRanks())
      return emitOpError() << "expects a rank below " << ranks << ", those of "
                           << getCommunicatorAttr() << ", but got " << *other;
  return verifyCounts(*this, ranks);
}

//===----------------------------------------------------------------------===//
// Reports and the artifact
//===----------------------------------------------------------------------===//

static int64_t getRanks(CollectiveOp op) {
  return SymbolTable::lookupNearestSymbolFrom<CommunicatorOp>(
             op->getParentOp(), op.getCommunicatorAttr())
      .getRanks();
}

std::string CollectiveOp::getTitle() {
  std::string title = stringifyCollectiveKind(getKind()).str();
  if (getReduction())
    title += " " + stringifyReduction(*getReduction()).str();
  if (getRoot())
    title += " from rank " + std::to_string(*getRoot());
  if (getPeer())
    title += (getKind() == CollectiveKind::Send ? " to rank " : " from rank ") +
             std::to_string(*getPeer());
  return title;
}

/// What one rank computes: a term for each element of the result and other
/// rank.
int64_t CollectiveOp::getOperationCount() {
  if (!isReduced(getKind()))
    return 0;
  int64_t ranks = getRanks(*this);
  int64_t elements =
      cast<MemRefType>(getSent().getType()).getNumElements() / ranks;
  return job::getOperationCount({elements, ranks - 1});
}

bool CollectiveOp::isInLaunchBefore() { return getJoined(); }

/// The bytes that a rank has to send or receive, whichever is more, if they go
/// around a ring.
int64_t CollectiveOp::getNetworkBytes() {
  Value buffer = getKind() == CollectiveKind::AllGather ? getReceived()
                 : getSent()                            ? getSent()
                                                        : getReceived();
  int64_t bytes = getBufferBytes(cast<MemRefType>(buffer.getType()));
  int64_t ranks = getRanks(*this);
  switch (getKind()) {
  case CollectiveKind::AllReduce:
    return 2 * (bytes - bytes / ranks);
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllGather:
    return bytes - bytes / ranks;
  case CollectiveKind::Broadcast:
    return ranks > 1 ? bytes : 0;
  case CollectiveKind::Send:
  case CollectiveKind::Recv:
    return bytes;
  }
  llvm_unreachable("no kind of a collective");
}

LogicalResult CollectiveOp::serialize(CommandSerializer &,
                                      json::Object &members) {
  members["op"] = "collective";
  members["kind"] = stringifyCollectiveKind(getKind());
  members["dtype"] = job::getElementTypeName(
      cast<MemRefType>(getOperand(0).getType()).getElementType());
  if (getReduction())
    members["reduction"] = stringifyReduction(*getReduction());
  if (std::optional<uint64_t> peer = getRoot() ? getRoot() : getPeer())
    members["peer"] = static_cast<int64_t>(*peer);
  if (getJoined())
    members["joined"] = true;
  addWork(*this, members);
  return success();
}
