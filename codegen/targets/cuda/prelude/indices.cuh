/** [codegen/targets/cuda] Thread, lane, warp and block indices. */

TW_DEV i32 tw_tid() { return (i32)threadIdx.x; }

TW_DEV i32 tw_ntid() { return (i32)blockDim.x; }

TW_DEV i32 tw_lane() { return (i32)(threadIdx.x & 31); }

// The shuffle tells the compiler that the value is the same for all lanes.
TW_DEV i32 tw_warp() { return __shfl_sync(0xffffffffu, (i32)(threadIdx.x >> 5), 0); }

TW_DEV i32 tw_bid_x() { return (i32)blockIdx.x; }

TW_DEV i32 tw_bid_y() { return (i32)blockIdx.y; }

TW_DEV i32 tw_bid_z() { return (i32)blockIdx.z; }

TW_DEV i32 tw_nbid_x() { return (i32)gridDim.x; }

TW_DEV i32 tw_nbid_y() { return (i32)gridDim.y; }

TW_DEV i32 tw_nbid_z() { return (i32)gridDim.z; }
