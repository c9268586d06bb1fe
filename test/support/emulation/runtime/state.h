/** [test/support] State of one launch: threads, resident blocks and clusters, shadow memory, pending copies. Data and the way to reach it. */
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
#include "async.h"
#include "fiber.h"
#include "report.h"
#include "shadow.h"

namespace emu {

struct Random {
  u64 state;
  u64 next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
  }
  u32 below(u32 count) { return (u32)((next() >> 32) * count >> 32); }
  bool chance(double probability) { return (double)(next() >> 11) * 0x1p-53 < probability; }
};

struct Config {
  std::string kernel;
  u32 grid[3] = {1, 1, 1};
  u32 threads = 32;
  u32 sharedBytes = 0;
  u32 warp = 32;
  /** Blocks that run at the same time, their threads interleaved; at least a cluster. */
  u32 resident = 1;
  /** Blocks of a cluster, neighbours along x. */
  u32 cluster = 1;
  u64 seed = 1;
  /** False: no shadow memory and no clocks, a faster run that only computes. */
  bool check = true;
  /** The launch may start while the one before it runs: nothing of global memory is touched before tw_wait_previous. */
  bool dependent = false;
  u32 maxReports = 40;
};

enum class Status : u8 { ready, waiting, done };
enum class WaitFor : u8 { nothing, barrier, warp, mbarrier, wgmma, cluster };

/** A copy whose bytes have not been waited for. */
struct OpenCopy {
  u32 event;
  u32 group;
};

struct Thread {
  void* stack = nullptr;
  Block* block = nullptr;
  u32 index = 0;
  /** Its place in the clocks of the cluster. */
  u32 slot = 0;
  Status status = Status::ready;
  WaitFor waitFor = WaitFor::nothing;
  u32 waitSite = 0;
  /** Barrier id, warp or warpgroup index, or address of an mbarrier with the parity in its lowest bit. */
  u32 waitArgument = 0;
  /** The last call into the runtime, for the message after a crash. */
  At lastCall = {"", 0, "nothing yet"};
  Clock clock;
  /** For each slot: up to which moment asynchronous accesses may see its ordinary stores. */
  Clock fenced;
  Others others;
  RecentEvents recent;
  u32 closedGroups = 0;
  std::vector<OpenCopy> copies;
  u32 closedStores = 0;
  std::vector<OpenStore> stores;
  WgmmaThread wgmma;
  /** Times that it has arrived at the cluster's barrier. */
  u32 clusterArrivals = 0;
  /** It knows that the launch before is complete. */
  bool hasWaited = false;
};

struct Barrier {
  u32 arrived = 0;
  u32 expected = 0;
  u32 site = 0;
  std::vector<Thread*> waiters;
  Knowledge knowledge;
};

/** Lanes of a warp that have reached one collective operation. */
struct Gathering {
  u64 present = 0;
  u64 needed = 0;
  const char* op = nullptr;
  u32 site = 0;
  void* arguments[64];
  std::vector<Thread*> waiters;
};

struct Label {
  u32 offset, bytes;
  std::string name;
};

/** Barrier 0 as tw_syncthreads uses it: all threads that still run. */
constexpr u32 WHOLE_BLOCK = 16;
/** Shared addresses start above zero, as on the devices, so that a forgotten base is seen. */
constexpr u32 SHARED_BASE = 1024;
constexpr u32 SHARED_MOST = 232448;

struct Cluster {
  /** The next free slot of the clocks. */
  u32 slots = 0;
  u32 alive = 0;
  u32 arrived = 0;
  /** Times that all have arrived. */
  u32 rounds = 0;
  Knowledge arriving, over;
  std::vector<Thread*> waiters;
  std::vector<Block*> blocks;
};

struct Block {
  u32 id[3] = {0, 0, 0};
  Cluster* cluster = nullptr;
  u32 rank = 0;
  /** Place among the resident blocks. */
  u32 slot = 0;
  /** Place in the grid, counted from 1. */
  u32 ordinal = 0;
  u32 alive = 0;
  std::vector<u8> memory;
  std::vector<Thread> threads;
  Barrier barriers[WHOLE_BLOCK + 1];
  std::vector<Gathering> warps;
  std::vector<Label> labels;
  std::deque<Mbarrier> mbarriers;
  /** For each 8 bytes of shared memory: 1 + index of the mbarrier there. Empty where there is none. */
  std::vector<u32> mbarrierAt;
  std::vector<Warpgroup> warpgroups;
  /** Slots and moments of tw_wait_previous. */
  std::vector<std::pair<u32, u32>> waits;
  Shadow shadow;
};

/** Bytes of an asynchronous copy that have not landed. */
struct Pending {
  Thread* thread;
  u32 group;
  u32 offset;
  const void* source;
  u32 bytes;
  u32 sourceBytes;
};

