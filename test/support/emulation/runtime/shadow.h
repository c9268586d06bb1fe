/** [test/support] Vector clocks and, for each byte of shared and written global memory, who wrote it last and who has read it since. */
#pragma once
#include <string>
#include <unordered_map>
#include <vector>
#include "../device/types.h"

namespace emu {

struct Thread;
struct Block;

/** Latest moment of every thread of the block that its owner has heard of. Empty where checks are off. */
typedef std::vector<u32> Clock;

enum class EventKind : u8 { store, load, copy, atomic };

/** Never is after everything: a copy that nobody has waited for. */
constexpr u32 NEVER = 0xffffffffu;

/** Accesses of one thread at one site between two of its synchronisations. */
struct Event {
  u32 moment = 0;
  u32 site = 0;
  u32 block = 0;
  u32 thread = 0;
  EventKind kind = EventKind::store;
};

/**
 * Last writer, and reader or set of readers (high bit) of one block, as indexes of events; 0 is nobody.
 * Blocks are never ordered, so one
 * reader of any other block is all that a later writer can be in conflict with.
 */
struct Cell {
  u32 writer = 0;
  u32 readers = 0;
  u32 foreign = 0;
  bool operator==(const Cell&) const = default;
};

/** A set of readers as a list: this one and the ones before it. */
struct ReaderNode {
  u32 event;
  u32 before;
};

/**
 * Cells of 16 bytes that split into bytes where accesses are narrower. Offsets count from the start of the
 * memory it stands for.
 */
struct Shadow {
  /** Empty for shared memory, whose bytes hold nothing at first; else the name of the tensor. */
  std::string tensor;
  std::vector<Cell> wide;
  std::vector<Cell> narrow;
  std::vector<u8> isSplit;
  std::vector<Event> events;
  std::vector<ReaderNode> readers;
  std::unordered_map<u64, u32> readerSets;

  void reset(u32 bytes);
};

/** The events that a thread used last, so that repeated accesses share one. */
struct RecentEvents {
  struct Entry {
    const Shadow* shadow = nullptr;
    u32 key = 0, moment = 0, event = 0;
  };
  Entry entries[8];
};

/** What `thread` now knows flows into `into`; the thread's own time moves on. */
void releaseClock(Thread& thread, Clock& into);
/** The thread learns what `from` holds. */
void acquireClock(Thread& thread, const Clock& from);

u32 newEvent(Shadow& shadow, const Thread& thread, EventKind kind, u32 site, u32 moment);
/** Event of an access of the running thread that is over when it returns. */
u32 accessEvent(Shadow& shadow, EventKind kind, u32 site);
/**
 * Checks a read or write of the running thread against everything before, reports what is unordered, and
 * remembers it.
 */
void checkRead(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event);
void checkWrite(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event);

}  // namespace emu
