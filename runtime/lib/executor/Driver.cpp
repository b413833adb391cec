//===- Driver.cpp - The interface of a device -----------------------------===//

#include "lib/executor/Driver.h"

using namespace jobrt;

DriverMemory::~DriverMemory() = default;
Program::~Program() = default;
CodeObject::~CodeObject() = default;
Driver::~Driver() = default;

static std::vector<DriverEntry> &drivers() {
  static std::vector<DriverEntry> entries = {
      {"host", createHostDriver},
      {"null", createNullDriver},
      {"cuda", createCudaDriver, listCudaDevices, createCudaId}};
  return entries;
}

void jobrt::addDriver(const DriverEntry &entry) { drivers().push_back(entry); }

std::vector<std::string> jobrt::driverNames() {
  std::vector<std::string> names;
  for (const DriverEntry &entry : drivers())
    names.push_back(entry.name);
  return names;
}

static Expected<const DriverEntry *> findDriver(const std::string &driver) {
  std::string known;
  for (const DriverEntry &entry : drivers()) {
    if (driver == entry.name ||
        (entry.list && driver.starts_with(std::string(entry.name) + ":")))
      return &entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Status(StatusCode::kInvalidArgument,
                "expects a driver of " + known + " but got '" + driver + "'");
}

Expected<std::unique_ptr<Driver>>
jobrt::createDriver(const SessionOptions &options) {
  Expected<const DriverEntry *> entry = findDriver(options.driver);
  if (!entry.ok())
    return entry.status();
  return (*entry)->create(options);
}

Expected<std::vector<DeviceInfo>>
jobrt::listDevices(const SessionOptions &options) {
  Expected<const DriverEntry *> entry = findDriver(options.driver);
  if (!entry.ok())
    return entry.status();
  if ((*entry)->list)
    return (*entry)->list(options);
  return std::vector<DeviceInfo>{{(*entry)->name, (*entry)->name, ""}};
}

Expected<CommunicatorId>
jobrt::createCommunicatorId(const SessionOptions &options) {
  SessionOptions named = options;
  if (named.driver.empty())
    named.driver = "cuda";
  Expected<const DriverEntry *> entry = findDriver(named.driver);
  if (!entry.ok())
    return entry.status();
  if ((*entry)->createId)
    return (*entry)->createId(named);
  return Status(StatusCode::kUnimplemented, std::string("the driver ") +
                                                (*entry)->name +
                                                " has no collectives");
}

Expected<std::string> jobrt::codeTarget(const SessionOptions &options) {
  Expected<std::unique_ptr<Driver>> driver = createDriver(options);
  if (!driver.ok())
    return driver.status();
  return (*driver)->codeTarget();
}
