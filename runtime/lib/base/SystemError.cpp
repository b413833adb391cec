//===- SystemError.cpp - What the system says of an error -----------------===//

#include "lib/base/SystemError.h"

#include <cctype>
#include <cstring>

std::string jobrt::describeSystemError(int number) {
  char buffer[128];
  std::string text = strerror_r(number, buffer, sizeof(buffer));
  if (!text.empty())
    text[0] = std::tolower(static_cast<unsigned char>(text[0]));
  return text;
}
