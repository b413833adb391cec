//===- Report.h - What job-run prints ---------------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_RUN_REPORT_H
#define JOBMLIR_TOOLS_JOB_RUN_REPORT_H

#include "jobrt/session.h"

namespace jobrun {

/// What a run of one entry measured.
struct RunReport {
  std::string entry;
  int threads = 0;
  bool reference = false;
  /// Of the compiled program.
  std::string device;
  /// Mean of the first output, a step.
  std::vector<double> losses;
  /// Wall time from the call to its result, a step.
  std::vector<double> seconds;
  /// Of the compiled program; the interpreter has none of it.
  jobrt::MemoryReport memory;
  /// By name of the device, if there are several.
  std::vector<std::pair<std::string, jobrt::MemoryReport>> devices;
  int64_t arenaLowerBound = 0;
  jobrt::AllocationReport allocations;
  std::vector<jobrt::CallReport> calls;
};

/// Mean of all elements, summed in double precision in order.
double mean(const jobrt::TensorView &tensor);

/// Entries with their shapes, variables and memory, as text or JSON.
std::string formatList(const jobrt::Artifact &artifact, bool json);

/// One line of JSON, or a few lines of text.
std::string formatReport(const RunReport &report, bool json);

} // namespace jobrun

#endif // JOBMLIR_TOOLS_JOB_RUN_REPORT_H
