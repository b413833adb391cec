//===- MemoryHtml.cpp - The memory of programs as a page ------------------===//
//
// A bar with the spaces of each device, and one picture for each arena of a
// program: commands from left to right, offsets of the arena from bottom to
// top, a rectangle for each buffer; beneath it the sum of what is alive at each
// command. No scripts: what the mouse rests on is in <title>s.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/MemoryReport.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/Units.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::job;

/// Rows of the table of buffers.
static constexpr size_t kMaxRows = 25;

/// Of the picture, in pixels of its view box.
static constexpr double kLeft = 84, kTop = 14, kWidth = 1080, kHeight = 440;
static constexpr double kGapHeight = 34, kProfileHeight = 90, kBottom = 40;
static constexpr double kBarHeight = 26, kBarDistance = 34;

static const char style[] = R"(
:root{color-scheme:light dark;--ink:#0f172a;--soft:#64748b;--line:#e2e8f0;
--page:#ffffff;--card:#f8fafc;--forward:#60a5fa;--gradient:#fb923c;
--update:#a78bfa;--again:#34d399;--peak:#ef4444;--variables:#f472b6;
--workspace:#facc15;--staging:#2dd4bf;--constants:#94a3b8;--arena:#60a5fa}
@media(prefers-color-scheme:dark){:root{--ink:#e2e8f0;--soft:#94a3b8;
--line:#334155;--page:#0f172a;--card:#1e293b}}
body{margin:2rem auto;max-width:75rem;padding:0 1rem;background:var(--page);
color:var(--ink);font:14px/1.5 Inter,system-ui,Helvetica,Arial,sans-serif}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:2.5rem 0 .5rem}
.tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:.8rem 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:.45rem .8rem}.tile b{display:block;font-size:1.05rem}
.tile span{color:var(--soft);font-size:.8rem}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}td.n,th.n{text-align:right;
font-variant-numeric:tabular-nums;white-space:nowrap}
.key{display:inline-block;width:.8em;height:.8em;border-radius:2px;
margin:0 .35em 0 .9em}.live td{font-weight:600}
svg{width:100%;height:auto;font:11px Inter,system-ui,Helvetica,Arial,sans-serif}
svg text{fill:var(--soft)}svg .in{fill:#0f172a}
svg .b{stroke:var(--page);stroke-width:.8}svg .b:hover{stroke:var(--ink);
stroke-width:1.6}.forward{fill:var(--forward);background:var(--forward)}
.gradient{fill:var(--gradient);background:var(--gradient)}
.update{fill:var(--update);background:var(--update)}
.again{fill:var(--again);background:var(--again)}
.variables{fill:var(--variables)}.workspace{fill:var(--workspace)}
.staging{fill:var(--staging)}.constants{fill:var(--constants)}
.arena{fill:var(--arena)}
.grid{stroke:var(--line);stroke-width:1}.peak{stroke:var(--peak);
stroke-width:1.2;stroke-dasharray:5 3}.area{fill:var(--soft);opacity:.35}
.column{fill:transparent}.column:hover{fill:var(--soft);opacity:.3}
.peaktext{fill:var(--peak)!important}
)";

static StringRef getClass(MemoryRole role) {
  switch (role) {
  case MemoryRole::Forward:
    return "forward";
  case MemoryRole::Gradient:
    return "gradient";
  case MemoryRole::Update:
    return "update";
  case MemoryRole::Recomputation:
    return "again";
  }
  llvm_unreachable("unknown role");
}

static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

static std::string num(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", value);
  return text;
}

/// A round number of bytes so that `total` has about six of it.
static int64_t getTick(int64_t total) {
  int64_t tick = 64;
  while (total / tick > 6)
    tick *= 2;
  return tick;
}

namespace {

/// Writes the picture of one program.
class MemoryPicture {
public:
  MemoryPicture(const ProgramMemory &program, raw_ostream &os)
      : program(program), os(os),
        numCommands(std::max<size_t>(program.commands.size(), 1)),
        top(std::max<int64_t>({program.arena, program.lowerBound, 1})) {}

