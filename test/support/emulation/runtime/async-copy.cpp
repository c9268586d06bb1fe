/** [test/support] cp.async: copies that land as late or as early as the seed says, and at the latest when they are waited for. */
#include <cstring>
#include "state.h"

namespace emu {

static void land(const Pending& copy) {
  u8* to = &copy.thread->block->memory[copy.offset];
  std::memset(to, 0, copy.bytes);
  std::memcpy(to, copy.source, copy.sourceBytes);
}

u32 pendingCopies() { return (u32)launch->pending.size(); }

void landCopy(u32 index) {
  std::vector<Pending>& pending = launch->pending;
  land(pending[index]);
  pending[index] = pending.back();
  pending.pop_back();
}

/** One event for the copies that a thread starts at one site in one group. */
static u32 copyEvent(Thread& thread, u32 group, u32 site) {
  for (const OpenCopy& copy : thread.copies) {
    if (copy.group == group && thread.block->shadow.events[copy.event].site == site) return copy.event;
  }
  const u32 event = newEvent(thread.block->shadow, thread, EventKind::copy, site, NEVER, thread.slot);
  thread.copies.push_back({event, group});
  return event;
}

void copyAsync(u32 dst, const void* src, u32 bytes, u32 sourceBytes, const At& at) {
  const u32 site = siteOf(at);
  if (sourceBytes > bytes) {
    report(Kind::misuse, site, 7,
           siteText(site) + format(": %u source bytes for a copy of %u", sourceBytes, bytes));
    return;
  }
  if (!checkShared(dst, bytes, site)) return;
  if (sourceBytes && !checkRange(src, sourceBytes, bytes, Access::read, site)) return;
  Thread& thread = self();
  const u32 group = thread.closedGroups + 1;
  if (launch->config.check) {
    checkWrite(thread.block->shadow, dst, bytes, site, copyEvent(thread, group, site));
    countBankAccess(site, dst, bytes);
    std::memset(&thread.block->memory[dst], 0xff, bytes);
  }
  launch->pending.push_back({&thread, group, dst, src, bytes, sourceBytes});
}

void commitCopies() { self().closedGroups++; }

void waitCopies(u32 unfinished) {
  Thread& thread = self();
  if (thread.closedGroups < unfinished) return;
  const u32 upTo = thread.closedGroups - unfinished;
  std::vector<Pending>& pending = launch->pending;
  for (u64 i = 0; i < pending.size();) {
    if (pending[i].thread != &thread || pending[i].group > upTo) {
      i++;
      continue;
    }
    land(pending[i]);
    pending[i] = pending.back();
    pending.pop_back();
  }
  for (u64 i = 0; i < thread.copies.size();) {
    if (thread.copies[i].group > upTo) {
      i++;
      continue;
    }
    thread.block->shadow.events[thread.copies[i].event].moment = thread.clock[thread.slot];
    thread.copies.erase(thread.copies.begin() + (i64)i);
  }
}

void finishCopies(Block& block) {
  std::vector<Pending> others;
  for (const Pending& copy : launch->pending) {
    if (copy.thread->block != &block) others.push_back(copy);
  }
  launch->pending.swap(others);
  for (Thread& thread : block.threads) {
    if (thread.copies.empty()) continue;
    launch->current = &thread;
    const u32 site = block.shadow.events[thread.copies[0].event].site;
    report(Kind::leftPending, site, 0,
           threadText(thread) + ": the block ends and nobody has waited for " + siteText(site));
  }
}

}  // namespace emu
