/** [test/support] TMA: boxes that travel between global and shared memory as late or as early as the seed says. */
#include <cstring>
#include "tensor-map.h"

namespace emu {

static const Buffer& bufferOf(const TensorMap& map) { return (*launch->buffers)[map.buffer]; }

/** The map behind an argument, if the instruction fits it; otherwise that has been reported. */
static const TensorMap* mapOf(const tw_tensor_map* argument, u32 rank, const i32* start, u32 site) {
  if (argument->opaque[1] != TENSOR_MAP_MARK) {
    misuse(site, 30, " is given something that is no tensor map of the launch");
    return nullptr;
  }
  const TensorMap* map = (const TensorMap*)argument->opaque[0];
  checkPrevious(bufferOf(*map), site);
  if (map->rank != rank) {
    misuse(site, 31, format(": the map has rank %u", map->rank));
    return nullptr;
  }
  // @source an H200 stops with an illegal instruction here
  if ((i64)start[0] * map->elementBytes % 16) {
    misuse(site, 32, format(": start %d along the fastest axis is no multiple of 16 bytes", start[0]));
    return nullptr;
  }
  return map;
}

static bool isInShared(const TensorMap& map, u32 address, u32 site) {
  const u32 top = SHARED_BASE + launch->config.sharedBytes, bytes = boxRows(map) * rowPitch(map);
  if (address % 128) {
    misuse(site, 33, format(": shared address 0x%x is no multiple of 128", address));
    return false;
  }
  if (address >= SHARED_BASE && address < top && bytes <= top - address) return true;
  report(Kind::oobShared, site, 0,
         callText(site) + format(" moves %u bytes at shared address 0x%x; the block has [0x%x, 0x%x)", bytes, address,
                                 SHARED_BASE, top));
  return false;
}

/** Event of an access to the map's tensor and its check; 0 where nothing can be in conflict. */
static u32 checkTensor(const TensorMap& map, const i32* start, EventKind kind, u32 slot, u32 site) {
  const Buffer& buffer = bufferOf(map);
  if (!launch->config.check || !buffer.writable) return 0;
  Shadow& shadow = shadowOf(buffer);
  const u32 event = newEvent(shadow, self(), kind, site, NEVER, slot);
  eachChunk(map, start, 0, [&](u32, const u8* global, u32 first, u32 last) {
    if (first == last) return;
    const u32 offset = (u32)((u64)global + first - buffer.low);
    if (kind == EventKind::tensorLoad) {
      checkRead(shadow, offset, last - first, site, event);
    } else {
      checkWrite(shadow, offset, last - first, site, event);
    }
  });
  return event;
}

static void startLoad(Block& target, const TensorMap& map, const i32* start, u32 address, u32 barAddress, bool isFirst,
                      u32 site) {
  if (!target.alive) {
    misuse(site, 34, format(" loads into block %u of the cluster, which has ended", target.rank));
    return;
  }
  Mbarrier* bar = findMbarrier(target, barAddress, site);
  if (!bar) return;
  TensorLoad load{&self(), &target, &map, {}, address, barAddress, bar->phase, site, 0, 0};
  std::memcpy(load.start, start, map.rank * sizeof(i32));
  if (launch->config.check) {
    if (momentIn(self().clock, bar->maker) < bar->fencedAt) {
      report(Kind::proxy, site, bar->site,
             callText(site) + " uses " + mbarrierText(target, *bar) + "; between " + siteText(bar->site) +
                 " and the barrier after it there is no tw_fence_mbarrier_init");
    }
    load.writeEvent = newEvent(target.shadow, self(), EventKind::tensorLoad, site, NEVER, bar->slot);
    if (isFirst) load.readEvent = checkTensor(map, start, EventKind::tensorLoad, bar->slot, site);
    eachChunk(map, start, address, [&](u32 at, const u8*, u32, u32) {
      checkWrite(target.shadow, at, 16, site, load.writeEvent);
      std::memset(&target.memory[at], 0xff, 16);
    });
  }
  bar->loadSite = site;
  bar->loadPhase = bar->phase;
  launch->tensorLoads.push_back(load);
}

void loadTensor(u32 dst, const tw_tensor_map* argument, u32 bar, u32 rank, const i32* start, u32 ctas, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  const TensorMap* map = mapOf(argument, rank, start, site);
  if (!map || !isInShared(*map, dst, site)) return;
  Block& own = selfBlock();
  if (!ctas) ctas = 1u << own.rank;
  if (ctas >> own.cluster->blocks.size()) {
    misuse(site, 35, format(": mask 0x%x names blocks past the cluster's %u", ctas, launch->config.cluster));
    return;
  }
  bool isFirst = true;
  for (Block* block : own.cluster->blocks) {
    if (!(ctas >> block->rank & 1)) continue;
    startLoad(*block, *map, start, dst, bar, isFirst, site);
    isFirst = false;
  }
  maybeYield();
}

void landTensorLoad(u32 index) {
  const TensorLoad load = launch->tensorLoads[index];
  launch->tensorLoads[index] = launch->tensorLoads.back();
  launch->tensorLoads.pop_back();
  Thread* running = launch->current;
  launch->current = load.issuer;
  Block& target = *load.target;
  eachChunk(*load.map, load.start, load.address, [&](u32 at, const u8* global, u32 first, u32 last) {
    std::memset(&target.memory[at], 0, 16);
    if (first < last) std::memcpy(&target.memory[at + first], global + first, last - first);
  });
  Mbarrier& bar = target.mbarriers[target.mbarrierAt[load.bar / 8] - 1];
  if (bar.phase != load.phase) {
    report(Kind::mbarrier, load.site, 10,
           siteText(load.site) + format(": %u bytes arrive in a later phase than %u, in which the load was started; "
                                        "tw_mbarrier_expect_tx announced too few bytes, or an arrival came too early; ",
                                        boxBytes(*load.map), load.phase) +
               mbarrierText(target, bar));
  }
  if (load.writeEvent) target.shadow.events[load.writeEvent].moment = bar.phase + 1;
  if (load.readEvent) shadowOf(bufferOf(*load.map)).events[load.readEvent].moment = bar.phase + 1;
  bringBytes(bar, boxBytes(*load.map));
  launch->current = running;
}

void storeTensor(const tw_tensor_map* argument, u32 src, u32 rank, const i32* start, const At& at) {
  const u32 site = siteOf(at);
  maybeYield();
  const TensorMap* map = mapOf(argument, rank, start, site);
  if (!map || !isInShared(*map, src, site)) return;
  const Buffer& buffer = bufferOf(*map);
  if (!buffer.writable) return misuse(site, 2, " writes " + buffer.name + ", which the kernel only reads");
  for (u32 i = 0; i < rank; i++) {
    // @source an H200 stops with an illegal instruction here
    if (start[i] < 0) return misuse(site, 37, format(" starts at %d; only loads may start below 0", start[i]));
  }
  const u64 width = map->dims[0] * map->elementBytes;
  // @source an H200 writes the whole last chunk
  if (width % 16 && (u64)start[0] * map->elementBytes + rowBytes(*map) > width) {
    misuse(site, 38, format(" crosses the edge at byte %llu of a row; only whole chunks of 16 bytes are left out", width));
  }
  Thread& thread = self();
  Shadow& shadow = thread.block->shadow;
  TensorStore store{&thread, map, {}, src, thread.closedStores + 1, false, {}};
  std::memcpy(store.start, start, rank * sizeof(i32));
  OpenStore open{store.group, site, 0, 0, &buffer, false};
  if (launch->config.check) {
    open.readEvent = newEvent(shadow, thread, EventKind::tensorStore, site, NEVER, thread.slot);
    eachChunk(*map, start, src, [&](u32 at, const u8*, u32 first, u32 last) {
      if (first < last) checkRead(shadow, at + first, last - first, site, open.readEvent);
    });
    open.writeEvent = checkTensor(*map, start, EventKind::tensorStore, thread.slot, site);
  }
  thread.stores.push_back(open);
  launch->tensorStores.push_back(store);
}

static void readSource(TensorStore& store) {
  const std::vector<u8>& memory = store.issuer->block->memory;
  eachChunk(*store.map, store.start, store.address, [&](u32 at, const u8*, u32, u32) {
    store.bytes.insert(store.bytes.end(), &memory[at], &memory[at] + 16);
  });
  store.hasRead = true;
}

static void writeTensor(const TensorStore& store) {
  const u8* from = store.bytes.data();
  eachChunk(*store.map, store.start, store.address, [&](u32, u8* global, u32 first, u32 last) {
    if (first < last) std::memcpy(global + first, from + first, last - first);
    from += 16;
  });
}

void landTensorStore(u32 index) {
  TensorStore& store = launch->tensorStores[index];
  if (!store.hasRead) return readSource(store);
  writeTensor(store);
  if (index + 1 < launch->tensorStores.size()) store = std::move(launch->tensorStores.back());
  launch->tensorStores.pop_back();
}

void commitStores() { self().closedStores++; }

void waitStores(u32 unfinished, bool onlyRead) {
  Thread& thread = self();
  if (thread.closedStores <= unfinished) return;
  const u32 upTo = thread.closedStores - unfinished;
  std::vector<TensorStore>& all = launch->tensorStores;
  for (u32 i = 0; i < all.size();) {
    const bool isMeant = all[i].issuer == &thread && all[i].group <= upTo;
    if (isMeant && !all[i].hasRead) readSource(all[i]);
    if (isMeant && !onlyRead) {
      landTensorStore(i);
    } else {
      i++;
    }
  }
  std::vector<OpenStore> left;
  for (OpenStore& store : thread.stores) {
    if (store.group <= upTo && launch->config.check) {
      const u32 now = thread.clock[thread.slot];
      if (!store.isRead) thread.block->shadow.events[store.readEvent].moment = now;
      store.isRead = true;
      if (!onlyRead && store.writeEvent) shadowOf(*store.buffer).events[store.writeEvent].moment = now;
    }
    if (store.group > upTo || onlyRead) left.push_back(store);
  }
  thread.stores.swap(left);
}

/** A load that nobody has waited for may come into shared memory that is another block's by then. */
static void checkWaited(Block& block, const Mbarrier& bar) {
  if (!bar.loadSite) return;
  for (const Block* other : block.cluster->blocks) {
    for (const Thread& thread : other->threads) {
      if (momentIn(thread.clock, bar.slot) > bar.loadPhase) return;
    }
  }
  launch->current = &block.threads[0];
  report(Kind::leftPending, bar.loadSite, 0,
         siteText(bar.loadSite) + format(": the block ends and nobody has waited for phase %u of ", bar.loadPhase) +
             mbarrierText(block, bar));
}

void finishTensorCopies(Block& block) {
  if (!launch->config.check) return;
  for (const Mbarrier& bar : block.mbarriers) checkWaited(block, bar);
  for (Thread& thread : block.threads) {
    for (const OpenStore& store : thread.stores) {
      if (store.isRead) continue;
      launch->current = &thread;
      report(Kind::leftPending, store.site, 0,
             threadText(thread) + ": the block ends and tw_tma_store_wait_read has not covered " + siteText(store.site));
    }
  }
}

}  // namespace emu
