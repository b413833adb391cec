//===- ProgramTest.cpp - A whole program in plain C -----------------------===//

#include "unittests/c_api/Program.h"
#include "unittests/c_api/CApiTest.h"

using namespace jobrt::test;

TEST(CProgramTest, TrainsSavesLoads) {
  CArtifact artifact;
  TemporaryFolder folder;
  const char *problem =
      run_c_program(artifact.path.c_str(), folder.file("").c_str());
  EXPECT_EQ(problem, nullptr) << problem;
}
