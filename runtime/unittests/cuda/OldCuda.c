/* A libcuda that lacks all but the first function. */
int cuInit(unsigned flags) { return (int)flags; }
