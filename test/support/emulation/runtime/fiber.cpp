/** [test/support] Stacks of GPU threads and the switch between them: the assembly and the mapping. */
#include "fiber.h"
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#if !defined(__x86_64__)
#error "the emulation switches stacks in x86-64 assembly; this machine is another one"
#endif

asm(R"(
.text
.globl emuSwitch
.type emuSwitch,@function
emuSwitch:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp,(%rdi)
  mov %rsi,%rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
)");

namespace emu {

static constexpr u64 PAGE = 4096;
// The lowest page is the guard; an odd number of pages spreads the stacks over the cache sets.
static constexpr u64 STACK = 33 * PAGE;

StackPool::StackPool(u32 count) : bytes(count * STACK) {
  constexpr int FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, FLAGS, -1, 0);
  if (mapped == MAP_FAILED) {
    std::fprintf(stderr, "no memory for %u thread stacks\n", count);
    std::exit(3);
  }
  memory = (u8*)mapped;
  for (u32 i = 0; i < count; i++) mprotect(memory + i * STACK, PAGE, PROT_NONE);
}

StackPool::~StackPool() { munmap(memory, bytes); }

void* StackPool::prepare(u32 index, void (*entry)()) {
  // 64 bytes of stagger a stack keep the hot ends of all stacks out of one cache set.
  void** top = (void**)(memory + (index + 1) * STACK - 64 - index % 32 * 64);
  *--top = nullptr;  // the return address of `entry`, never used
  *--top = (void*)entry;
  for (u32 i = 0; i < 6; i++) *--top = nullptr;  // the registers that emuSwitch pops
  return top;
}

}  // namespace emu