struct Buffer {
  u64 low, high;
  std::string name;
  bool writable;
  /** No launch that may still run writes it. */
  bool settled;
};

/** Accesses of one call site by whole warps: `wavefronts` above `ideal` are bank conflicts. */
struct BankUse {
  u64 accesses = 0;
  u64 wavefronts = 0;
  u64 ideal = 0;
};

struct PartialAccess {
  u64 mask = 0;
  u32 address[64];
};

/** Executions of one site by one warp that not all lanes have reached. */
struct WarpSite {
  u32 count[64] = {0};
  u32 first = 0;
  std::vector<PartialAccess> open;
};

struct Launch {
  Config config;
  const std::vector<Buffer>* buffers = nullptr;
  void (*call)(const u64*) = nullptr;
  const u64* arguments = nullptr;
  Random random{1};
  std::vector<std::unique_ptr<Cluster>> clusters;
  std::vector<std::unique_ptr<Block>> resident;
  std::vector<Thread*> ready;
  Thread* current = nullptr;
  void* schedulerStack = nullptr;
  std::vector<Pending> pending;
  std::vector<TensorLoad> tensorLoads;
  std::vector<TensorStore> tensorStores;
  /** wgmma that all threads of their warpgroup have started. */
  u32 readyWgmma = 0;
  /** Chance, at each step of the scheduler, that a pending copy lands. */
  double landingRate = 0.1;
  u64 steps = 0;
  u64 starveUntil = 0;
  u32 starvedSize = 1, starvedIndex = 0;
  bool deadlocked = false;
  std::vector<Report> reports;
  std::unordered_map<u64, u32> reportIndex;
  std::unordered_map<u64, WarpSite> warpSites;
  std::unordered_map<u32, BankUse> bankUse;
  const Buffer* lastBuffer = nullptr;
  /** For each writable buffer. The others cannot be raced for. */
  std::unordered_map<const Buffer*, Shadow> globalShadows;
  /** What those that arrived at a counter have released, by its address. */
  std::unordered_map<const i32*, Others> counters;
};

/** The launch that runs, and its running thread. */
extern Launch* launch;
inline Thread& self() { return *launch->current; }
inline Block& selfBlock() { return *launch->current->block; }
inline u32 laneOf(const Thread& thread) { return thread.index % launch->config.warp; }
inline u32 warpOf(const Thread& thread) { return thread.index / launch->config.warp; }

// scheduler.cpp
/** Gives the processor to a random ready thread. */
void yieldThread();
/** The same, once in a few calls. */
void maybeYield();
void waitHere(WaitFor what, u32 site, u32 argument);
void wake(Thread& thread);
/** Runs the threads of the resident blocks to their ends, or to a deadlock, which it reports. */
void runThreads();

// memory.cpp
std::string callText(u32 site);
/** Reports that the running thread uses a function in a way that no device takes. */
void misuse(u32 site, u32 other, const std::string& text);
bool checkShared(u32 address, u32 bytes, u32 site);
/** Reports a touch of global memory before the launch before this one is known to be complete. */
void checkPrevious(const Buffer& buffer, u32 site);
bool checkRange(const void* p, u32 bytes, u32 alignment, Access access, u32 site);
/** The shadow of a writable buffer, made at its first use. */
Shadow& shadowOf(const Buffer& buffer);

// barrier.cpp
/** The running thread has ended: a barrier of the whole block or cluster may be complete without it. */
void leaveBlock();

// cluster.cpp
void leaveCluster(Cluster& cluster);
/** Splits an address of tw_map_to_cta, or takes a plain one as the running block's; null where it names no block of the cluster. */
Block* blockOfAddress(u32& address);

// async-copy.cpp
u32 pendingCopies();
void landCopy(u32 index);
/** At the end of a block: reports what nobody waited for. */
void finishCopies(Block& block);

// mbarrier.cpp
/** The mbarrier at an address of a block; reports where there is none, or where its init is not before the running thread. */
Mbarrier* findMbarrier(Block& block, u32 address, u32 site);
/** Bytes of a copy have come. */
void bringBytes(Mbarrier& bar, u32 bytes);
std::string mbarrierText(const Block& block, const Mbarrier& bar);

// tensor-copy.cpp
void landTensorLoad(u32 index);
/** The next half of a store: it reads shared memory, then it writes global memory. */
void landTensorStore(u32 index);
void finishTensorCopies(Block& block);

// wgmma.cpp
/** Multiplies for one random warpgroup that can. */
void runAnyWgmma();
void finishWgmma(Block& block);

// bank.cpp
void countBankAccess(u32 site, u32 offset, u32 bytes);
void countBankWarp(u32 site, u32 bytes, const PartialAccess& access);
void finishBanks();

// launch.cpp
void runLaunch(Launch& what);

}  // namespace emu
