/** [test/support] Blocks of a cluster: their barrier, and addresses of one another's shared memory. */
#include "state.h"

namespace emu {

/** Where the rank, counted from 1, stands in an address of tw_map_to_cta. */
static constexpr u32 RANK_SHIFT = 24;

u32 clusterRank() { return selfBlock().rank; }

u32 mapToCta(u32 address, u32 cta, const At& at) {
  const u32 site = siteOf(at);
  if (cta >= launch->config.cluster || address >> RANK_SHIFT) {
    misuse(site, 20, format(": no block %u in a cluster of %u, or 0x%x is mapped already", cta, launch->config.cluster,
                            address));
    return address;
  }
  return address | (cta + 1) << RANK_SHIFT;
}

Block* blockOfAddress(u32& address) {
  Block& own = selfBlock();
  const u32 rank = address >> RANK_SHIFT;
  address &= (1u << RANK_SHIFT) - 1;
  if (rank == 0) return &own;
  return rank <= own.cluster->blocks.size() ? own.cluster->blocks[rank - 1] : nullptr;
}

static void closeRound(Cluster& cluster) {
  cluster.arrived = 0;
  cluster.rounds++;
  joinKnowledge(cluster.over, cluster.arriving);
  cluster.arriving = {};
  std::vector<Thread*> waiters;
  waiters.swap(cluster.waiters);
  for (Thread* waiter : waiters) wake(*waiter);
}

void arriveCluster(const At& at) {
  const u32 site = siteOf(at);
  Thread& thread = self();
  Cluster& cluster = *thread.block->cluster;
  if (thread.clusterArrivals > cluster.rounds) {
    misuse(site, 21, " again without tw_cluster_wait after the last one");
    return;
  }
  thread.clusterArrivals++;
  releaseClock(thread, cluster.arriving);
  if (++cluster.arrived == cluster.alive) closeRound(cluster);
  maybeYield();
}

void waitCluster(const At& at) {
  const u32 site = siteOf(at);
  Thread& thread = self();
  Cluster& cluster = *thread.block->cluster;
  while (cluster.rounds < thread.clusterArrivals) {
    cluster.waiters.push_back(&thread);
    waitHere(WaitFor::cluster, site, 0);
  }
  acquireClock(thread, cluster.over);
}

void leaveCluster(Cluster& cluster) {
  cluster.alive--;
  if (cluster.arrived && cluster.arrived >= cluster.alive) closeRound(cluster);
}

}  // namespace emu
