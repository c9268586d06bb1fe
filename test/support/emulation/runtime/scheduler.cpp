/** [test/support] Which thread runs next: random by seed, unfair on purpose; finds deadlocks. */
#include <cstring>
#include "state.h"

namespace emu {

static void toScheduler() { emuSwitch(&self().stack, launch->schedulerStack); }

void yieldThread() {
  launch->ready.push_back(launch->current);
  toScheduler();
}

void maybeYield() {
  if ((launch->random.next() & 0x7000) == 0) yieldThread();
}

void waitHere(WaitFor what, u32 site, u32 argument) {
  Thread& thread = self();
  thread.status = Status::waiting;
  thread.waitFor = what;
  thread.waitSite = site;
  thread.waitArgument = argument;
  toScheduler();
}

void wake(Thread& thread) {
  if (thread.status != Status::waiting) return;
  thread.status = Status::ready;
  thread.waitFor = WaitFor::nothing;
  launch->ready.push_back(&thread);
}

/** The first code on a thread's stack. */
static void threadMain() {
  launch->call(launch->arguments);
  self().status = Status::done;
  leaveBlock();
  for (;;) toScheduler();
}

static std::string waitText(const Thread& thread) {
  const Block& block = *thread.block;
  std::string text = " in " + siteText(thread.waitSite);
  const u32 argument = thread.waitArgument;
  switch (thread.waitFor) {
    case WaitFor::nothing:
      return text;
    case WaitFor::barrier: {
      const Barrier& barrier = block.barriers[argument];
      const u32 needed = argument == WHOLE_BLOCK ? block.alive : barrier.expected;
      return text + format(": %u of %u threads have arrived", barrier.arrived, needed);
    }
    case WaitFor::warp: {
      const Gathering& warp = block.warps[argument];
      return text + format(": warp %u, lanes present 0x%llx of 0x%llx", argument, warp.present, warp.needed);
    }
    case WaitFor::mbarrier: {
      const Mbarrier& bar = block.mbarriers[block.mbarrierAt[argument / 8] - 1];
      return text + format(", parity %u of ", argument & 1) + mbarrierText(block, bar);
    }
    case WaitFor::wgmma:
      return text + format(": %u of 128 threads of warpgroup %u have started the next wgmma",
                           block.warpgroups[argument].operations.front().threads, argument);
    case WaitFor::cluster:
      return text + format(": %u of %u threads of the cluster have arrived", block.cluster->arrived,
                           block.cluster->alive);
  }
  return text;
}

static bool waitsLike(const Thread& a, const Thread& b) {
  return a.block == b.block && a.waitFor == b.waitFor && a.waitSite == b.waitSite &&
         a.waitArgument == b.waitArgument;
}

/** One line for each group of threads that wait at one place for one thing. */
static void reportDeadlock(const std::vector<Thread*>& stuck, u32 ended) {
  std::string text = "every thread that has not ended waits:";
  std::vector<bool> isTold(stuck.size());
  for (u64 i = 0; i < stuck.size(); i++) {
    if (isTold[i]) continue;
    u32 count = 0;
    const Thread* last = stuck[i];
    for (u64 j = i; j < stuck.size(); j++) {
      if (isTold[j] || !waitsLike(*stuck[i], *stuck[j])) continue;
      isTold[j] = true;
      count++;
      last = stuck[j];
    }
    text += count == 1 ? format("\n    thread %u", last->index)
                       : format("\n    %u threads (%u..%u)", count, stuck[i]->index, last->index);
    text += waitText(*stuck[i]);
  }
  if (ended) text += format("\n    %u threads have ended", ended);
  launch->current = stuck[0];
  launch->deadlocked = true;
  report(Kind::deadlock, stuck[0]->waitSite, 0, text);
}

/** Now and then one lane, warp or group of 128 threads runs only when nothing else can. */
static void chooseStarved(u32 threads) {
  if (++launch->steps <= launch->starveUntil) return;
  Random& random = launch->random;
  launch->starvedSize = random.below(2) ? 1 : random.below(2) ? launch->config.warp : 128;
  launch->starvedIndex = random.below(threads) / launch->starvedSize;
  launch->starveUntil = launch->steps + random.below(threads * 8 + 64);
}

static Thread* takeReady() {
  std::vector<Thread*>& ready = launch->ready;
  const auto pick = [&] { return launch->random.below((u32)ready.size()); };
  u32 chosen = pick();
  const auto isStarved = [&] { return ready[chosen]->index / launch->starvedSize == launch->starvedIndex; };
  for (u32 i = 0; i < 24 && isStarved(); i++) chosen = pick();
  Thread* thread = ready[chosen];
  ready[chosen] = ready.back();
  ready.pop_back();
  return thread;
}

static void startThreads(StackPool& stacks) {
  u32 stack = 0;
  launch->ready.clear();
  for (auto& block : launch->resident) {
    for (Thread& thread : block->threads) {
      thread.stack = stacks.prepare(stack++, threadMain);
      launch->ready.push_back(&thread);
    }
  }
}

static u32 pendingWork() {
  return pendingCopies() + (u32)launch->tensorLoads.size() + (u32)launch->tensorStores.size() + launch->readyWgmma;
}

static bool isAnyAlive() {
  for (auto& cluster : launch->clusters) {
    if (cluster->alive) return true;
  }
  return false;
}

/** Finishes one random piece of what runs beside the threads. */
static void landAny(u32 pending) {
  u32 index = launch->random.below(pending);
  if (index < pendingCopies()) return landCopy(index);
  index -= pendingCopies();
  if (index < launch->tensorLoads.size()) return landTensorLoad(index);
  index -= (u32)launch->tensorLoads.size();
  if (index < launch->tensorStores.size()) return landTensorStore(index);
  runAnyWgmma();
}

void runThreads() {
  static StackPool* stacks = nullptr;
  static u32 stackCount = 0;
  u32 threads = 0;
  for (auto& block : launch->resident) threads += (u32)block->threads.size();
  if (threads > stackCount) {
    delete stacks;
    stacks = new StackPool(stackCount = threads);
  }
  startThreads(*stacks);
  for (;;) {
    u32 pending = pendingWork();
    if (pending && launch->random.chance(launch->landingRate)) landAny(pending);
    // Everybody waits: whatever is under way ends before this is called a deadlock.
    while (isAnyAlive() && launch->ready.empty() && (pending = pendingWork())) landAny(pending);
    if (launch->ready.empty()) {
      std::vector<Thread*> stuck;
      for (auto& block : launch->resident) {
        for (Thread& thread : block->threads) {
          if (thread.status != Status::done) stuck.push_back(&thread);
        }
      }
      if (!stuck.empty()) reportDeadlock(stuck, threads - (u32)stuck.size());
      return;
    }
    chooseStarved(threads);
    launch->current = takeReady();
    emuSwitch(&launch->schedulerStack, launch->current->stack);
  }
}

}  // namespace emu
