//===- TestCode.c - The ELF part of test artifacts for a GPU --------------===//
//
// What the compiler puts there: constants, and code objects as data. With
// TEST_WITH_HOST, TestKernels.c is beside it, which has the constants.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_WITH_HOST
_Alignas(64) const float jobmlir_constants[16] = {0.5f, 1.5f, 2.5f, 3.5f};
#endif

#define CODE(symbol, file)                                                     \
  __asm__(".section .rodata\n"                                                 \
          ".globl " symbol "\n"                                                \
          ".type " symbol ", %object\n"                                        \
          ".balign 64\n" symbol ":\n"                                         \
          ".incbin \"" file "\"\n"                                            \
          ".size " symbol ", . - " symbol "\n"                                 \
          ".text\n")

CODE("jobmlir_code_simulated", TEST_MODULE);
#ifdef TEST_CUBIN
CODE("jobmlir_code_gpu", TEST_CUBIN);
#endif
