/** [test/support] mbarriers: phases, arrivals, announced bytes, who may use one, and the fences that make ordinary stores asynchronously visible. */
#include "state.h"

namespace emu {

std::string mbarrierText(const Block& block, const Mbarrier& bar) {
  return "mbarrier " + addressText(block, bar.address) +
         format(": phase %u under way, %u of %u arrivals and %lld bytes missing", bar.phase, bar.missing, bar.count,
                bar.bytes);
}

static void complain(u32 site, u32 other, const std::string& text) {
  report(Kind::mbarrier, site, other, callText(site) + text);
}

/** True for 8 aligned bytes of the block's shared memory; otherwise it has been reported. */
static bool isPlace(u32 address, u32 site) {
  const u32 top = SHARED_BASE + launch->config.sharedBytes;
  if (address >= SHARED_BASE && address + 8 <= top && address % 8 == 0) return true;
  complain(site, 2, format(": 0x%x is no place for an mbarrier: 8 bytes, aligned, in [0x%x, 0x%x)", address,
                           SHARED_BASE, top));
  return false;
}

void initMbarrier(u32 address, u32 count, const At& at) {
  const u32 site = siteOf(at);
  Thread& thread = self();
  Block& block = *thread.block;
  if (!isPlace(address, site)) return;
  if (count == 0 || count >= 1u << 20) {
    complain(site, 3, format(" counts %u arrivals; 1 to 1048575 are possible", count));
    return;
  }
  if (block.mbarrierAt.empty()) block.mbarrierAt.assign(block.memory.size() / 8 + 1, 0);
  if (block.mbarrierAt[address / 8]) {
    complain(site, 4, " makes an mbarrier where there is one already: " + addressText(block, address));
    return;
  }
  Mbarrier bar;
  bar.address = address;
  bar.count = bar.missing = count;
  bar.site = site;
  bar.maker = thread.slot;
  bar.slot = block.cluster->slots++;
  if (launch->config.check) {
    bar.madeAt = thread.clock[thread.slot];
    checkWrite(block.shadow, address, 8, site, accessEvent(block.shadow, EventKind::store, site));
  }
  block.mbarriers.push_back(bar);
  block.mbarrierAt[address / 8] = (u32)block.mbarriers.size();
}

Mbarrier* findMbarrier(Block& block, u32 address, u32 site) {
  if (!isPlace(address, site)) return nullptr;
  const u32 place = block.mbarriers.empty() ? 0 : block.mbarrierAt[address / 8];
  if (!place) {
    complain(site, 5, " uses " + addressText(block, address) + ", where no mbarrier has been made (tw_mbarrier_init)");
    return nullptr;
  }
  Mbarrier& bar = block.mbarriers[place - 1];
  if (launch->config.check && momentIn(self().clock, bar.maker) < bar.madeAt) {
    complain(site, bar.site, " uses " + mbarrierText(block, bar) + "; no barrier is between it and " + siteText(bar.site));
  }
  return &bar;
}

static void fenceInits(Thread& thread) {
  for (Mbarrier& bar : thread.block->mbarriers) {
    if (bar.maker == thread.slot && bar.fencedAt == NEVER) bar.fencedAt = thread.clock[thread.slot];
  }
}

void fenceMbarrierInit() {
  Thread& thread = self();
  if (!launch->config.check) return;
  fenceInits(thread);
  thread.clock[thread.slot]++;
}

void fenceAsyncProxy() {
  Thread& thread = self();
  if (!launch->config.check) return;
  fenceInits(thread);
  // A fence speaks for the stores of its own thread; what others have stored they must fence themselves.
  raiseMoment(thread.fenced, thread.slot, thread.clock[thread.slot]);
  thread.clock[thread.slot]++;
}

/** Ends the phase if nothing is missing. */
static void closePhase(Mbarrier& bar) {
  if (bar.missing || bar.bytes) return;
  bar.phase++;
  bar.missing = bar.count;
  if (launch->config.check) {
    joinKnowledge(bar.over, bar.arriving);
    raiseMoment(bar.over.seen, bar.slot, bar.phase);
    bar.arriving = {};
  }
  std::vector<Thread*> waiters;
  waiters.swap(bar.waiters);
  for (Thread* waiter : waiters) wake(*waiter);
}

void bringBytes(Mbarrier& bar, u32 bytes) {
  bar.bytes -= bytes;
  closePhase(bar);
}

static void arrive(Block& block, Mbarrier& bar, u32 bytes, u32 site) {
  if (!bar.missing) {
    complain(site, 6, " arrives once more than is counted at " + mbarrierText(block, bar));
    return;
  }
  bar.bytes += bytes;
  bar.missing--;
  releaseClock(self(), bar.arriving);
  closePhase(bar);
  maybeYield();
}

void expectBytes(u32 address, u32 bytes, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  Mbarrier* bar = findMbarrier(selfBlock(), address, site);
  if (bar) arrive(selfBlock(), *bar, bytes, site);
}

void arriveMbarrier(u32 address, bool isRemote, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  Block* block = isRemote ? blockOfAddress(address) : &selfBlock();
  if (!block) {
    complain(site, 7, format(": 0x%x names no block of the cluster", address));
    return;
  }
  if (!block->alive) {
    complain(site, 8, format(" arrives at an mbarrier of block %u of the cluster, which has ended", block->rank));
    return;
  }
  Mbarrier* bar = findMbarrier(*block, address, site);
  if (bar) arrive(*block, *bar, 0, site);
}

void waitMbarrier(u32 address, u32 parity, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  Thread& thread = self();
  if (parity > 1) {
    complain(site, 9, format(": parity %u is neither 0 nor 1", parity));
    return;
  }
  Mbarrier* bar = findMbarrier(*thread.block, address, site);
  if (!bar) return;
  // A thread that wakes late may find that the next phase is over, too, and waits for one more: as on the devices.
  while ((bar->phase & 1) == parity) {
    bar->waiters.push_back(&thread);
    waitHere(WaitFor::mbarrier, site, address | parity);
  }
  acquireClock(thread, bar->over);
}

}  // namespace emu
