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

// mbarriers, and the order between ordinary and asynchronous accesses
void initMbarrier(u32 bar, u32 count, const At& at);
void fenceMbarrierInit();
void expectBytes(u32 bar, u32 bytes, const At& at);
/** @param isRemote the address may be one of tw_map_to_cta */
void arriveMbarrier(u32 bar, bool isRemote, const At& at);
void waitMbarrier(u32 bar, u32 parity, const At& at);
void fenceAsyncProxy();

// tensor copies: `start` from the fastest dim outwards
/** @param ctas ranks in the cluster as bits; 0: this block */
void loadTensor(u32 dst, const tw_tensor_map* map, u32 bar, u32 rank, const i32* start, u32 ctas, const At& at);
void storeTensor(const tw_tensor_map* map, u32 src, u32 rank, const i32* start, const At& at);
void commitStores();
void waitStores(u32 unfinished, bool onlyRead);

// wgmma
enum class Wgmma : u32 { bf16, f16, e4m3, e5m2, s8 };
struct WgmmaForm {
  Wgmma kind;
  u32 n;
  bool aFromRegisters;
  /** Bit 0: a lies M-major, bit 1: b lies N-major. */
  u32 transposed;
};
void startWgmma(const WgmmaForm& form, void* d, u64 a, const u32* aRegisters, u64 b, u32 accumulate, const At& at);
void fenceWgmma();
void commitWgmma();
void waitWgmma(u32 unfinished, const At& at);
void keepWgmma(const void* d, u32 count, const At& at);
/** What registers hold while wgmma adds to them: a quiet NaN, which arithmetic hands on but for its sign. */
constexpr u32 WGMMA_POISON = 0x7fc5acc5;
void reportPoison(const At& at);

// clusters
u32 clusterRank();
/** @param address one of mapToCta, or of this block */
void storeRemote(u32 address, const void* from, u32 bytes, const At& at);
void arriveCluster(const At& at);
void waitCluster(const At& at);
void waitPrevious();
u32 mapToCta(u32 address, u32 cta, const At& at);

// registers of the warp
enum class Shuffle : u32 { index, exclusiveOr, up, down };
u32 shuffle(u32 bits, Shuffle kind, i32 operand, const At& at);
u64 ballot(bool p, const At& at);
void loadMatrix(u32 count, bool transpose, u32* registers, u32 address, const At& at);
void storeMatrix(u32 count, bool transpose, const u32* registers, u32 address, const At& at);
enum class Mma : u32 { f16, bf16, tf32, s8 };
void multiplyMatrix(Mma kind, void* d, const u32* a, const u32* b, const At& at);
/** How a wave of an AMD chip holds its sums. */
enum class Sums : u32 { mfma32, mfma16, wmma11, wmma12 };
enum class Element : u32 { f16, bf16, e4m3, e5m2, i8 };
struct AmdForm {
  Sums sums;
  Element element;
  u32 k;
};
void multiplyAmd(const AmdForm& form, void* d, const u32* a, const u32* b, const At& at);

// atomics: other threads may run before one
bool beginAtomic(const void* p, const At& at);
/** Counts the running block at a counter; 1 for the last of `expected`. Releases and acquires between blocks. */
i32 arriveAtCounter(i32* p, i32 expected, const At& at);

// checks and numbers
void reportDivision(const At& at);
u16 roundF16(f32 x);
f32 widenF16(u16 bits);
u16 roundBf16(f32 x);
u8 roundE4m3(f32 x);
f32 widenE4m3(u8 bits);
u8 roundE5m2(f32 x);
f32 widenE5m2(u8 bits);
u8 roundE8m0(f32 x);
f32 widenE8m0(u8 bits);
u8 roundE2m1(f32 x);
f32 widenE2m1(u8 bits);
u8 roundNf4(f32 x);
f32 widenNf4(u8 bits);

}  // namespace emu

#define TW_CALL(op) \
  emu::At { file, line, op }
