//===- ArtifactTest.cpp - Loading artifacts -------------------------------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The error of loading a container with the test's kernels.
static Status loadError(const json &manifest) {
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadContainer(makeContainer(testKernels(), manifest.dump()));
  EXPECT_FALSE(artifact.ok());
  return artifact.status();
}

TEST(ArtifactTest, LoadsAGoodOne) {
  TemporaryFolder folder;
  std::string path = folder.file("train.so");
  writeFile(path, makeContainer(testKernels(), testManifest().dump()));
  registerTestCall();
  Expected<std::shared_ptr<const Artifact>> loaded = Artifact::load(path);
  ASSERT_TRUE(loaded.ok()) << loaded.status().toString();
  const Artifact &artifact = **loaded;
  EXPECT_EQ(artifact.path(), path);
  EXPECT_EQ(artifact.compiler(), "jobmlir 0.1.0, LLVM 22.1.8");
  EXPECT_EQ(artifact.entries().size(), 4u);
  EXPECT_EQ(artifact.variables().size(), 2u);
  EXPECT_EQ(artifact.bankBytes(), 320);
  EXPECT_EQ(artifact.constantsBytes(), 64);
  ASSERT_NE(artifact.constants(), nullptr);
  EXPECT_EQ(static_cast<const float *>(artifact.constants())[3], 3.5f);
  ASSERT_NE(artifact.findEntry("train_job"), nullptr);
  EXPECT_EQ(artifact.findEntry("train_job")->name, "train_job");
  EXPECT_EQ(artifact.cpuFeatures(), std::vector<std::string>());
  EXPECT_NE(artifact.findSymbol("jobk_1"), nullptr);
  EXPECT_EQ(artifact.findSymbol("jobk_77"), nullptr);
  EXPECT_EQ(artifact.findEntry("nothing"), nullptr);
  ASSERT_NE(artifact.findVariable("count"), nullptr);
  EXPECT_EQ(artifact.findVariable("count")->offset, 256);
  EXPECT_EQ(artifact.findVariable("nothing"), nullptr);
}

TEST(ArtifactTest, NamesOfKindsAndSpaces) {
  EXPECT_STREQ(jobKindName(JobKind::kTrain), "train");
  EXPECT_STREQ(jobKindName(JobKind::kPredict), "predict");
  EXPECT_STREQ(jobKindName(JobKind::kInit), "init");
  const char *names[] = {"arena",  "bank",     "input",
                         "output", "constant", "workspace"};
  for (int i = 0; i < kNumSpaces; ++i)
    EXPECT_STREQ(spaceName(static_cast<Space>(i)), names[i]);
}

TEST(ArtifactTest, MissingFile) {
  Expected<std::shared_ptr<const Artifact>> artifact =
      Artifact::load("/nowhere/train.so");
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(artifact.status().message(),
            "'/nowhere/train.so': cannot open: no such file or directory");
}

TEST(ArtifactTest, FolderInsteadOfAFile) {
  TemporaryFolder folder;
  Expected<std::shared_ptr<const Artifact>> artifact =
      Artifact::load(folder.file(""));
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.status().code(), StatusCode::kIo);
  EXPECT_TRUE(contains(artifact.status().message(), "expects a regular file"));
}

TEST(ArtifactTest, PipeInsteadOfAFile) {
  TemporaryFolder folder;
  std::string path = folder.file("pipe.so");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Expected<std::shared_ptr<const Artifact>> artifact = Artifact::load(path);
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.status().code(), StatusCode::kIo);
  EXPECT_TRUE(contains(artifact.status().message(), "expects a regular file"));
}

TEST(ArtifactTest, ForeignFilesNameThemselves) {
  TemporaryFolder folder;
  for (const std::string &bytes :
       {std::string(), std::string("#!/bin/sh\n"), testKernels()}) {
    std::string path = folder.file("foreign.so");
    writeFile(path, bytes);
    Expected<std::shared_ptr<const Artifact>> artifact = Artifact::load(path);
    ASSERT_FALSE(artifact.ok());
    EXPECT_EQ(artifact.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(
        contains(artifact.status().message(), "'" + path + "': not an artif"));
  }
}

TEST(ArtifactTest, MistakesOfTheManifestSayWhere) {
  json manifest = testManifest();
  manifest["entries"][1]["commands"][0]["args"][0][1] = 3;
  EXPECT_TRUE(contains(loadError(manifest).message(),
                       "test.so': manifest: entries[1].commands[0].args[0][1]: "
                       "expects a multiple of 64 but got 3"));
}

TEST(ArtifactTest, ConstantsThatTheCodeLacks) {
  json manifest = testManifest();
  manifest["constants_bytes"] = 128;
  EXPECT_TRUE(
      contains(loadError(manifest).message(),
               "expects 'jobmlir_constants' to have 128 bytes but got 64"));
}

TEST(ArtifactTest, ConstantsSymbolThatIsMissing) {
  // Another name of the same length everywhere in the ELF part.
  std::string elf = testKernels();
  for (size_t at = 0;
       (at = elf.find("jobmlir_constants", at)) != std::string::npos;)
    elf[at] = 'x';
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadContainer(makeContainer(elf, testManifest().dump()));
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.status().code(), StatusCode::kDataLoss);
  // Depending on the linker's hash table either message.
  EXPECT_TRUE(contains(artifact.status().message(),
                       "the code has no symbol 'jobmlir_constants'"));
}