  void write();

private:
  double getX(int64_t command) const {
    return kLeft + kWidth * double(command) / double(numCommands);
  }
  /// The picture's y of an offset in the arena, or of live bytes beneath it.
  double getY(int64_t offset) const {
    return kTop + kHeight * (1 - double(offset) / double(top));
  }
  double getProfileY(int64_t bytes) const {
    return kTop + kHeight + kGapHeight +
           kProfileHeight * (1 - double(bytes) / double(top));
  }
  void writeAxes();
  void writeBuffers();
  void writeProfile();

  const ProgramMemory &program;
  raw_ostream &os;
  int64_t numCommands, top;
};

} // namespace

void MemoryPicture::writeAxes() {
  int64_t tick = getTick(top);
  for (int64_t bytes = 0; bytes <= top; bytes += tick)
    os << "<line class=\"grid\" x1=\"" << num(kLeft) << "\" x2=\""
       << num(kLeft + kWidth) << "\" y1=\"" << num(getY(bytes)) << "\" y2=\""
       << num(getY(bytes)) << "\"/><text x=\"" << num(kLeft - 8) << "\" y=\""
       << num(getY(bytes) + 4) << "\" text-anchor=\"end\">"
       << formatBytes(bytes) << "</text>\n";
  double bottom = kTop + kHeight + kGapHeight + kProfileHeight;
  int64_t step = 1;
  for (unsigned i = 0; numCommands / step > 20; ++i)
    step = i % 3 == 1 ? step * 5 / 2 : step * 2; // 1 2 5 10 20 50 ...
  for (int64_t command = 0; command < numCommands; command += step)
    os << "<text x=\"" << num((getX(command) + getX(command + 1)) / 2)
       << "\" y=\"" << num(bottom + 15) << "\" text-anchor=\"middle\">"
       << command << "</text>\n";
  os << "<text x=\"" << num(kLeft + kWidth / 2) << "\" y=\"" << num(bottom + 33)
     << "\" text-anchor=\"middle\">command</text>\n"
     << "<text x=\"" << num(kLeft) << "\" y=\""
     << num(kTop + kHeight + kGapHeight - 8)
     << "\">live bytes at each command</text>\n";
}

void MemoryPicture::writeBuffers() {
  for (const MemoryBuffer &buffer : program.buffers) {
    double x = getX(buffer.first), width = getX(buffer.last + 1) - x;
    double y = getY(buffer.offset + buffer.bytes);
    double height = getY(buffer.offset) - y;
    StringRef name =
        buffer.name.empty() ? StringRef(buffer.type) : StringRef(buffer.name);
    os << "<g><title>" << escape(name) << "\n"
       << buffer.type << ", " << formatDigits(buffer.bytes)
       << " bytes at offset " << formatDigits(buffer.offset)
       << "\nlive from command " << buffer.first << " to " << buffer.last;
    if (!buffer.line.empty())
      os << "\n" << escape(buffer.line);
    os << "</title><rect class=\"b " << getClass(buffer.role) << "\" x=\""
       << num(x) << "\" y=\"" << num(y) << "\" width=\"" << num(width)
       << "\" height=\"" << num(std::max(height, 0.4)) << "\"/>";
    // Its name where there is room for it.
    if (height > 13 && width > 6.0 * name.size() + 8)
      os << "<text class=\"in\" x=\"" << num(x + width / 2) << "\" y=\""
         << num(y + height / 2 + 4)
         << "\" text-anchor=\"middle\" pointer-events=\"none\">" << escape(name)
         << "</text>";
    os << "</g>\n";
  }
}

void MemoryPicture::writeProfile() {
  os << "<path class=\"area\" d=\"M" << num(kLeft) << ' '
     << num(getProfileY(0));
  for (auto [index, command] : llvm::enumerate(program.commands))
    os << 'L' << num(getX(index)) << ' ' << num(getProfileY(command.liveBytes))
       << 'L' << num(getX(index + 1)) << ' '
       << num(getProfileY(command.liveBytes));
  os << 'L' << num(getX(numCommands)) << ' ' << num(getProfileY(0))
     << "z\"/>\n";
  for (auto [index, command] : llvm::enumerate(program.commands)) {
    os << "<g><title>command " << index << ", " << escape(command.what);
    if (!command.name.empty())
      os << "\n" << escape(command.name);
    if (!command.line.empty())
      os << "\n" << escape(command.line);
    os << "\n"
       << formatDigits(command.liveBytes)
       << " live bytes</title><rect class=\"column\" x=\"" << num(getX(index))
       << "\" y=\"" << num(getProfileY(top)) << "\" width=\""
       << num(getX(index + 1) - getX(index)) << "\" height=\""
       << num(kProfileHeight) << "\"/></g>\n";
  }
}

