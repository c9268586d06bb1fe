/** [test/support] The calls from emitted text into the emulation's runtime, which a unit is linked against when it is loaded. */
#pragma once
#include "types.h"

namespace emu {

/** A call in the text: where it stands and which function it is. */
struct At {
  const char* file;
  u32 line;
  const char* op;
};

// indices
i32 threadIndex();
i32 threadCount();
i32 blockIndex(u32 axis);
i32 gridSize(u32 axis);

// memory: `bytes` is 1, 2, 4, 8 or 16 and also the alignment
enum class Access : u32 { read, readOnly, write, atomic };
/** True where the access may happen; otherwise it has been reported. */
bool checkGlobal(const void* p, u32 bytes, Access access, const At& at);
u32 sharedBase();
void loadShared(u32 address, void* to, u32 bytes, const At& at);
void storeShared(u32 address, const void* from, u32 bytes, const At& at);
void labelShared(u32 address, u32 bytes, const char* name);

// asynchronous copies
void copyAsync(u32 dst, const void* src, u32 bytes, u32 sourceBytes, const At& at);
void commitCopies();
void waitCopies(u32 unfinished);

// barriers
void syncBlock(const At& at);
void syncWarp(const At& at);
void syncNamed(u32 id, u32 threads, bool wait, const At& at);

// registers of the warp
enum class Shuffle : u32 { index, exclusiveOr, up, down };
u32 shuffle(u32 bits, Shuffle kind, i32 operand, const At& at);
u64 ballot(bool p, const At& at);
void loadMatrix(u32 count, bool transpose, u32* registers, u32 address, const At& at);
enum class Mma : u32 { f16, bf16, tf32, s8 };
void multiplyMatrix(Mma kind, void* d, const u32* a, const u32* b, const At& at);

// atomics: other threads may run before one
bool beginAtomic(const void* p, const At& at);

// checks and numbers
void reportDivision(const At& at);
u16 roundF16(f32 x);
f32 widenF16(u16 bits);
u16 roundBf16(f32 x);
u8 roundE4m3(f32 x);
f32 widenE4m3(u8 bits);
u8 roundE5m2(f32 x);
f32 widenE5m2(u8 bits);

}  // namespace emu

#define TW_CALL(op) \
  emu::At { file, line, op }
