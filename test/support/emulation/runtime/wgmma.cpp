/** [test/support] wgmma as it is ordered: started by all threads of a warpgroup, run as late as the seed says, waited for by groups. */
#include <cstring>
#include "wgmma-operand.h"
#include "wgmma-product.h"

namespace emu {

/** The running thread's warpgroup, or null (reported) where the block has only a part of one. */
static Warpgroup* ownWarpgroup(u32 site) {
  const Thread& thread = self();
  Block& block = *thread.block;
  const u32 index = thread.index / 128;
  if (launch->config.warp == 32 && index < block.warpgroups.size()) return &block.warpgroups[index];
  misuse(site, 40, " needs whole warpgroups of 128 threads");
  return nullptr;
}

void fenceWgmma() { self().wgmma.needsFence = false; }

void commitWgmma() { self().wgmma.closedGroups++; }

static bool overlaps(const Accumulator& one, const u32* registers, u32 count) {
  return one.registers < registers + count && registers < one.registers + one.count;
}

static void checkUntouched(const Accumulator& one, u32 site) {
  for (u32 i = 0; i < one.count; i++) {
    if (one.registers[i] == WGMMA_POISON) continue;
    misuse(site, 41, format(": accumulator %u was changed while a wgmma that adds to it was under way", i));
    return;
  }
}

/** Takes the registers away from the thread, or finds them taken already by an earlier wgmma on the very same ones. */
static Accumulator* takeRegisters(u32* registers, u32 count, u32 group, u32 site) {
  auto& all = self().wgmma.accumulators;
  for (auto& one : all) {
    if (!overlaps(*one, registers, count)) continue;
    checkUntouched(*one, site);
    if (one->registers == registers && one->count == count) {
      one->group = group;
      return one.get();
    }
    misuse(site, 42, " adds to registers of which a wgmma of another shape that is under way has a part");
  }
  all.push_back(std::make_unique<Accumulator>(Accumulator{registers, count, group, {registers, registers + count}}));
  for (u32 i = 0; i < count; i++) registers[i] = WGMMA_POISON;
  return all.back().get();
}

static bool isSame(const WgmmaOperation& one, const WgmmaForm& form, u64 a, u64 b, u32 accumulate, u32 group) {
  return one.form.kind == form.kind && one.form.n == form.n && one.form.aFromRegisters == form.aFromRegisters &&
         one.form.transposed == form.transposed && one.a == a && one.b == b && one.accumulate == accumulate &&
         one.group == group;
}

/** The operation that the running thread's next wgmma belongs to; the first thread there makes it. */
static WgmmaOperation& joinOperation(Warpgroup& warpgroup, const WgmmaForm& form, u64 a, u64 b, u32 accumulate,
                                     u32 site) {
  WgmmaThread& thread = self().wgmma;
  const u32 group = thread.closedGroups + 1;
  const u32 index = thread.started++ - warpgroup.before;
  if (index == warpgroup.operations.size()) {
    WgmmaOperation& made = warpgroup.operations.emplace_back();
    made.form = form;
    made.a = a;
    made.b = b;
    made.accumulate = accumulate;
    made.group = group;
    made.site = site;
  }
  WgmmaOperation& operation = warpgroup.operations[index];
  if (!isSame(operation, form, a, b, accumulate, group)) {
    misuse(site, operation.site, " differs from what other threads of its warpgroup have started: " +
                                     siteText(operation.site) + " (shape, descriptors, accumulate or group)");
  }
  return operation;
}

static u32 readEvent(Warpgroup& warpgroup, u32 group, u32 site) {
  if (!warpgroup.event || warpgroup.eventSite != site || warpgroup.eventGroup != group) {
    warpgroup.eventSite = site;
    warpgroup.eventGroup = group;
    warpgroup.event = newEvent(selfBlock().shadow, self(), EventKind::wgmma, site, group, warpgroup.slot);
  }
  return warpgroup.event;
}

/** One lane of each warp checks what its warp multiplies: its own 16 rows of a, all of b. */
static void checkOperands(Warpgroup& warpgroup, const WgmmaOperation& operation, u32 site) {
  const WgmmaForm& form = operation.form;
  const Operand a(operation.a), b(operation.b);
  if ((!form.aFromRegisters && a.baseOffset) || b.baseOffset) misuse(site, 43, ": base offsets are not emulated");
  const u32 perChunk = isHalf(form.kind) ? 8 : 16;
  const u32 event = launch->config.check ? readEvent(warpgroup, operation.group, site) : 0;
  Shadow& shadow = selfBlock().shadow;
  const auto check = [&](bool remember) {
    return [&, remember](u32 address, u32, u32) {
      if (checkShared(address, 16, site) && event) checkRead(shadow, address, 16, site, event, remember);
    };
  };
  const u32 row = self().index % 128 / 32 * 16;
  if (!form.aFromRegisters) eachOperandChunk(a, form.transposed & 1, row, 16, perChunk, check(true));
  eachOperandChunk(b, form.transposed & 2, 0, form.n, perChunk, check(operation.threads == 0));
}

void startWgmma(const WgmmaForm& form, void* d, u64 a, const u32* aRegisters, u64 b, u32 accumulate, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  Warpgroup* warpgroup = ownWarpgroup(site);
  if (!warpgroup) return;
  Thread& thread = self();
  if (thread.wgmma.needsFence) {
    misuse(site, 44, " without tw_wgmma_fence since its registers could last be used");
    thread.wgmma.needsFence = false;
  }
  const u32 accumulates = accumulate != 0;
  WgmmaOperation& operation = joinOperation(*warpgroup, form, a, b, accumulates, site);
  if (laneOf(thread) == 0) checkOperands(*warpgroup, operation, site);
  const u32 place = thread.index % 128;
  operation.accumulators[place] = takeRegisters((u32*)d, form.n / 2, operation.group, site);
  if (aRegisters) std::memcpy(operation.aRegisters[place], aRegisters, 16);
  if (++operation.threads < 128) return;
  launch->readyWgmma++;
  std::vector<Thread*> waiters;
  waiters.swap(warpgroup->waiters);
  for (Thread* waiter : waiters) wake(*waiter);
}

static bool canRun(const Warpgroup& warpgroup) {
  return !warpgroup.operations.empty() && warpgroup.operations.front().threads == 128;
}

static void runFirst(Block& block, Warpgroup& warpgroup) {
  multiplyWarpgroup(block.memory, warpgroup.operations.front());
  warpgroup.operations.pop_front();
  warpgroup.before++;
  launch->readyWgmma--;
}

void runAnyWgmma() {
  std::vector<std::pair<Block*, Warpgroup*>> able;
  for (auto& block : launch->resident) {
    for (Warpgroup& warpgroup : block->warpgroups) {
      if (canRun(warpgroup)) able.push_back({block.get(), &warpgroup});
    }
  }
  if (able.empty()) return;
  const auto [block, warpgroup] = able[launch->random.below((u32)able.size())];
  runFirst(*block, *warpgroup);
}

/** Gives back the registers that only complete groups add to. */
static void returnRegisters(WgmmaThread& thread, u32 upTo, u32 site) {
  std::vector<std::unique_ptr<Accumulator>> left;
  for (auto& one : thread.accumulators) {
    if (one->group > upTo) {
      left.push_back(std::move(one));
      continue;
    }
    checkUntouched(*one, site);
    std::memcpy(one->registers, one->bits.data(), one->count * 4);
    thread.needsFence = true;
  }
  thread.accumulators.swap(left);
}

void waitWgmma(u32 unfinished, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  Thread& thread = self();
  Warpgroup* warpgroup = ownWarpgroup(site);
  if (!warpgroup || thread.wgmma.closedGroups <= unfinished) return;
  const u32 upTo = thread.wgmma.closedGroups - unfinished;
  while (!warpgroup->operations.empty() && warpgroup->operations.front().group <= upTo) {
    if (canRun(*warpgroup)) {
      runFirst(*thread.block, *warpgroup);
      continue;
    }
    warpgroup->waiters.push_back(&thread);
    waitHere(WaitFor::wgmma, site, thread.index / 128);
  }
  if (launch->config.check) raiseMoment(thread.clock, warpgroup->slot, upTo);
  returnRegisters(thread.wgmma, upTo, site);
}

void keepWgmma(const void* d, u32 count, const At& at) {
  const u32 site = siteOf(at);
  for (const auto& one : self().wgmma.accumulators) {
    if (!overlaps(*one, (const u32*)d, count)) continue;
    report(Kind::accumulatorEarly, site, 1,
           callText(site) + " takes accumulators that tw_wgmma_wait has not covered (or that were never committed)");
    return;
  }
}

void reportPoison(const At& at) {
  if (!launch || self().wgmma.accumulators.empty()) return;
  const u32 site = siteOf(at);
  report(Kind::accumulatorEarly, site, 0,
         callText(site) + " uses an accumulator before tw_wgmma_wait covered it (or it was never committed)");
}

void finishWgmma(Block& block) {
  for (Thread& thread : block.threads) {
    if (thread.wgmma.accumulators.empty()) continue;
    launch->current = &thread;
    report(Kind::leftPending, 0, 1, threadText(thread) + ": the block ends and tw_wgmma_wait has not covered its wgmma");
  }
}

}  // namespace emu
