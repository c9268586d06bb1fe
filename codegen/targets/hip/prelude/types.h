/** [codegen/targets/hip] Types, kernel and helper macros of HIP text. No accesses, no instructions. */

#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
#define TW_KERNEL(threads) extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define TW_DEV static inline __device__ __attribute__((always_inline))

#if defined(__AMDGCN_WAVEFRONT_SIZE) || defined(__AMDGCN_WAVEFRONT_SIZE__)
#define TW_WARP __AMDGCN_WAVEFRONT_SIZE
#elif defined(__GFX9__)
#define TW_WARP 64
#else
#define TW_WARP 32
#endif

#define TW_LDS __attribute__((address_space(3)))

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

// Keeps a template argument from being guessed: the width of a store is always written out.
template <class T> struct tw_same_ { typedef T type; };

// Memory holds whatever type the other side wrote.
template <class T> struct tw_alias_ { typedef T type __attribute__((may_alias)); };

// Shared memory is moved as words: older compilers copy no structures out of its address space.
template <int bytes> struct tw_raw_ {};
template <> struct tw_raw_<1> { typedef u8 type __attribute__((may_alias)); };
template <> struct tw_raw_<2> { typedef u16 type __attribute__((may_alias)); };
template <> struct tw_raw_<4> { typedef u32 type __attribute__((may_alias)); };
template <> struct tw_raw_<8> { typedef u32 type __attribute__((ext_vector_type(2), may_alias)); };
template <> struct tw_raw_<16> { typedef u32 type __attribute__((ext_vector_type(4), may_alias)); };
