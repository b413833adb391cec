#include <jobrt/checkpoint.h>

#include <cstdio>

int main() {
  auto artifact = jobrt::Artifact::load("gone.so");
  std::printf("C++: %s\n", jobrt::statusCodeName(artifact.status().code()));
  return artifact.status().code() != jobrt::StatusCode::kNotFound;
}
