/** [test/support] Stacks of GPU threads and the switch between them. Knows no scheduling. x86-64, System V calls. */
#pragma once
#include "../device/types.h"

/**
 * Saves the callee-saved registers and the stack pointer at `from`, continues with the stack pointer `to`.
 */
extern "C" void emuSwitch(void** from, void* to);

namespace emu {

/**
 * One mapping of equal stacks, each above a page that traps, so that an overflow is a crash with a name and
 * not a wrong value.
 */
class StackPool {
 public:
  explicit StackPool(u32 count);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  /** A fresh stack pointer on stack `index`, from which emuSwitch enters `entry`, which must not return. */
  void* prepare(u32 index, void (*entry)());

 private:
  u8* memory;
  u64 bytes;
};

}  // namespace emu
