/** [test/support] Vector clocks and, for each byte of shared and written global memory, who wrote it last and who has read it since. */
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include "../device/types.h"

namespace emu {

struct Thread;
struct Block;

/**
 * Latest moment of each slot that its owner has heard of; slots past its end are at 0. Threads of the cluster have the first slots;
 * mbarriers (moment: phases that are over) and warpgroups (moment: wgmma groups that are complete) take the next ones. Empty where
 * checks are off.
 */
typedef std::vector<u32> Clock;

inline u32 momentIn(const Clock& clock, u32 slot) { return slot < clock.size() ? clock[slot] : 0; }
void raiseMoment(Clock& clock, u32 slot, u32 moment);

/** Clocks of other clusters, by their numbers: what arrivals at counters in global memory have told. */
typedef std::map<u32, Clock> Others;

/** What flows from a release to an acquire: all that was seen, and which ordinary stores of it asynchronous accesses may see. */
struct Knowledge {
  Clock seen;
  Clock fenced;
  Others others;
};

/** The last three are asynchronous: TMA writes shared memory, TMA reads it, wgmma reads it. */
enum class EventKind : u8 { store, load, copy, atomic, tensorLoad, tensorStore, wgmma };
inline bool isAsync(EventKind kind) { return kind >= EventKind::tensorLoad; }

/** Never is after everything: a copy that has not landed or that nobody has waited for. */
constexpr u32 NEVER = 0xffffffffu;

/** Accesses of one thread at one site between two of its synchronisations. */
struct Event {
  u32 moment = 0;
  u32 site = 0;
  u32 block = 0;
  u32 thread = 0;
  /** Whose moment it is: the thread's own slot, or that of the mbarrier or warpgroup that tells of its end. */
  u32 slot = 0;
  EventKind kind = EventKind::store;
};

/**
 * Last writer, and reader or set of readers (high bit) of one cluster, as indexes of events; 0 is nobody.
 * Of readers of other clusters one is kept, if there is one, that is not ordered before the last.
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
  /** Whose shared memory it is. */
  const Block* owner = nullptr;
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
void releaseClock(Thread& thread, Knowledge& into);
/** The thread learns what `from` holds. */
void acquireClock(Thread& thread, const Knowledge& from);
/** The same between clusters, through memory of the device: the thread's own time moves on. */
void releaseDevice(Thread& thread, Others& into);
void acquireDevice(Thread& thread, const Others& from);
void joinKnowledge(Knowledge& into, const Knowledge& from);

u32 newEvent(Shadow& shadow, const Thread& thread, EventKind kind, u32 site, u32 moment, u32 slot);
/** Event of an access of the running thread that is over when it returns. */
u32 accessEvent(Shadow& shadow, EventKind kind, u32 site);
/**
 * Checks a read or write of the running thread against everything before, reports what is unordered, and
 * remembers it. Asynchronous accesses must see a fence after the ordinary stores before them, too.
 * @param remember false where another thread of the same access remembers the event
 */
void checkRead(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event, bool remember = true);
void checkWrite(Shadow& shadow, u32 offset, u32 bytes, u32 site, u32 event);

}  // namespace emu
