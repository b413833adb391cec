//===- Driver.cpp - What a device has to offer ----------------------------===//

#include "lib/executor/Driver.h"

using namespace jobrt;

DriverMemory::~DriverMemory() = default;
Program::~Program() = default;
Driver::~Driver() = default;

namespace {
struct DriverRow {
  const char *name;
  Expected<std::unique_ptr<Driver>> (*create)(const SessionOptions &);
};
} // namespace

static constexpr DriverRow kDrivers[] = {{"host", createHostDriver},
                                         {"null", createNullDriver}};

std::vector<std::string> jobrt::driverNames() {
  std::vector<std::string> names;
  for (const DriverRow &row : kDrivers)
    names.push_back(row.name);
  return names;
}

Expected<std::unique_ptr<Driver>>
jobrt::createDriver(const SessionOptions &options) {
  std::string known;
  for (const DriverRow &row : kDrivers) {
    if (options.driver == row.name)
      return row.create(options);
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  return Status(StatusCode::kInvalidArgument, "expects a driver of " + known +
                                                  " but got '" +
                                                  options.driver + "'");
}
