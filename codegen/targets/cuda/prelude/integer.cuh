/** [codegen/targets/cuda] Integer functions with an instruction of their own. The rest is in c-family/prelude/integer.h. */

TW_DEV u32 tw_mulhi_u32(u32 a, u32 b) { return __umulhi(a, b); }
