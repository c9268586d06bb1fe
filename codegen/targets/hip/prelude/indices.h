/** [codegen/targets/hip] Thread, lane, wave and block indices. */

TW_DEV i32 tw_tid() { return (i32)__builtin_amdgcn_workitem_id_x(); }

TW_DEV i32 tw_ntid() { return (i32)__builtin_amdgcn_workgroup_size_x(); }

TW_DEV i32 tw_lane() { return tw_tid() & (TW_WARP - 1); }

// readfirstlane tells the compiler that the value is the same for all lanes.
TW_DEV i32 tw_warp() { return __builtin_amdgcn_readfirstlane(tw_tid() / TW_WARP); }

TW_DEV i32 tw_bid_x() { return (i32)__builtin_amdgcn_workgroup_id_x(); }

TW_DEV i32 tw_bid_y() { return (i32)__builtin_amdgcn_workgroup_id_y(); }

TW_DEV i32 tw_bid_z() { return (i32)__builtin_amdgcn_workgroup_id_z(); }

TW_DEV i32 tw_nbid_x() { return (i32)(__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()); }

TW_DEV i32 tw_nbid_y() { return (i32)(__builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y()); }

TW_DEV i32 tw_nbid_z() { return (i32)(__builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z()); }