void MemoryPicture::write() {
  double height = kTop + kHeight + kGapHeight + kProfileHeight + kBottom;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
     << num(kLeft + kWidth + 10) << ' ' << num(height) << "\">\n";
  writeAxes();
  writeBuffers();
  writeProfile();
  double x = (getX(program.peakCommand) + getX(program.peakCommand + 1)) / 2;
  bool isRight = x > kLeft + kWidth * 0.8;
  os << "<line class=\"peak\" x1=\"" << num(x) << "\" x2=\"" << num(x)
     << "\" y1=\"" << num(kTop - 6) << "\" y2=\"" << num(getProfileY(0))
     << "\" pointer-events=\"none\"/><text class=\"peaktext\" x=\""
     << num(x + (isRight ? -6 : 6)) << "\" y=\""
     << num(kTop + kHeight + kGapHeight - 8) << "\""
     << (isRight ? " text-anchor=\"end\"" : "") << ">peak: command "
     << program.peakCommand << "</text>\n</svg>\n";
}

static void writeTiles(raw_ostream &os, const ProgramMemory &program) {
  auto tile = [&](StringRef what, int64_t bytes, StringRef more = "") {
    os << "<div class=\"tile\" title=\"" << formatDigits(bytes)
       << " bytes\"><span>" << what << "</span><b>" << formatBytes(bytes)
       << "</b><span>" << formatDigits(bytes) << more << "</span></div>\n";
  };
  std::string gap;
  llvm::raw_string_ostream(gap) << llvm::format(
      " · %.2f %% above the lower bound",
      program.lowerBound
          ? 100.0 * (program.arena - program.lowerBound) / program.lowerBound
          : 0.0);
  os << "<div class=\"tiles\">\n";
  tile("total", program.getTotal());
  tile("arena", program.arena, gap);
  tile("lower bound", program.lowerBound);
  tile("bank of variables", program.bank);
  tile("staging, inputs", program.inputs);
  tile("staging, outputs", program.outputs);
  tile("workspace", program.workspace);
  tile("constants", program.constants);
  os << "</div>\n";
}

/// A bar for each device, with its spaces.
static void writeSpaces(raw_ostream &os, const ProgramMemory &program) {
  SmallVector<DeviceMemory> devices(program.devices.begin(),
                                    program.devices.end());
  if (devices.empty())
    devices.push_back({"device", program.arena, program.lowerBound,
                       program.bank, program.constants, program.workspace,
                       program.inputs + program.outputs});
  int64_t most = 1;
  for (const DeviceMemory &device : devices)
    most = std::max(most, device.getTotal());
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
     << num(kLeft + kWidth + 10) << ' ' << num(kBarDistance * devices.size())
     << "\">\n";
  for (auto [number, device] : llvm::enumerate(devices)) {
    double x = kLeft, y = kBarDistance * double(number), text = y + 17;
    os << "<text x=\"" << num(kLeft - 8) << "\" y=\"" << num(text)
       << "\" text-anchor=\"end\">" << escape(device.name) << "</text>";
    auto write = [&](StringRef space, StringRef style, int64_t bytes) {
      double width = kWidth * double(bytes) / double(most);
      if (bytes == 0)
        return;
      os << "<g><title>" << space << " of " << escape(device.name) << ": "
         << formatDigits(bytes) << " bytes</title><rect class=\"b " << style
         << "\" x=\"" << num(x) << "\" y=\"" << num(y) << "\" width=\""
         << num(width) << "\" height=\"" << num(kBarHeight) << "\"/>";
      std::string label = (space + ", " + formatBytes(bytes)).str();
      if (width > 6.0 * label.size() + 8)
        os << "<text class=\"in\" x=\"" << num(x + width / 2) << "\" y=\""
           << num(text) << "\" text-anchor=\"middle\" pointer-events=\"none\">"
           << label << "</text>";
      os << "</g>\n";
      x += width;
    };
    write("arena", "arena", device.arena);
    write("bank of variables", "variables", device.bank);
    write("workspace", "workspace", device.workspace);
    write("staging", "staging", device.staging);
    write("constants", "constants", device.constants);
  }
  os << "</svg>\n";
}