TEST(ArtifactTest, CodeThatTheLoaderRefuses) {
  // An ELF header with nothing behind it.
  Expected<std::shared_ptr<const Artifact>> artifact = loadContainer(
      makeContainer(testKernels().substr(0, 64), testManifest().dump()));
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.status().code(), StatusCode::kDataLoss);
  EXPECT_TRUE(
      contains(artifact.status().message(), "the code cannot be loaded: "));
}

/// First output of a prediction with ones by a fresh session.
static float predictOnce(const std::shared_ptr<const Artifact> &artifact) {
  Expected<std::unique_ptr<Session>> session = Session::create(artifact);
  EXPECT_TRUE(session.ok());
  EXPECT_TRUE((*session)->initialize(10).ok());
  Blob ones(1);
  Expected<Future> future = (*session)->run("predict_job", {ones.view()});
  EXPECT_TRUE(future.ok() && future->wait().ok());
  return floats(future->output(0))[0];
}

TEST(ArtifactTest, AFileThatWasReplacedIsTheNewOne) {
  TemporaryFolder folder;
  std::string path = folder.file("train.so");
  std::string manifest = testManifest().dump();
  registerTestCall();
  writeFile(path, makeContainer(testKernels(), manifest));
  Expected<std::shared_ptr<const Artifact>> before = Artifact::load(path);
  ASSERT_TRUE(before.ok()) << before.status().toString();
  writeFile(folder.file("new"), makeContainer(testKernels(true), manifest));
  std::filesystem::rename(folder.file("new"), path);
  Expected<std::shared_ptr<const Artifact>> after = Artifact::load(path);
  ASSERT_TRUE(after.ok()) << after.status().toString();
  EXPECT_EQ(predictOnce(*before), 10.5f);
  EXPECT_EQ(predictOnce(*after), 1010.5f);
}

TEST(ArtifactTest, AFileMayBeLoadedTwice) {
  TemporaryFolder folder;
  std::string path = folder.file("train.so");
  registerTestCall();
  writeFile(path, makeContainer(testKernels(), testManifest().dump()));
  Expected<std::shared_ptr<const Artifact>> first = Artifact::load(path);
  Expected<std::shared_ptr<const Artifact>> second = Artifact::load(path);
  ASSERT_TRUE(first.ok() && second.ok());
  // What is left of one does not stand in the way of another file.
  first->reset();
  writeFile(folder.file("other.so"),
            makeContainer(testKernels(true), testManifest().dump()));
  Expected<std::shared_ptr<const Artifact>> other =
      Artifact::load(folder.file("other.so"));
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(predictOnce(*second), 10.5f);
  EXPECT_EQ(predictOnce(*other), 1010.5f);
}

TEST(ArtifactTest, AFileThatWasOverwrittenInPlaceIsRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("train.so");
  registerTestCall();
  std::string bytes = makeContainer(testKernels(), testManifest().dump());
  writeFile(path, bytes);
  Expected<std::shared_ptr<const Artifact>> first = Artifact::load(path);
  ASSERT_TRUE(first.ok());
  // The code itself stays, since it is mapped; the manifest changes.
  json manifest = testManifest();
  manifest["compiler"] = "jobmlir 0.1.1, LLVM 22.1.8";
  std::string other = makeContainer(testKernels(), manifest.dump());
  ASSERT_EQ(other.size(), bytes.size());
  {
    std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
    stream.write(other.data(), static_cast<std::streamsize>(other.size()));
  }
  Expected<std::shared_ptr<const Artifact>> second = Artifact::load(path);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::kDataLoss);
  EXPECT_TRUE(contains(second.status().message(),
                       "the file was overwritten in place while it is loaded: "
                       "expects a new file renamed over the old one"));
  first->reset();
  EXPECT_TRUE(Artifact::load(path).ok());
}

TEST(ArtifactTest, ADeletedFileStaysUsable) {
  // loadTestArtifact() has removed its file already.
  EXPECT_EQ(predictOnce(loadTestArtifact()), 10.5f);
}
