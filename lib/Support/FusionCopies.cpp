//===- FusionCopies.cpp - Ops that the fusion planner moves or copies -----===//
//
// When all have joined, an op that is computed from what is in memory moves to
// its only user, or is copied to each of its users.
//
//===----------------------------------------------------------------------===//

#include "FusionPlanner.h"

#include "llvm/ADT/MapVector.h"

#include <queue>

using namespace mlir::job;
using llvm::SmallVector;

/// Whether an access reads the memory of a variable.
bool FusionPlanner::readsVariable(unsigned access) const {
  return llvm::any_of(
      getOp(access).operands,
      [](const FusionOp::Operand &operand) { return operand.isVariable; });
}

/// The part of its kernel that makes the result of a node and nothing else, if
/// all that it needs is one blob of the kernel that is in memory anyway, or a
/// conversion of such a blob; empty otherwise.
FusionPlanner::MovedPart FusionPlanner::findPartForUser(unsigned node,
                                                        unsigned user) const {
  unsigned home = nodes[node].unit;
  MovedPart part;
  std::optional<unsigned> source;
  // What the part needs; users come before what they use.
  std::priority_queue<unsigned> needed;
  needed.push(node);
  while (!needed.empty()) {
    unsigned member = needed.top();
    while (!needed.empty() && needed.top() == member)
      needed.pop();
    // Numbers of the rows stay with the reduction, updates where they are.
    bool isOnlyForPart = getOp(member).role == FusionRole::Scalar &&
                         !getOp(member).overwrites &&
                         getOp(member).domain == getOp(node).domain &&
                         llvm::all_of(getUsers(member), [&](unsigned other) {
                           return llvm::is_contained(part.nodes, other) ||
                                  (member == node && nodes[other].unit == user);
                         });
    if (!isOnlyForPart) {
      // What the kernel has to write for others may as well be read again.
      bool isInMemory = llvm::any_of(getUsers(member), [&](unsigned other) {
        return nodes[other].unit != home;
      });
      bool isCopied = !isInMemory && isCheapFromMemory(member) &&
                      getOp(member).domain == getOp(node).domain;
      if (source || !(isInMemory || isCopied) ||
          getOp(member).bytes > getOp(node).bytes)
        return {};
      source = member;
      if (isCopied)
        part.copied = member;
      continue;
    }
    part.nodes.push_back(member);
    for (unsigned operand : nodes[member].operands) {
      if (isAccess(operand) && !readsVariable(operand))
        continue;
      if (operand == kNone || nodes[operand].unit != home)
        return {};
      needed.push(operand);
    }
  }
  return source ? part : MovedPart();
}

/// Adds a copy of a node to a unit, and returns it.
unsigned FusionPlanner::copyTo(unsigned node, unsigned unit) {
  unsigned copy = nodes.size();
  nodes.emplace_back().op = nodes[node].op;
  setOperands(copy, SmallVector<unsigned, 2>(nodes[node].operands));
  enter(copy, unit);
  return copy;
}

/// What a kernel computes from its own result for one later kernel alone, the
/// slope of an activation, for example, is computed there: the result is in
/// memory anyway, and the other blob need not be written, kept and read.
void FusionPlanner::moveToOnlyUsers() {
  for (unsigned node = nodes.size(); node-- > 0;) {
    const SmallVector<unsigned, 2> &users = nodes[node].users;
    if (!joinsKernel(node) || getOp(node).role != FusionRole::Scalar ||
        getOp(node).fixedKernel || users.empty())
      continue;
    unsigned home = nodes[node].unit, user = nodes[users.front()].unit;
    if (user == home || units[user].domain != units[home].domain ||
        getOp(node).domain != units[home].domain ||
        !llvm::all_of(users, [&](unsigned other) {
          return nodes[other].unit == user && joinsKernel(other);
        }))
      continue;
    MovedPart part = findPartForUser(node, user);
    for (unsigned member : part.nodes) {
      leave(member);
      enter(member, user);
    }
    if (!part.copied)
      continue;
    unsigned copy = copyTo(*part.copied, user);
    for (unsigned member : part.nodes)
      if (llvm::is_contained(nodes[member].operands, *part.copied)) {
        llvm::erase(nodes[*part.copied].users, member);
        replaceOperand(member, *part.copied, copy);
      }
  }
}

