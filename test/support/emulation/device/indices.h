/** [test/support] CPU meaning of the prelude's indices and barriers. */
#pragma once
#include "calls.h"

inline i32 tw_tid() { return emu::threadIndex(); }
inline i32 tw_ntid() { return emu::threadCount(); }
inline i32 tw_lane() { return emu::threadIndex() % TW_WARP; }
inline i32 tw_warp() { return emu::threadIndex() / TW_WARP; }
inline i32 tw_bid_x() { return emu::blockIndex(0); }
inline i32 tw_bid_y() { return emu::blockIndex(1); }
inline i32 tw_bid_z() { return emu::blockIndex(2); }
inline i32 tw_nbid_x() { return emu::gridSize(0); }
inline i32 tw_nbid_y() { return emu::gridSize(1); }
inline i32 tw_nbid_z() { return emu::gridSize(2); }

inline void tw_syncthreads(TW_AT) { emu::syncBlock(TW_CALL("tw_syncthreads")); }
inline void tw_syncwarp(TW_AT) { emu::syncWarp(TW_CALL("tw_syncwarp")); }
inline void tw_bar_sync(u32 id, u32 threads, TW_AT) {
  emu::syncNamed(id, threads, true, TW_CALL("tw_bar_sync"));
}
inline void tw_bar_arrive(u32 id, u32 threads, TW_AT) {
  emu::syncNamed(id, threads, false, TW_CALL("tw_bar_arrive"));
}
inline void tw_threadfence() {}
