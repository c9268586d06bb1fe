/** [codegen/targets/hip] Integer functions with an instruction of their own. The rest is in c-family/prelude/integer.h. */

TW_DEV u32 tw_mulhi_u32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
