/** [test/support] Barriers of a block: what they order, and what is wrong about how they are met. */
#include "state.h"

namespace emu {

/** Lets everyone who waits go on, knowing what all have released. */
static void openBarrier(Barrier& barrier) {
  barrier.arrived = 0;
  std::vector<Thread*> waiters;
  waiters.swap(barrier.waiters);
  for (Thread* waiter : waiters) {
    acquireClock(*waiter, barrier.knowledge);
    wake(*waiter);
  }
  barrier.knowledge = {};
}

static void arriveAt(u32 id, u32 threads, bool wait, u32 site) {
  Thread& thread = self();
  Block& block = *thread.block;
  Barrier& barrier = block.barriers[id];
  if (barrier.arrived == 0) {
    barrier.expected = threads;
    barrier.site = site;
  }
  barrier.arrived++;
  releaseClock(thread, barrier.knowledge);
  if (barrier.arrived >= (id == WHOLE_BLOCK ? block.alive : barrier.expected)) {
    if (wait) acquireClock(thread, barrier.knowledge);
    openBarrier(barrier);
    if (wait) maybeYield();
  } else if (wait) {
    barrier.waiters.push_back(&thread);
    waitHere(WaitFor::barrier, site, id);
  }
}

void syncBlock(const At& at) {
  const u32 site = siteOf(at);
  const Block& block = selfBlock();
  const Barrier& barrier = block.barriers[WHOLE_BLOCK];
  if (block.alive < block.threads.size()) {
    report(Kind::misuse, site, 9,
           threadText(self()) + ": " + siteText(site) +
               format(" while %llu threads of the block have ended", (u64)block.threads.size() - block.alive));
  }
  if (barrier.arrived && barrier.site != site) {
    report(Kind::misuse, site, barrier.site,
           threadText(self()) + ": " + siteText(site) + " meets threads that are in " + siteText(barrier.site));
  }
  arriveAt(WHOLE_BLOCK, 0, true, site);
}

void syncNamed(u32 id, u32 threads, bool wait, const At& at) {
  const u32 site = siteOf(at);
  if (id == 0 || id > 15) {
    report(Kind::misuse, site, 5, siteText(site) + format(": barrier %u is not one of 1 to 15", id));
    return;
  }
  if (threads == 0 || threads % launch->config.warp || threads > selfBlock().threads.size()) {
    report(Kind::misuse, site, 6,
           siteText(site) + format(": %u threads are not whole warps of the block", threads));
    return;
  }
  const Barrier& barrier = selfBlock().barriers[id];
  if (barrier.arrived && barrier.expected != threads) {
    report(Kind::misuse, site, barrier.site,
           threadText(self()) + ": " + siteText(site) +
               format(" counts %u threads for barrier %u, but %u were counted by ", threads, id,
                      barrier.expected) +
               siteText(barrier.site));
  }
  arriveAt(id, threads, wait, site);
}

void leaveBlock() {
  Block& block = selfBlock();
  block.alive--;
  leaveCluster(*block.cluster);
  Barrier& barrier = block.barriers[WHOLE_BLOCK];
  if (!barrier.arrived) return;
  report(Kind::misuse, barrier.site, 10,
         threadText(self()) + " ends while others wait for it in " + siteText(barrier.site));
  if (barrier.arrived >= block.alive) openBarrier(barrier);
}

}  // namespace emu