/// Whether an op has one operand that is in memory whatever else needs the
/// result; the others are accesses.
bool FusionPlanner::isCheapFromMemory(unsigned node) const {
  const FusionOp &op = getOp(node);
  if (op.duplication != Duplication::FromMemory || !joinsKernel(node))
    return false;
  unsigned numReads = 0;
  for (auto [described, operand] :
       llvm::zip_equal(op.operands, nodes[node].operands)) {
    if (isAccess(operand)) {
      if (readsVariable(operand))
        return false;
      continue;
    }
    if (described.isVariable ||
        (operand != kNone && nodes[operand].unit == nodes[node].unit))
      return false;
    ++numReads;
  }
  return numReads == 1;
}

/// Whether the kernel of a user may have a copy of an op of its domain.
bool FusionPlanner::takesCopy(unsigned user, unsigned node) const {
  if (units[nodes[user].unit].domain != getOp(node).domain)
    return false;
  return joinsKernel(user) ||
         (getOp(user).goesOverRows && getOp(node).operands.size() == 1);
}

/// Gives each kernel that needs a cheap value a copy of the op, if then no op
/// needs the value in memory.
void FusionPlanner::copyToUsers() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    if (!isCheapFromMemory(node))
      continue;
    unsigned home = nodes[node].unit;
    if (!llvm::all_of(getUsers(node),
                      [&](unsigned user) { return takesCopy(user, node); }))
      continue;
    llvm::MapVector<unsigned, SmallVector<unsigned>> usersIn;
    SmallVector<unsigned, 2> remaining;
    for (unsigned user : getUsers(node)) {
      if (nodes[user].unit == home)
        remaining.push_back(user);
      else
        usersIn[nodes[user].unit].push_back(user);
    }
    for (auto &[unit, users] : usersIn) {
      unsigned copy = copyTo(node, unit);
      for (unsigned user : users)
        replaceOperand(user, node, copy);
    }
    nodes[node].users = remaining;
    if (remaining.empty() && !usersIn.empty())
      leave(node);
  }
}

/// What is only a conversion of the result of a kernel that is an op by itself
/// is computed there, and the result need not be read again.
void FusionPlanner::moveToProducers() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    const Node &user = nodes[node];
    if (user.unit == kNone || getOp(node).role != FusionRole::Scalar ||
        getOp(node).overwrites || units[user.unit].nodes.size() > 1 ||
        user.waits.size() != 1 || user.operands.size() != 1 ||
        user.operands.front() == kNone)
      continue;
    unsigned producer = user.operands.front();
    unsigned unit = nodes[producer].unit;
    if (!getOp(producer).goesOverRows ||
        getOp(node).domain != units[unit].domain)
      continue;
    leave(node);
    enter(node, unit);
  }
}

/// Makes one of the copies of a mask that have not joined their users.
void FusionPlanner::shareMasks() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    unsigned &shared = nodeOf[nodes[node].op];
    if (!isMask(nodes[node].op) || node == shared ||
        units[nodes[node].unit].nodes.size() > 1)
      continue;
    if (shared == kNone) {
      shared = node;
      continue;
    }
    for (unsigned user : nodes[node].users)
      replaceOperand(user, node, shared);
    leave(node);
  }
}

/// An access that an op outside of the kernels needs is computed by a kernel of
/// its own; the kernels keep their copies.
void FusionPlanner::formAccessKernels() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node)
    if (isAccess(node) && getOp(node).isWorthKernel)
      units[nodes[node].unit].isKernel =
          llvm::any_of(getUsers(node), [&](unsigned user) {
            // The copy of a broadcast of a broadcast reads the inner one.
            return !joinsKernel(user);
          });
}
