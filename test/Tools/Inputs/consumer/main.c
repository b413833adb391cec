#include <jobrt/c_api.h>

#include <stdio.h>

int main(void) {
  jobrt_artifact *artifact = NULL;
  jobrt_error *error = NULL;
  jobrt_status status = jobrt_artifact_load("gone.so", &artifact, &error);
  printf("C, jobrt %s: %s\n", jobrt_version(), jobrt_status_name(status));
  jobrt_error_destroy(error);
  return status != JOBRT_NOT_FOUND;
}
