//===- calls.h - The functions of libraries ---------------------*- C++ -*-===//
//
// The configuration of each library function of docs/artifact.md: its
// parameters and their limits, how its work is split, and the buffers, chunks
// and workspace that follow from them. The compiler checks text with it, and
// the runtime checks artifacts, so each rule is written once. The compiler
// alone decides which split is best. Each family has a header in calls/. Header
// only.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_H
#define JOBRT_CALLS_H

#include "jobrt/calls/attention.h"
#include "jobrt/calls/conv2d.h"
#include "jobrt/calls/matmul.h"
#include "jobrt/calls/pool2d.h"

#include <cmath>
#include <cstdio>

namespace jobrt::calls {

/// The configuration that computes the same in one chunk.
template <typename Config> Config withoutSplit(Config config) {
  struct {
    void operator()(const Parameter &parameter, int64_t &value) {
      if (parameter.isSplit)
        value = *parameter.fallback;
    }
    void operator()(const char *, double &) {}
  } reset;
  Config::visit(config, reset);
  return config;
}

/// The feature that a processor needs for a call, "" for none.
template <typename Config> const char *requiredFeature(const Config &config) {
  if constexpr (requires { config.requiredFeature(); })
    return config.requiredFeature();
  return "";
}

/// Bytes that a call is known to write to its workspace and to read from it.
template <typename Config> int64_t workspaceTraffic(const Config &config) {
  if constexpr (requires { config.workspaceTraffic(); })
    return config.workspaceTraffic();
  return 0;
}

/// An error if a configuration is invalid, else "". Does not overflow for any
/// values.
template <typename Config> std::string check(const Config &config) {
  struct {
    std::string error;
    void operator()(const Parameter &parameter, int64_t value) {
      if (error.empty() && (value < parameter.low || value > parameter.high))
        error = std::string("expects '") + parameter.key + "' from " +
                std::to_string(parameter.low) + " to " +
                std::to_string(parameter.high) + " but got " +
                std::to_string(value);
    }
    void operator()(const char *key, double value) {
      // A number is finite if it rounds to a finite number.
      if (error.empty() && !std::isfinite(static_cast<float>(value))) {
        char text[32];
        std::snprintf(text, sizeof(text), "%g", value);
        error = std::string("expects '") + key +
                "' to be finite in f32 but got " + text;
      }
    }
  } limits;
  Config::visit(config, limits);
  if (!limits.error.empty())
    return limits.error;
  // Whole arrays first: later checks compute with parts of them.
  for (const Buffer &buffer : config.buffers())
    if (arrayBytes(buffer) < 0)
      return std::string("the size of ") + buffer.name + " overflows";
  if (std::string error = config.checkRelations(); !error.empty())
    return error;
  if (config.chunks() > JOBRT_MAX_CHUNKS)
    return "expects at most " + std::to_string(JOBRT_MAX_CHUNKS) +
           " parts in all but got " + std::to_string(config.chunks());
  return "";
}

/// The configuration of a function that has no epilogue, with one; none if the
/// function cannot have it.
template <typename Config>
std::optional<Config> withEpilogue(Config config, Epilogue epilogue) {
  if constexpr (requires { config.epilogue; }) {
    if (config.epilogue != 0)
      return std::nullopt;
    config.epilogue = static_cast<int64_t>(epilogue);
    if (check(config).empty())
      return config;
  }
  return std::nullopt;
}

/// The configuration of a function that adds no array to its result, with one;
/// none if the function cannot add it, as behind an epilogue, which follows the
/// addition. With `isF32`, the array and the result are in f32, where they were
/// narrow.
template <typename Config>
std::optional<Config> withAddend(Config config, bool isF32) {
  if constexpr (requires { config.beta; }) {
    if (config.beta != 0 || config.epilogue != 0)
      return std::nullopt;
    config.beta = 1;
    config.out_f32 = isF32;
    if (check(config).empty())
      return config;
  }
  return std::nullopt;
}

/// Neighbouring elements of the first result that have the same element of a
/// bias.
template <typename Config> int64_t biasRun(const Config &config) {
  if constexpr (requires { config.biasRun(); })
    return config.biasRun();
  return 1;
}

/// Whether factors in f32 may be rounded to TF32.
template <typename Config> bool usesTF32(const Config &config) {
  if constexpr (requires { config.tf32; })
    return config.tf32 != 0;
  return false;
}

/// The configuration whose factors may be rounded to TF32; the same one if the
/// function has no such parameter, or no factors in f32.
template <typename Config> Config withTF32(Config config) {
  if constexpr (requires { config.tf32; }) {
    Config rounded = config;
    rounded.tf32 = 1;
    if (check(rounded).empty())
      return rounded;
  }
  return config;
}

} // namespace jobrt::calls

#endif // JOBRT_CALLS_H
