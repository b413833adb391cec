//===- Driver.cpp - The interface of a device -----------------------------===//

#include "lib/executor/Driver.h"

using namespace jobrt;

DriverMemory::~DriverMemory() = default;
Program::~Program() = default;
CodeObject::~CodeObject() = default;
Driver::~Driver() = default;

static std::vector<DriverEntry> &drivers() {
  static std::vector<DriverEntry> entries = {{"host", createHostDriver},
                                             {"null", createNullDriver}};
  return entries;
}

void jobrt::addDriver(const DriverEntry &entry) { drivers().push_back(entry); }

std::vector<std::string> jobrt::driverNames() {
  std::vector<std::string> names;
  for (const DriverEntry &entry : drivers())
    names.push_back(entry.name);
  return names;
}

Expected<std::unique_ptr<Driver>>
jobrt::createDriver(const SessionOptions &options) {
  std::string known;
  for (const DriverEntry &entry : drivers()) {
    if (options.driver == entry.name)
      return entry.create(options);
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Status(StatusCode::kInvalidArgument, "expects a driver of " + known +
                                                  " but got '" +
                                                  options.driver + "'");
}
