/** [test/support] One launch: clusters of blocks in random order, some at a time, each block with fresh shared memory and threads. */
#include <cstring>
#include "state.h"

namespace emu {

Launch* launch = nullptr;

i32 threadIndex() { return (i32)self().index; }
i32 threadCount() { return (i32)launch->config.threads; }
i32 blockIndex(u32 axis) { return (i32)selfBlock().id[axis]; }
i32 gridSize(u32 axis) { return (i32)launch->config.grid[axis]; }

static std::vector<u64> shuffledClusters() {
  const Config& config = launch->config;
  std::vector<u64> order((u64)config.grid[0] / config.cluster * config.grid[1] * config.grid[2]);
  for (u64 i = 0; i < order.size(); i++) order[i] = i;
  for (u64 i = order.size(); i > 1; i--) std::swap(order[i - 1], order[launch->random.below((u32)i)]);
  return order;
}

static std::unique_ptr<Block> makeBlock(u64 index, u32 slot, Cluster& cluster) {
  const Config& config = launch->config;
  auto block = std::make_unique<Block>();
  block->id[0] = (u32)(index % config.grid[0]);
  block->id[1] = (u32)(index / config.grid[0] % config.grid[1]);
  block->id[2] = (u32)(index / config.grid[0] / config.grid[1]);
  block->slot = slot;
  block->ordinal = (u32)index + 1;
  block->alive = config.threads;
  block->cluster = &cluster;
  block->rank = (u32)(index % config.cluster);
  cluster.blocks.push_back(block.get());
  // All ones is a NaN in every float type, so that a value read too early does not pass for a zero.
  block->memory.assign(SHARED_BASE + config.sharedBytes, 0xff);
  block->warps.resize((config.threads + config.warp - 1) / config.warp);
  block->shadow.owner = block.get();
  if (config.check) block->shadow.reset(SHARED_BASE + config.sharedBytes);
  block->warpgroups.resize(config.threads / 128);
  for (Warpgroup& warpgroup : block->warpgroups) warpgroup.slot = cluster.slots++;
  block->threads.resize(config.threads);
  for (u32 i = 0; i < config.threads; i++) {
    Thread& thread = block->threads[i];
    thread.block = block.get();
    thread.index = i;
    thread.slot = block->rank * config.threads + i;
    if (!config.check) continue;
    thread.clock.assign(config.threads * config.cluster, 0);
    thread.clock[thread.slot] = 1;
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
  if (config.cluster == 0 || config.cluster > 16 || config.grid[0] % config.cluster) {
    problem = format("a grid of %u blocks along x in clusters of %u", config.grid[0], config.cluster);
  }
  if (config.grid[1] > 65535 || config.grid[2] > 65535) problem = "more than 65535 blocks along y or z";
  if (problem.empty()) return true;
  launch->reports.push_back({Kind::misuse, config.kernel + ": " + problem, 1});
  return false;
}

static void clearResident(Launch& what) {
  what.resident.clear();
  what.clusters.clear();
  what.pending.clear();
  what.tensorLoads.clear();
  what.tensorStores.clear();
  what.readyWgmma = 0;
  what.starveUntil = what.steps;
}

static void startCluster(u64 index) {
  const Config& config = launch->config;
  launch->clusters.push_back(std::make_unique<Cluster>());
  Cluster& cluster = *launch->clusters.back();
  cluster.slots = cluster.alive = config.threads * config.cluster;
  for (u32 rank = 0; rank < config.cluster; rank++) {
    launch->resident.push_back(makeBlock(index * config.cluster + rank, (u32)launch->resident.size(), cluster));
  }
}

static void finishResident(Launch& what) {
  for (auto& block : what.resident) {
    finishCopies(*block);
    finishTensorCopies(*block);
    finishWgmma(*block);
  }
  while (!what.tensorStores.empty()) landTensorStore(0);
  what.current = nullptr;
  finishBanks();
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
  const std::vector<u64> order = shuffledClusters();
  const u64 together = config.resident > config.cluster ? config.resident / config.cluster : 1;
  for (u64 first = 0; first < order.size() && !what.deadlocked; first += together) {
    clearResident(what);
    for (u64 i = first; i < order.size() && i < first + together; i++) startCluster(order[i]);
    runThreads();
    if (what.deadlocked) break;
    finishResident(what);
  }
}

}  // namespace emu
