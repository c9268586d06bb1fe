/** [test/support] One launch: blocks in random order, some at a time, each with fresh shared memory and threads. */
#include <cstring>
#include "state.h"

namespace emu {

Launch* launch = nullptr;

i32 threadIndex() { return (i32)self().index; }
i32 threadCount() { return (i32)launch->config.threads; }
i32 blockIndex(u32 axis) { return (i32)selfBlock().id[axis]; }
i32 gridSize(u32 axis) { return (i32)launch->config.grid[axis]; }

static std::vector<u64> shuffledBlocks() {
  const Config& config = launch->config;
  std::vector<u64> order((u64)config.grid[0] * config.grid[1] * config.grid[2]);
  for (u64 i = 0; i < order.size(); i++) order[i] = i;
  for (u64 i = order.size(); i > 1; i--) std::swap(order[i - 1], order[launch->random.below((u32)i)]);
  return order;
}

static std::unique_ptr<Block> makeBlock(u64 index, u32 slot) {
  const Config& config = launch->config;
  auto block = std::make_unique<Block>();
  block->id[0] = (u32)(index % config.grid[0]);
  block->id[1] = (u32)(index / config.grid[0] % config.grid[1]);
  block->id[2] = (u32)(index / config.grid[0] / config.grid[1]);
  block->slot = slot;
  block->ordinal = (u32)index + 1;
  block->alive = config.threads;
  // All ones is a NaN in every float type, so that a value read too early does not pass for a zero.
  block->memory.assign(SHARED_BASE + config.sharedBytes, 0xff);
  block->warps.resize((config.threads + config.warp - 1) / config.warp);
  if (config.check) block->shadow.reset(SHARED_BASE + config.sharedBytes);
  block->threads.resize(config.threads);
  for (u32 i = 0; i < config.threads; i++) {
    Thread& thread = block->threads[i];
    thread.block = block.get();
    thread.index = i;
    if (!config.check) continue;
    thread.clock.assign(config.threads, 0);
    thread.clock[i] = 1;
  }
  return block;
}

/**
 * A program's threads may count on limits of the devices; what no device would launch is refused here too.
 */
static bool isLaunchable(const Config& config) {
  std::string problem;
  if (config.threads == 0 || config.threads > 1024) {
    problem = format("%u threads in a block; 1 to 1024 are possible", config.threads);
  }
  if (config.sharedBytes > SHARED_MOST) {
    problem = format("%u bytes of shared memory in a block; %u are possible", config.sharedBytes, SHARED_MOST);
  }
  if (config.grid[1] > 65535 || config.grid[2] > 65535) problem = "more than 65535 blocks along y or z";
  if (problem.empty()) return true;
  launch->reports.push_back({Kind::misuse, config.kernel + ": " + problem, 1});
  return false;
}

void runLaunch(Launch& what) {
  launch = &what;
  const Config& config = what.config;
  what.random.state = config.seed * 0x9e3779b97f4a7c15ull + 0x1234567;
  for (u32 i = 0; i < 8; i++) what.random.next();
  // From "lands only when waited for" to "lands at once".
  static const double RATES[] = {0, 0.003, 0.05, 0.3, 0.9};
  what.landingRate = RATES[what.random.below(5)];
  if (!isLaunchable(config)) return;
  const std::vector<u64> order = shuffledBlocks();
  for (u64 first = 0; first < order.size() && !what.deadlocked; first += config.resident) {
    what.resident.clear();
    what.pending.clear();
    what.starveUntil = what.steps;
    for (u64 i = first; i < order.size() && i < first + config.resident; i++) {
      what.resident.push_back(makeBlock(order[i], (u32)(i - first)));
    }
    runThreads();
    if (what.deadlocked) break;
    for (auto& block : what.resident) finishCopies(*block);
    what.current = nullptr;
    finishBanks();
  }
}

}  // namespace emu
