/*===- Program.h - A whole program in plain C -----------------------------===*/

#ifndef JOBRT_UNITTESTS_C_API_PROGRAM_H
#define JOBRT_UNITTESTS_C_API_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

/** Trains, saves, loads and predicts with the artifact of TestArtifact.h;
 * writes to `folder`. Returns NULL, or the check that failed. */
const char *run_c_program(const char *artifact_path, const char *folder);

#ifdef __cplusplus
}
#endif

#endif /* JOBRT_UNITTESTS_C_API_PROGRAM_H */