static void writeTable(raw_ostream &os, const ProgramMemory &program) {
  std::vector<size_t> order(program.buffers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-program.buffers[a].bytes, a) <
           std::pair(-program.buffers[b].bytes, b);
  });
  size_t shown = std::min(order.size(), kMaxRows);
  os << "<h3>Largest buffers</h3><p>Buffers live at the peak are bold.</p>\n"
        "<table><tr><th></th><th class=\"n\">bytes</th><th>shape</th><th>what"
        "</th><th>line</th><th class=\"n\">commands</th><th class=\"n\">offset"
        "</th></tr>\n";
  for (size_t index : ArrayRef<size_t>(order).take_front(shown)) {
    const MemoryBuffer &buffer = program.buffers[index];
    bool isLive = buffer.first <= program.peakCommand &&
                  program.peakCommand <= buffer.last;
    os << "<tr" << (isLive ? " class=\"live\"" : "")
       << "><td><span class=\"key " << getClass(buffer.role)
       << "\"></span></td><td class=\"n\">" << formatDigits(buffer.bytes)
       << "</td><td>" << buffer.type << "</td><td>" << escape(buffer.name)
       << "</td><td>" << escape(buffer.line) << "</td><td class=\"n\">"
       << buffer.first << " to " << buffer.last << "</td><td class=\"n\">"
       << formatDigits(buffer.offset) << "</td></tr>\n";
  }
  os << "</table>\n";
  if (shown < order.size())
    os << "<p>and " << order.size() - shown << " smaller</p>\n";
}

static void writeRecomputations(raw_ostream &os, const ProgramMemory &program) {
  std::vector<size_t> again = program.getRecomputations();
  if (again.empty())
    return;
  int64_t flops = 0;
  for (size_t index : again)
    flops = addOperationCounts(flops, program.commands[index].flops);
  os << "<h3>Computed again instead of kept</h3><p>" << formatFlops(flops)
     << llvm::format(", %.2f %% of the step's</p>\n",
                     100.0 * flops / std::max<int64_t>(program.getFlops(), 1))
     << "<table><tr><th class=\"n\">bytes</th><th class=\"n\">operations</th>"
        "<th class=\"n\">command</th><th>what</th><th>line</th></tr>\n";
  for (size_t index : again) {
    const MemoryCommand &command = program.commands[index];
    os << "<tr><td class=\"n\">" << formatDigits(command.recomputedBytes)
       << "</td><td class=\"n\">" << formatFlops(command.flops)
       << "</td><td class=\"n\">" << index << "</td><td>"
       << escape(command.name.empty() ? command.what : command.name)
       << "</td><td>" << escape(command.line) << "</td></tr>\n";
  }
  os << "</table>\n";
}

/// One for each arena.
static void writePictures(raw_ostream &os, const ProgramMemory &program) {
  if (program.devices.empty())
    return MemoryPicture(program, os).write();
  for (auto [number, device] : llvm::enumerate(program.devices)) {
    ProgramMemory arena = getArenaOf(program, number);
    if (arena.buffers.empty())
      continue;
    os << "<h3>Arena of " << escape(device.name) << ", "
       << formatDigits(device.arena) << " bytes</h3>\n";
    MemoryPicture(arena, os).write();
  }
}

std::string job::formatMemoryHtml(ArrayRef<ProgramMemory> programs) {
  std::string page;
  llvm::raw_string_ostream os(page);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\">"
        "<title>Memory</title><style>"
     << style << "</style></head><body>\n<h1>Memory</h1>\n";
  for (const ProgramMemory &program : programs) {
    os << "<h2>" << escape(program.name) << " (" << program.kind << "), "
       << program.commands.size() << " commands</h2>\n";
    writeTiles(os, program);
    writeSpaces(os, program);
    if (program.buffers.empty()) {
      os << "<p>No buffer of the arena is needed.</p>\n";
      continue;
    }
    os << "<p>Buffers of the arena: lifetimes and "
          "offsets.<span class=\"key forward\"></span>forward"
          "<span class=\"key gradient\"></span>gradients"
          "<span class=\"key update\"></span>updates"
          "<span class=\"key again\"></span>computed again</p>\n";
    writePictures(os, program);
    writeTable(os, program);
    writeRecomputations(os, program);
  }
  os << "</body></html>\n";
  return page;
}
