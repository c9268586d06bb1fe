/** [test/support] All that an emitted text needs on the CPU, and the table of kernels that a unit hands to the runner. */
#pragma once
#include "amd.h"
#include "hopper.h"
#include "indices.h"
#include "math.h"
#include "memory.h"
#include "warp.h"
#include "wgmma.h"

namespace emu {

/** One argument word; pointers take all of it, dims and scalars the low half; a tensor map is given by its address. */
typedef u64 Word;

struct Entry {
  const char* name;
  void (*call)(const Word* arguments);
};

template <class T> inline T takeWord(const Word*& next) {
  const Word word = *next++;
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, word);
  } else if constexpr (sizeof(T) == sizeof(tw_tensor_map)) {
    return *(const T*)word;
  } else {
    static_assert(sizeof(T) == 4, "a dim or scalar is one 32-bit word");
    return __builtin_bit_cast(T, (u32)word);
  }
}

/** Braces evaluate their elements from left to right, so that each argument takes its own word. */
template <class... A> struct Invocation {
  Invocation(void (*kernel)(A...), A... arguments) { kernel(arguments...); }
};

template <class... A> inline void invoke(void (*kernel)(A...), const Word* next) {
  (void)next;
  (void)Invocation<A...>{kernel, takeWord<A>(next)...};
}

}  // namespace emu
