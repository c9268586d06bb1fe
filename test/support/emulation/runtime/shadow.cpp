/** [test/support] Happens-before over shared memory: clocks, events, and the checks of each read and write. */
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

static void joinClock(Clock& into, const Clock& from) {
  u32* __restrict a = into.data();
  const u32* __restrict b = from.data();
  const u64 count = into.size();
  for (u64 i = 0; i < count; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
}

void releaseClock(Thread& thread, Clock& into) {
  if (!launch->config.check) return;
  if (into.empty()) into.assign(thread.clock.size(), 0);
  joinClock(into, thread.clock);
  thread.clock[thread.index]++;
}

void acquireClock(Thread& thread, const Clock& from) {
  if (launch->config.check && !from.empty()) joinClock(thread.clock, from);
}

u32 newEvent(Block& block, const Thread& thread, EventKind kind, u32 site, u32 moment) {
  block.shadow.events.push_back({moment, site, thread.index, kind});
  return (u32)block.shadow.events.size() - 1;
}

u32 accessEvent(EventKind kind, u32 site) {
  Thread& thread = self();
  const u32 moment = thread.clock[thread.index];
  const u32 key = site * 4 + (u32)kind + 1;
  RecentEvents::Entry& recent = thread.recent.entries[(site ^ (u32)kind) & 3];
  if (recent.key != key || recent.moment != moment) {
    recent = {key, moment, newEvent(*thread.block, thread, kind, site, moment)};
  }
  return recent.event;
}

static bool happenedBefore(const Event& event) {
  return event.moment != NEVER && self().clock[event.thread] >= event.moment;
}

/** Calls visit(cell, first byte) for the cells of a range, split where the range or an earlier one cuts them. */
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

static std::string eventText(const Block& block, const Event& event) {
  const char* what = event.kind == EventKind::store ? "written" : event.kind == EventKind::load ? "read" : "written (cp.async)";
  return format("%s by %s, %s", what, threadText(block.threads[event.thread]).c_str(), siteText(event.site).c_str());
}

/** Reports that the running thread's access is not ordered after `earlier`. */
static void reportConflict(const Event& earlier, u32 offset, u32 site, bool isWrite) {
  const Block& block = selfBlock();
  const std::string before = eventText(block, earlier);
  const std::string access = format("%s: %s %s byte %s", threadText(self()).c_str(), siteText(site).c_str(),
                                    isWrite ? "writes" : "reads", addressText(block, offset).c_str());
  if (earlier.kind == EventKind::copy && earlier.moment == NEVER) {
    report(isWrite ? Kind::overwriteInFlight : Kind::earlyRead, site, earlier.site,
           access + " of a cp.async destination before tw_cp_async_wait covered it; " + before);
  } else {
    report(Kind::race, site, earlier.site, access + " with no barrier after it was " + before);
  }
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

/** Readers after `event` has read too; those that it is ordered after need not be kept. */
static u32 withReader(Shadow& shadow, u32 readers, u32 event) {
  if (!readers) return event;
  if (!(readers >> 31)) {
    return happenedBefore(shadow.events[readers]) ? event : readerSet(shadow, readers, event);
  }
  bool allBefore = true;
  for (u32 i = readers & 0x7fffffffu; i; i = shadow.readers[i].before) {
    if (shadow.readers[i].event == event) return readers;
    allBefore = allBefore && happenedBefore(shadow.events[shadow.readers[i].event]);
  }
  return allBefore ? event : readerSet(shadow, readers, event);
}

void checkRead(u32 offset, u32 bytes, u32 site, u32 event) {
  Shadow& shadow = selfBlock().shadow;
  Cell seen, result;
  bool hasSeen = false;
  eachCell(shadow, offset, bytes, [&](Cell& cell, u32 at) {
    if (cell.readers == event) return;
    if (hasSeen && cell == seen) {
      cell = result;
      return;
    }
    seen = cell;
    hasSeen = true;
    if (!cell.writer) {
      report(Kind::uninit, site, 0,
             format("%s: %s reads byte %s, which nothing has written", threadText(self()).c_str(), siteText(site).c_str(),
                    addressText(selfBlock(), at).c_str()));
    } else if (!happenedBefore(shadow.events[cell.writer])) {
      reportConflict(shadow.events[cell.writer], at, site, false);
    }
    cell.readers = withReader(shadow, cell.readers, event);
    result = cell;
  });
}

static void checkReadersOf(const Shadow& shadow, u32 readers, u32 at, u32 site) {
  if (!(readers >> 31)) {
    if (readers && !happenedBefore(shadow.events[readers])) reportConflict(shadow.events[readers], at, site, true);
    return;
  }
  for (u32 i = readers & 0x7fffffffu; i; i = shadow.readers[i].before) {
    const Event& reader = shadow.events[shadow.readers[i].event];
    if (happenedBefore(reader)) continue;
    reportConflict(reader, at, site, true);
    return;
  }
}

void checkWrite(u32 offset, u32 bytes, u32 site, u32 event) {
  Shadow& shadow = selfBlock().shadow;
  Cell seen;
  bool hasSeen = false;
  eachCell(shadow, offset, bytes, [&](Cell& cell, u32 at) {
    const bool isKnown = (hasSeen && cell == seen) || (cell.writer == event && !cell.readers);
    if (!isKnown) {
      seen = cell;
      hasSeen = true;
      if (cell.writer && !happenedBefore(shadow.events[cell.writer])) {
        reportConflict(shadow.events[cell.writer], at, site, true);
      }
      checkReadersOf(shadow, cell.readers, at, site);
    }
    cell.writer = event;
    cell.readers = 0;
  });
}

}  // namespace emu
