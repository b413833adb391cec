//===- ManifestCollectives.cpp - Commands that ranks run together ---------===//

#include "lib/executor/JsonReader.h"
#include "lib/executor/Manifest.h"

using namespace jobrt;

/// The element of an enumeration with that name; the first one after an error.
template <typename Enum>
static Enum parseName(const JsonReader &reader, const char *(*nameOf)(Enum),
                      Enum last) {
  std::string name = reader.string(), known;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const char *candidate = nameOf(static_cast<Enum>(i));
    if (name == candidate)
      return static_cast<Enum>(i);
    known += (i ? ", " : "") + std::string(candidate);
  }
  reader.error("expects one of " + known + " but got '" + name + "'");
  return Enum();
}

static bool isReduced(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce ||
         kind == CollectiveKind::kReduceScatter;
}

static bool hasPeer(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kSend ||
         kind == CollectiveKind::kRecv;
}

static bool isFloat(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ||
         dtype == DType::kF32 || dtype == DType::kF64;
}

/// Checks what is read and written: one buffer of a send or a recv; of others
/// one that is read and one that is written, or both in one.
static bool checkAccesses(const JsonReader &args, const Command &command) {
  const std::vector<BufferRef> &buffers = command.args;
  auto is = [&](size_t index, bool isRead, bool isWritten) {
    return buffers[index].isRead == isRead &&
           buffers[index].isWritten == isWritten;
  };
  const char *expected = "one buffer that is read and written, or one that is "
                         "read and then one that is written";
  bool isRight =
      (buffers.size() == 1 && is(0, true, true)) ||
      (buffers.size() == 2 && is(0, true, false) && is(1, false, true));
  if (command.collective.kind == CollectiveKind::kSend) {
    expected = "one buffer that is read";
    isRight = buffers.size() == 1 && is(0, true, false);
  } else if (command.collective.kind == CollectiveKind::kRecv) {
    expected = "one buffer that is written";
    isRight = buffers.size() == 1 && is(0, false, true);
  }
  if (args.ok() && !isRight)
    args.error(std::string("expects ") + expected);
  return args.ok();
}

/// Checks the sizes of buffers, which checkAccesses() has accepted.
static void checkSizes(const JsonReader &args, const CommandScope &scope,
                       const Command &command) {
  int64_t element = dtypeBytes(command.collective.dtype);
  CollectiveKind kind = command.collective.kind;
  int64_t ranks = *scope.ranks;
  bool isScatter = kind == CollectiveKind::kReduceScatter,
       isGather = kind == CollectiveKind::kAllGather;
  int64_t from = command.args.front().bytes, to = command.args.back().bytes;
  // The larger of the two has a part for each rank.
  int64_t whole = isScatter ? from : to;
  int64_t parts = isScatter || isGather ? ranks : 1;
  if (whole % (element * parts) != 0)
    args.error("expects a multiple of " + std::to_string(element * parts) +
               " bytes but got " + std::to_string(whole));
  if (command.args.size() < 2)
    return;
  int64_t small = isScatter ? to : from;
  if (small * parts != whole)
    args.error("expects a buffer of " + std::to_string(whole / parts) +
               " bytes for one of " + std::to_string(whole) + " and " +
               std::to_string(parts) + " parts but got " +
               std::to_string(small));
  if (mayOverlap(command.args[0], command.args[1], scope))
    args.error("expects buffers that do not overlap");
}

void jobrt::parseCollective(const JsonReader &reader, const JsonReader &args,
                            const CommandScope &scope, const Command *previous,
                            Command &command) {
  Collective &collective = command.collective;
  if (!scope.ranks)
    return reader.error("expects a communicator of the artifact but got none");
  collective.kind =
      parseName(reader.member("kind"), collectiveName, CollectiveKind::kRecv);
  command.callee = collectiveName(collective.kind);
  JsonReader dtype = reader.member("dtype");
  collective.dtype = parseDTypeName(dtype);
  if (collective.dtype == DType::kI1)
    dtype.error("expects numbers but got i1");
  if (isReduced(collective.kind)) {
    JsonReader reduction = reader.member("reduction");
    collective.reduction = parseName(reduction, reductionName, Reduction::kAvg);
    if (collective.reduction == Reduction::kAvg && !isFloat(collective.dtype))
      reduction.error("expects floats for an average but got " +
                      std::string(dtypeName(collective.dtype)));
  }
  if (hasPeer(collective.kind))
    collective.peer = static_cast<int32_t>(
        reader.member("peer").integer(0, *scope.ranks - 1));
  if (std::optional<JsonReader> joined = reader.optionalMember("joined")) {
    collective.isJoined = joined->boolean();
    if (collective.isJoined &&
        (!previous || previous->kind != Command::Kind::kCollective ||
         previous->queue != command.queue))
      joined->error("expects a collective before it on its queue but got "
                    "none");
  }
  if (checkAccesses(args, command))
    checkSizes(args, scope, command);
}
