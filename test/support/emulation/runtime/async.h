/** [test/support] State of what runs beside the threads from Hopper on: mbarriers, tensor copies, wgmma. Data only. */
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>
#include "../device/calls.h"
#include "shadow.h"

namespace emu {

struct Buffer;

/** Second word of a tw_tensor_map of the launch. */
constexpr u64 TENSOR_MAP_MARK = 0x70616d726f736e65ull;

/** What a tw_tensor_map stands for. Sizes run from the fastest dim outwards. */
struct TensorMap {
  /** Index among the buffers of the launch. */
  u32 buffer = 0;
  u8* base = nullptr;
  u32 rank = 0;
  u64 dims[5] = {1, 1, 1, 1, 1};
  /** Bytes between neighbours. */
  u64 strides[5] = {0, 0, 0, 0, 0};
  u32 box[5] = {1, 1, 1, 1, 1};
  u32 elementBytes = 1;
  u32 swizzle = 0;
};

struct Mbarrier {
  u32 address = 0;
  u32 count = 0;
  /** Arrivals and announced bytes that the phase still waits for. */
  u32 missing = 0;
  i64 bytes = 0;
  u32 phase = 0;
  /** Where and by whom it was made, and when that thread made it known to copies. */
  u32 site = 0;
  u32 maker = 0;
  u32 madeAt = 0;
  u32 fencedAt = NEVER;
  /** Its slot in the clocks. */
  u32 slot = 0;
  /** The last load that reports to it, and in which phase that was started. */
  u32 loadSite = 0;
  u32 loadPhase = 0;
  /** What the arrivals of the phase under way release, and those of all phases before it. */
  Knowledge arriving, over;
  std::vector<Thread*> waiters;
};

/** A box on its way to shared memory. */
struct TensorLoad {
  Thread* issuer;
  Block* target;
  const TensorMap* map;
  i32 start[5];
  u32 address;
  u32 bar;
  /** Of the mbarrier when the load started. */
  u32 phase;
  u32 site;
  /** Events in the shadows of shared and of global memory; 0 is none. */
  u32 writeEvent;
  u32 readEvent;
};

/** A box on its way to global memory. */
struct TensorStore {
  Thread* issuer;
  const TensorMap* map;
  i32 start[5];
  u32 address;
  u32 group;
  bool hasRead;
  std::vector<u8> bytes;
};

/** A store that its thread has not waited for. */
struct OpenStore {
  u32 group;
  u32 site;
  u32 readEvent;
  u32 writeEvent;
  const Buffer* buffer;
  bool isRead;
};

/** Registers that wgmma adds to: they hold a pattern until a wait covers the last wgmma on them. */
struct Accumulator {
  u32* registers;
  u32 count;
  u32 group;
  std::vector<u32> bits;
};

struct WgmmaThread {
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  u32 started = 0;
  u32 closedGroups = 0;
  /** Registers may have been used since the last tw_wgmma_fence. */
  bool needsFence = true;
};

/** One wgmma of a warpgroup, as its threads have started it. */
struct WgmmaOperation {
  WgmmaForm form;
  u64 a = 0, b = 0;
  u32 accumulate = 0;
  u32 group = 0;
  u32 site = 0;
  u32 threads = 0;
  Accumulator* accumulators[128];
  u32 aRegisters[128][4];
};

struct Warpgroup {
  u32 slot = 0;
  /** Operations that were complete before the first one of `operations`. */
  u32 before = 0;
  std::deque<WgmmaOperation> operations;
  /** Event of the reads of the group under way, from one site. */
  u32 eventSite = 0, eventGroup = 0, event = 0;
  std::vector<Thread*> waiters;
};

}  // namespace emu
