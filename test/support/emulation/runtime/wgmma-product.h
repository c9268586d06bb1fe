/** [test/support] The multiplication of one wgmma, from shared memory and fragments to fragments. */
#pragma once
#include <vector>
#include "async.h"

namespace emu {

inline bool isHalf(Wgmma kind) { return kind == Wgmma::bf16 || kind == Wgmma::f16; }

/** Reads operands out of a block's shared memory and adds to the accumulators' bits. */
void multiplyWarpgroup(const std::vector<u8>& memory, const WgmmaOperation& operation);

}  // namespace emu
