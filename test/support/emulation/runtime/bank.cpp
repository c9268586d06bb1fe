/** [test/support] Bank conflicts of shared memory: 32 banks of 4 bytes, counted for each call site over whole warps. */
#include "state.h"

namespace emu {

static constexpr u32 BANKS = 32;

/** Wavefronts for some lanes: the most distinct words that fall into one bank. */
static u32 wavefrontsOf(const PartialAccess& access, u32 firstLane, u32 lanes, u32 bytes) {
  u32 words[BANKS][64];
  u32 count[BANKS] = {0};
  u32 most = 0;
  for (u32 lane = firstLane; lane < firstLane + lanes; lane++) {
    if (!(access.mask >> lane & 1)) continue;
    const u32 first = access.address[lane] / 4;
    const u32 last = (access.address[lane] + bytes - 1) / 4;
    for (u32 word = first; word <= last; word++) {
      u32 *seen = words[word % BANKS], &size = count[word % BANKS];
      u32 i = 0;
      while (i < size && seen[i] != word) i++;
      if (i == size && size < 64) seen[size++] = word;
      most = size > most ? size : most;
    }
  }
  return most;
}

void countBankWarp(u32 site, u32 bytes, const PartialAccess& access) {
  BankUse& use = launch->bankUse[site];
  // A warp is served in parts of 128 bytes.
  const u32 lanes = bytes <= 4 ? launch->config.warp : bytes == 8 ? 16 : 8;
  use.accesses++;
  for (u32 first = 0; first < launch->config.warp; first += lanes) {
    const u32 wavefronts = wavefrontsOf(access, first, lanes, bytes);
    use.wavefronts += wavefronts;
    use.ideal += wavefronts ? 1 : 0;
  }
}

static void countOldest(WarpSite& entry, u32 site, u32 bytes) {
  countBankWarp(site, bytes, entry.open.front());
  entry.open.erase(entry.open.begin());
  entry.first++;
}

/** The n-th executions of a site by the lanes of a warp are one access of the warp. */
void countBankAccess(u32 site, u32 offset, u32 bytes) {
  const Thread& thread = self();
  const u64 warpOfGrid = (u64)thread.block->slot * 64 + warpOf(thread);
  WarpSite& entry = launch->warpSites[(u64)site << 40 ^ warpOfGrid << 8 ^ bytes];
  const u32 lane = laneOf(thread);
  const u32 execution = entry.count[lane]++;
  if (execution < entry.first) return;  // dropped below as incomplete
  const u32 index = execution - entry.first;
  while (entry.open.size() <= index) entry.open.emplace_back();
  PartialAccess& access = entry.open[index];
  access.mask |= 1ull << lane;
  access.address[lane] = offset;
  const u32 warp = launch->config.warp;
  const bool isWhole = index == 0 && access.mask == (warp == 64 ? ~0ull : (1ull << warp) - 1);
  if (isWhole || entry.open.size() > 256) countOldest(entry, site, bytes);
}

void finishBanks() {
  for (auto& [key, entry] : launch->warpSites) {
    for (const PartialAccess& access : entry.open) {
      if (access.mask) countBankWarp((u32)(key >> 40), (u32)(key & 255), access);
    }
  }
  launch->warpSites.clear();
}

}  // namespace emu
