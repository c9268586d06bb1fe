/** [test/support] The boxes of tensor maps: which bytes of a tensor lie where in shared memory. No copies, no events. */
#pragma once
#include "state.h"

namespace emu {

/**
 * Exchanges 16-byte chunks within `swizzle` bytes, as copies and wgmma do, by the bits of the shared address itself.
 * @source results of an H200 for 32, 64 and 128 bytes, by TMA and by wgmma
 */
inline u32 swizzled(u32 address, u32 swizzle) { return address ^ (address >> 3 & (swizzle ? swizzle - 16 : 0)); }

inline u32 boxRows(const TensorMap& map) {
  u32 rows = 1;
  for (u32 i = 1; i < map.rank; i++) rows *= map.box[i];
  return rows;
}
inline u32 rowBytes(const TensorMap& map) { return map.box[0] * map.elementBytes; }
/** Rows narrower than the swizzle still lie that far apart. */
inline u32 rowPitch(const TensorMap& map) { return map.swizzle ? map.swizzle : rowBytes(map); }
inline u32 boxBytes(const TensorMap& map) { return boxRows(map) * rowBytes(map); }

/** Start of a row of the box in the tensor, or null for a row outside of it; `x` is left to the caller. */
inline u8* rowStart(const TensorMap& map, const i32* start, u32 row) {
  u64 at = (u64)map.base;
  for (u32 i = 1; i < map.rank; i++) {
    const i64 position = (i64)start[i] + row % map.box[i];
    row /= map.box[i];
    if (position < 0 || position >= (i64)map.dims[i]) return nullptr;
    at += (u64)position * map.strides[i];
  }
  return (u8*)at;
}

/**
 * Calls visit(shared address, first byte of the chunk in the tensor, first, last) for every 16-byte chunk of a box, where bytes
 * first … last - 1 of the chunk lie in the tensor; none where first == last.
 */
template <class F> void eachChunk(const TensorMap& map, const i32* start, u32 address, F visit) {
  const i64 offset = (i64)start[0] * map.elementBytes, end = (i64)map.dims[0] * map.elementBytes;
  const u32 width = rowBytes(map), pitch = rowPitch(map), rows = boxRows(map);
  const auto within = [](i64 byte) { return (u32)(byte < 0 ? 0 : byte > 16 ? 16 : byte); };
  for (u32 row = 0; row < rows; row++) {
    u8* from = rowStart(map, start, row);
    for (u32 byte = 0; byte < width; byte += 16) {
      const i64 position = offset + byte;
      const u32 last = from ? within(end - position) : 0;
      const u32 first = from && within(-position) < last ? within(-position) : last;
      visit(swizzled(address + row * pitch + byte, map.swizzle), (u8*)((u64)from + (u64)position), first, last);
    }
  }
}

}  // namespace emu
