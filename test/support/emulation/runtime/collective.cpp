/** [test/support] Operations that all lanes of a warp perform together: gathering the lanes, shuffles, votes, warp barriers. */
#include "collective.h"
#include <cstring>

namespace emu {

static u64 fullMask(const Block& block, u32 warp) {
  const u32 width = launch->config.warp;
  const u32 left = (u32)block.threads.size() - warp * width;
  const u32 lanes = left < width ? left : width;
  return lanes == 64 ? ~0ull : (1ull << lanes) - 1;
}

bool gatherLane(const At& at, u32 site, void* argument, Gathering*& gathering) {
  Thread& thread = self();
  Gathering& warp = thread.block->warps[warpOf(thread)];
  gathering = &warp;
  if (warp.present == 0) {
    warp.needed = fullMask(*thread.block, warpOf(thread));
    warp.op = at.op;
    warp.site = site;
  } else if (warp.site != site) {
    report(Kind::misuse, site, warp.site,
           threadText(thread) + ": " + siteText(site) + " meets other lanes of its warp in " + siteText(warp.site));
    // Two different operations have nothing in common that could be computed: this lane stays, as a device
    // might hang.
    while (std::strcmp(warp.op, at.op) != 0) waitHere(WaitFor::warp, site, warpOf(thread));
  }
  warp.present |= 1ull << laneOf(thread);
  warp.arguments[laneOf(thread)] = argument;
  return warp.present == warp.needed;
}

void leaveGathering(Gathering& gathering, bool isLast, u32 site) {
  if (!isLast) {
    gathering.waiters.push_back(&self());
    waitHere(WaitFor::warp, site, warpOf(self()));
    return;
  }
  gathering.present = 0;
  std::vector<Thread*> waiters;
  waiters.swap(gathering.waiters);
  for (Thread* waiter : waiters) wake(*waiter);
}

void syncWarp(const At& at) {
  const u32 site = siteOf(at);
  Thread* thread = &self();
  collective(at, site, thread, [](Gathering& warp) {
    Knowledge all;
    eachLane(warp, [&](u32 lane) { releaseClock(*(Thread*)warp.arguments[lane], all); });
    eachLane(warp, [&](u32 lane) { acquireClock(*(Thread*)warp.arguments[lane], all); });
  });
}

struct ShuffleLane {
  u32 bits, result;
  i32 source;
};

static i32 sourceLane(Shuffle kind, i32 operand) {
  const i32 width = (i32)launch->config.warp;
  const i32 lane = (i32)laneOf(self());
  const auto orOwn = [&](i32 other) { return other < 0 || other >= width ? lane : other; };
  switch (kind) {
    case Shuffle::index:
      return operand & (width - 1);
    case Shuffle::exclusiveOr:
      return orOwn(lane ^ operand);
    case Shuffle::up:
      return orOwn(lane - operand);
    case Shuffle::down:
      return orOwn(lane + operand);
  }
  return lane;
}

u32 shuffle(u32 bits, Shuffle kind, i32 operand, const At& at) {
  ShuffleLane own{bits, bits, sourceLane(kind, operand)};
  collective(at, siteOf(at), &own, [](Gathering& warp) {
    eachLane(warp, [&](u32 lane) {
      ShuffleLane* to = (ShuffleLane*)warp.arguments[lane];
      // A lane that a short last warp lacks gives the reader its own value back.
      if (warp.needed >> to->source & 1) to->result = ((ShuffleLane*)warp.arguments[to->source])->bits;
    });
  });
  return own.result;
}

struct VoteLane {
  u64 result;
  bool vote;
};

u64 ballot(bool p, const At& at) {
  VoteLane own{0, p};
  collective(at, siteOf(at), &own, [](Gathering& warp) {
    u64 votes = 0;
    eachLane(warp, [&](u32 lane) { votes |= (u64)((VoteLane*)warp.arguments[lane])->vote << lane; });
    eachLane(warp, [&](u32 lane) { ((VoteLane*)warp.arguments[lane])->result = votes; });
  });
  return own.result;
}

}  // namespace emu
