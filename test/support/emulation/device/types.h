/** [test/support] Types and macros that emitted text finds on the CPU, in the place of the device prelude's. */
#pragma once

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef u16 tw_f16;
typedef u16 tw_bf16;
typedef u8 tw_f8e4m3;
typedef u8 tw_f8e5m2;
typedef u8 tw_f8e8m0;
typedef u8 tw_f4e2m1;
typedef u8 tw_nf4;

struct alignas(8) tw_u32x2 { u32 x, y; };
struct alignas(16) tw_u32x4 { u32 x, y, z, w; };
struct alignas(8) tw_i32x2 { i32 x, y; };
struct alignas(16) tw_i32x4 { i32 x, y, z, w; };
struct alignas(8) tw_f32x2 { f32 x, y; };
struct alignas(16) tw_f32x4 { f32 x, y, z, w; };

// The first word points to the emulation's own map, the second tells one from any other 128 bytes.
struct alignas(64) tw_tensor_map { u64 opaque[16]; };

// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };

// The assembled prelude of an emitted text stands under #ifndef TW_PRELUDE.
#define TW_PRELUDE
#define TW_KERNEL(threads) static void
#define TW_KERNEL_PER_SM(threads, blocks) static void
#define TW_CLUSTER(blocks)
#define TW_TENSOR_MAP const tw_tensor_map
#define TW_DEV [[maybe_unused]] static inline
#ifndef TW_WARP
#define TW_WARP 32
#endif

// Where a call stands in the emitted text, or in the TypeScript source where the text carries #line.
#define TW_AT const char *file = __builtin_FILE(), u32 line = __builtin_LINE()
