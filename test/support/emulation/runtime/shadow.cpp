/** [test/support] Happens-before over shared and global memory: clocks, events, and the checks of each read and write. */
#include "shadow.h"
#include "state.h"

namespace emu {

void Shadow::reset(u32 bytes) {
  const u32 cells = bytes / 16 + 2;
  wide.assign(cells, Cell());
  narrow.resize(cells * 16);
  isSplit.assign(cells, 0);
  events.assign(1, Event());
  readers.assign(1, ReaderNode());
  readerSets.clear();
}

void raiseMoment(Clock& clock, u32 slot, u32 moment) {
  if (slot >= clock.size()) clock.resize(slot + 1, 0);
  if (clock[slot] < moment) clock[slot] = moment;
}

static void joinClock(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  u32* __restrict a = into.data();
  const u32* __restrict b = from.data();
  const u64 count = from.size();
  for (u64 i = 0; i < count; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
}

static void joinOthers(Others& into, const Others& from) {
  for (const auto& [cluster, clock] : from) joinClock(into[cluster], clock);
}

void joinKnowledge(Knowledge& into, const Knowledge& from) {
  joinClock(into.seen, from.seen);
  joinClock(into.fenced, from.fenced);
  joinOthers(into.others, from.others);
}

/** Number of the cluster of a block, which counts from 1. */
static u32 clusterOf(u32 block) { return (block - 1) / launch->config.cluster; }

void releaseDevice(Thread& thread, Others& into) {
  if (!launch->config.check) return;
  joinClock(into[clusterOf(thread.block->ordinal)], thread.clock);
  joinOthers(into, thread.others);
  thread.clock[thread.slot]++;
}

void acquireDevice(Thread& thread, const Others& from) {
  if (launch->config.check) joinOthers(thread.others, from);
}

void releaseClock(Thread& thread, Knowledge& into) {
  if (!launch->config.check) return;
  joinClock(into.seen, thread.clock);
  joinClock(into.fenced, thread.fenced);
  joinOthers(into.others, thread.others);
  thread.clock[thread.slot]++;
}

void acquireClock(Thread& thread, const Knowledge& from) {
  if (!launch->config.check) return;
  joinClock(thread.clock, from.seen);
  joinClock(thread.fenced, from.fenced);
  joinOthers(thread.others, from.others);
}

u32 newEvent(Shadow& shadow, const Thread& thread, EventKind kind, u32 site, u32 moment, u32 slot) {
  shadow.events.push_back({moment, site, thread.block->ordinal, thread.index, slot, kind});
  return (u32)shadow.events.size() - 1;
}

u32 accessEvent(Shadow& shadow, EventKind kind, u32 site) {
  Thread& thread = self();
  const u32 moment = thread.clock[thread.slot];
  const u32 key = site * 4 + (u32)kind + 1;
  RecentEvents::Entry& recent = thread.recent.entries[(site ^ (u32)kind) & 7];
  if (recent.shadow != &shadow || recent.key != key || recent.moment != moment) {
    recent = {&shadow, key, moment, newEvent(shadow, thread, kind, site, moment, thread.slot)};
  }
  return recent.event;
}

static bool isOfSameCluster(const Event& event) {
  const u32 own = selfBlock().ordinal;
  return event.block == own || (launch->config.cluster > 1 && clusterOf(event.block) == clusterOf(own));
}

/** Clusters do not wait for one another: what a block of another one did is before where a counter has told of it. */
static bool happenedBefore(const Event& event) {
  if (event.moment == NEVER) return false;
  if (isOfSameCluster(event)) return momentIn(self().clock, event.slot) >= event.moment;
  const Others& others = self().others;
  if (others.empty() || !event.block) return false;
  const auto told = others.find(clusterOf(event.block));
  return told != others.end() && momentIn(told->second, event.slot) >= event.moment;
}

/** True where an asynchronous access may see what an ordinary store that happened before it wrote. */
static bool isFenced(const Event& event) { return momentIn(self().fenced, event.slot) >= event.moment; }

/**
 * Calls visit(cell, first byte) for the cells of a range, split where the range or an earlier one cuts them.
 */
template <class F> static void eachCell(Shadow& shadow, u32 offset, u32 bytes, F visit) {
  const u32 end = offset + bytes;
  while (offset < end) {
    const u32 index = offset / 16;
    const bool isWhole = offset % 16 == 0 && end - offset >= 16;
    if (isWhole && !shadow.isSplit[index]) {
      visit(shadow.wide[index], offset);
      offset += 16;
      continue;
    }
    Cell* parts = &shadow.narrow[index * 16];
    if (!shadow.isSplit[index]) {
      shadow.isSplit[index] = 1;
      for (u32 i = 0; i < 16; i++) parts[i] = shadow.wide[index];
    }
    const u32 stop = end < (index + 1) * 16 ? end : (index + 1) * 16;
    for (; offset < stop; offset++) visit(parts[offset % 16], offset);
    if (!isWhole) continue;
    bool isUniform = true;
    for (u32 i = 1; i < 16; i++) isUniform &= parts[i] == parts[0];
    if (isUniform) {
      shadow.isSplit[index] = 0;
      shadow.wide[index] = parts[0];
    }
  }
}

static std::string eventText(const Event& event) {
  static const char* const WORDS[] = {"written",         "read",        "written (cp.async)", "changed (atomic)",
                                      "written (TMA)", "read (TMA)", "read (wgmma)"};
  const u32 warp = launch->config.warp;
  std::string who = format("thread %u (warp %u lane %u)", event.thread, event.thread / warp, event.thread % warp);
  if (event.block != selfBlock().ordinal) {
    const u64 index = event.block - 1;
    const u32* grid = launch->config.grid;
    const u64 x = index % grid[0], y = index / grid[0] % grid[1], z = index / grid[0] / grid[1];
    who += format(" of block (%llu,%llu,%llu)", x, y, z);
  }
  return std::string(WORDS[(u32)event.kind]) + " by " + who + ", " + siteText(event.site);
}

static std::string placeText(const Shadow& shadow, u32 offset) {
  if (shadow.tensor.empty()) return addressText(*shadow.owner, offset);
  return format("%u of %s", offset, shadow.tensor.c_str());
}

/** What `earlier` still has to be waited for, where it is asynchronous; empty for the rest. */
static const char* missingWait(const Event& earlier, bool isGlobal) {
  switch (earlier.kind) {
    case EventKind::copy:
      return earlier.moment == NEVER ? " of a cp.async destination before tw_cp_async_wait covered it; " : "";
    case EventKind::tensorLoad:
      return isGlobal ? " while a tensor load may read it; "
                      : " of a tensor load's destination before the phase of its mbarrier was waited for; ";
    case EventKind::tensorStore:
      if (earlier.moment != NEVER) return "";
      return isGlobal ? " before tw_tma_store_wait covered the tensor store; "
                      : " before tw_tma_store_wait_read covered the tensor store that reads it; ";
    case EventKind::wgmma:
      return " of an operand before tw_wgmma_wait covered the wgmma that reads it; ";
    default:
      return "";
  }
}

/** Reports that the running thread's access is not ordered after `earlier`. */
static void reportConflict(const Shadow& shadow, const Event& earlier, u32 offset, u32 site, bool isWrite) {
  const std::string access = threadText(self()) + ": " + siteText(site) + (isWrite ? " writes" : " reads") +
                             " byte " + placeText(shadow, offset);
  const char* missing = isOfSameCluster(earlier) ? missingWait(earlier, !shadow.tensor.empty()) : "";
  if (*missing) {
    report(isWrite ? Kind::overwriteInFlight : Kind::earlyRead, site, earlier.site,
           access + missing + eventText(earlier));
    return;
  }
  const char* order = isOfSameCluster(earlier) ? " with no barrier after it was "
                                               : ", but no arrival at a counter orders the blocks: it was ";
  report(Kind::race, site, earlier.site, access + order + eventText(earlier));
}

/** An ordinary store to shared memory stays unseen by asynchronous accesses until its thread fences and a barrier follows. */
static void checkProxy(const Shadow& shadow, const Event& writer, EventKind kind, u32 offset, u32 site) {
  if (!isAsync(kind) || isAsync(writer.kind) || !shadow.tensor.empty() || isFenced(writer)) return;
  report(Kind::proxy, site, writer.site,
         threadText(self()) + ": " + siteText(site) + " (asynchronous) meets byte " + placeText(shadow, offset) +
             " without tw_fence_proxy_async between the store and the barrier after it; " + eventText(writer));
}

static u32 readerSet(Shadow& shadow, u32 readers, u32 event) {
  u32& node = shadow.readerSets[(u64)readers << 32 | event];
  if (!node) {
    u32 before = readers & 0x7fffffffu;
    if (!(readers >> 31)) {
      shadow.readers.push_back({readers, 0});
      before = (u32)shadow.readers.size() - 1;
    }
    shadow.readers.push_back({event, before});
    node = (u32)shadow.readers.size() - 1;
  }
  return node | 1u << 31;
}

/** An event out of a reader or set of readers. */
static const Event& anyReader(const Shadow& shadow, u32 readers) {
  return shadow.events[readers >> 31 ? shadow.readers[readers & 0x7fffffffu].event : readers];
}

/** Adds a reader to the cell; those that it is ordered after need not be kept. */
static void addReader(Shadow& shadow, Cell& cell, u32 event) {
  const u32 readers = cell.readers;
  if (readers && !isOfSameCluster(anyReader(shadow, readers))) {
    const u32 other = readers >> 31 ? shadow.readers[readers & 0x7fffffffu].event : readers;
    if (!cell.foreign || happenedBefore(shadow.events[cell.foreign])) cell.foreign = other;
    cell.readers = event;
    return;
  }
  if (!(readers >> 31)) {
    const bool isAfter = !readers || happenedBefore(shadow.events[readers]);
    cell.readers = isAfter ? event : readerSet(shadow, readers, event);
    return;
  }
  bool allBefore = true;
  for (u32 i = readers & 0x7fffffffu; i; i = shadow.readers[i].before) {
    if (shadow.readers[i].event == event) return;
    allBefore = allBefore && happenedBefore(shadow.events[shadow.readers[i].event]);
  }
  cell.readers = allBefore ? event : readerSet(shadow, readers, event);
}

void checkRead(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event, bool remember) {
  const EventKind kind = shadow.events[event].kind;
  Cell seen, result;
  bool hasSeen = false;
  eachCell(shadow, offset, bytes, [&](Cell& cell, u32 at) {
    if (remember && cell.readers == event) return;
    if (hasSeen && cell == seen) {
      cell = result;
      return;
    }
    seen = cell;
    hasSeen = true;
    const Event& writer = shadow.events[cell.writer];
    if (cell.writer && !happenedBefore(writer)) {
      reportConflict(shadow, writer, at, site, false);
    } else if (cell.writer) {
      checkProxy(shadow, writer, kind, at, site);
    } else if (shadow.tensor.empty()) {
      report(Kind::uninit, site, 0,
             threadText(self()) + ": " + siteText(site) + " reads byte " + placeText(shadow, at) +
                 ", which nothing has written");
    }
    if (remember) addReader(shadow, cell, event);
    result = cell;
  });
}

static void checkReadersOf(const Shadow& shadow, const Cell& cell, u32 at, u32 site) {
  if (cell.foreign && !happenedBefore(shadow.events[cell.foreign])) {
    reportConflict(shadow, shadow.events[cell.foreign], at, site, true);
  }
  if (!(cell.readers >> 31)) {
    const Event& reader = shadow.events[cell.readers];
    if (cell.readers && !happenedBefore(reader)) reportConflict(shadow, reader, at, site, true);
    return;
  }
  for (u32 i = cell.readers & 0x7fffffffu; i; i = shadow.readers[i].before) {
    const Event& reader = shadow.events[shadow.readers[i].event];
    if (happenedBefore(reader)) continue;
    reportConflict(shadow, reader, at, site, true);
    return;
  }
}

void checkWrite(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event) {
  const EventKind kind = shadow.events[event].kind;
  Cell seen;
  bool hasSeen = false;
  eachCell(shadow, offset, bytes, [&](Cell& cell, u32 at) {
    const bool isOwn = cell.writer == event && !cell.readers && !cell.foreign;
    const bool isKnown = isOwn || (hasSeen && cell == seen);
    if (!isKnown) {
      seen = cell;
      hasSeen = true;
      const Event& writer = shadow.events[cell.writer];
      const bool areAtomic = kind == EventKind::atomic && writer.kind == EventKind::atomic;
      const bool isOrdered = areAtomic || happenedBefore(writer);
      if (cell.writer && !isOrdered) reportConflict(shadow, writer, at, site, true);
      if (cell.writer && isOrdered) checkProxy(shadow, writer, kind, at, site);
      checkReadersOf(shadow, cell, at, site);
    }
    cell = {event, 0, 0};
  });
}

}  // namespace emu
