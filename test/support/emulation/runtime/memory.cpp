/** [test/support] Checked accesses to shared and global memory, and the start of atomics. */
#include <cstring>
#include "state.h"

namespace emu {

std::string callText(u32 site) { return threadText(self()) + ": " + siteText(site); }

void misuse(u32 site, u32 other, const std::string& text) {
  report(Kind::misuse, site, other, callText(site) + text);
}

// ---- shared memory

u32 sharedBase() { return SHARED_BASE; }

void labelShared(u32 address, u32 bytes, const char* name) {
  std::vector<Label>& labels = selfBlock().labels;
  for (const Label& label : labels) {
    if (label.offset == address && label.bytes == bytes && label.name == name) return;
  }
  labels.push_back({address, bytes, name});
}

static bool touchesMbarrier(u32 address, u32 bytes, u32 site) {
  const Block& block = selfBlock();
  for (u32 at = address / 8; at <= (address + bytes - 1) / 8; at++) {
    if (!block.mbarrierAt[at]) continue;
    report(Kind::mbarrier, site, 1,
           callText(site) + " accesses the bytes of mbarrier " + addressText(block, at * 8) + " as if they were data");
    return true;
  }
  return false;
}

/** True where the access lies in the block's shared memory and is aligned; otherwise it has been reported. */
bool checkShared(u32 address, u32 bytes, u32 site) {
  const u32 top = SHARED_BASE + launch->config.sharedBytes;
  if (address < SHARED_BASE || address >= top || bytes > top - address) {
    report(Kind::oobShared, site, 0,
           callText(site) + format(" accesses %u bytes at shared address 0x%x; the block has [0x%x, 0x%x)", bytes,
                                   address, SHARED_BASE, top));
    return false;
  }
  if (address % bytes) {
    report(Kind::misuse, site, 1,
           callText(site) + format(": shared address 0x%x is not a multiple of %u", address, bytes));
    return false;
  }
  return !selfBlock().mbarriers.size() || !touchesMbarrier(address, bytes, site);
}

void loadShared(u32 address, void* to, u32 bytes, const At& at) {
  const u32 site = siteOf(at);
  std::memset(to, 0, bytes);
  if (!checkShared(address, bytes, site)) return;
  if (launch->config.check) {
    Shadow& shadow = selfBlock().shadow;
    checkRead(shadow, address, bytes, site, accessEvent(shadow, EventKind::load, site));
    countBankAccess(site, address, bytes);
  }
  std::memcpy(to, &selfBlock().memory[address], bytes);
}

void storeShared(u32 address, const void* from, u32 bytes, const At& at) {
  const u32 site = siteOf(at);
  if (!checkShared(address, bytes, site)) return;
  if (launch->config.check) {
    Shadow& shadow = selfBlock().shadow;
    checkWrite(shadow, address, bytes, site, accessEvent(shadow, EventKind::store, site));
    countBankAccess(site, address, bytes);
  }
  std::memcpy(&selfBlock().memory[address], from, bytes);
}

void storeRemote(u32 address, const void* from, u32 bytes, const At& at) {
  const u32 site = siteOf(at);
  Block* block = blockOfAddress(address);
  if (!block || !block->alive) {
    misuse(site, 22, format(": 0x%x is in no running block of the cluster", address));
    return;
  }
  if (!checkShared(address, bytes, site)) return;
  if (launch->config.check) {
    Shadow& shadow = block->shadow;
    checkWrite(shadow, address, bytes, site, accessEvent(shadow, EventKind::store, site));
  }
  std::memcpy(&block->memory[address], from, bytes);
}

// ---- global memory

static const Buffer* bufferOf(u64 address, u64 bytes) {
  const auto holds = [&](const Buffer& buffer) {
    return address >= buffer.low && address + bytes <= buffer.high;
  };
  if (launch->lastBuffer && holds(*launch->lastBuffer)) return launch->lastBuffer;
  for (const Buffer& buffer : *launch->buffers) {
    if (holds(buffer)) return launch->lastBuffer = &buffer;
  }
  return nullptr;
}

/** The buffer that an address beyond every buffer most likely belongs to. */
static std::string nearestText(u64 address) {
  constexpr u64 REACH = 1 << 16;
  const Buffer* nearest = nullptr;
  u64 least = REACH;
  for (const Buffer& buffer : *launch->buffers) {
    const u64 distance = address < buffer.low ? buffer.low - address : address - buffer.high;
    if (distance >= least) continue;
    least = distance;
    nearest = &buffer;
  }
  if (!nearest) return "";
  return format(" (%s has %llu bytes; the access is at byte %lld)", nearest->name.c_str(),
                nearest->high - nearest->low, (i64)(address - nearest->low));
}

Shadow& shadowOf(const Buffer& buffer) {
  Shadow& shadow = launch->globalShadows[&buffer];
  if (shadow.wide.empty()) {
    shadow.tensor = buffer.name;
    shadow.reset((u32)(buffer.high - buffer.low));
  }
  return shadow;
}

static void checkOrder(const Buffer& buffer, u64 address, u32 bytes, Access access, u32 site) {
  Shadow& shadow = shadowOf(buffer);
  const u32 offset = (u32)(address - buffer.low);
  switch (access) {
    case Access::read:
    case Access::readOnly:
      return checkRead(shadow, offset, bytes, site, accessEvent(shadow, EventKind::load, site));
    case Access::write:
      return checkWrite(shadow, offset, bytes, site, accessEvent(shadow, EventKind::store, site));
    case Access::atomic:
      return checkWrite(shadow, offset, bytes, site, accessEvent(shadow, EventKind::atomic, site));
  }
}

void waitPrevious() {
  Thread& thread = self();
  thread.hasWaited = true;
  if (launch->config.check) thread.block->waits.push_back({thread.slot, thread.clock[thread.slot]});
}

void checkPrevious(const Buffer& buffer, u32 site) {
  Thread& thread = self();
  if (buffer.settled || thread.hasWaited || !launch->config.dependent || !launch->config.check) return;
  for (const auto& [slot, moment] : thread.block->waits) {
    thread.hasWaited = thread.hasWaited || momentIn(thread.clock, slot) >= moment;
  }
  if (thread.hasWaited) return;
  misuse(site, 11, " touches global memory before tw_wait_previous, while the launch before may still write it");
}

/** True where the access lies in one tensor, is aligned and allowed; otherwise it has been reported. */
bool checkRange(const void* p, u32 bytes, u32 alignment, Access access, u32 site) {
  const u64 address = (u64)p;
  const bool isWrite = access == Access::write || access == Access::atomic;
  const Buffer* buffer = bufferOf(address, bytes);
  if (!buffer) {
    report(Kind::oobGlobal, site, 0,
           callText(site) + (isWrite ? " writes " : " reads ") +
               format("%u bytes outside of every tensor", bytes) + nearestText(address));
    return false;
  }
  checkPrevious(*buffer, site);
  if (isWrite && !buffer->writable) {
    report(Kind::misuse, site, 2, callText(site) + " writes " + buffer->name + ", which the kernel only reads");
    return false;
  }
  if (access == Access::readOnly && buffer->writable) {
    report(Kind::misuse, site, 3,
           callText(site) + " reads " + buffer->name + " through the read-only path, but the kernel may write it");
  }
  if (address % alignment) {
    report(Kind::misuse, site, 4,
           callText(site) + format(": byte %llu of %s is not a multiple of %u", address - buffer->low,
                                   buffer->name.c_str(), alignment));
    return false;
  }
  if (launch->config.check && buffer->writable) checkOrder(*buffer, address, bytes, access, site);
  return true;
}

bool checkGlobal(const void* p, u32 bytes, Access access, const At& at) {
  return checkRange(p, bytes, bytes, access, siteOf(at));
}

bool beginAtomic(const void* p, const At& at) {
  maybeYield();
  return checkRange(p, 4, 4, Access::atomic, siteOf(at));
}

i32 arriveAtCounter(i32* p, i32 expected, const At& at) {
  if (!beginAtomic(p, at)) return 0;
  const i32 before = *p;
  if (expected < 1 || before < 0 || before >= expected) {
    misuse(siteOf(at), 22, format(" finds a count of %d where %d blocks are expected", before, expected));
  }
  Others& told = launch->counters[p];
  releaseDevice(self(), told);
  acquireDevice(self(), told);
  const bool isLast = before + 1 >= expected;
  *p = isLast ? 0 : before + 1;
  return isLast;
}

void reportDivision(const At& at) {
  const u32 site = siteOf(at);
  report(Kind::divideByZero, site, 0, callText(site) + " divides by zero");
}

}  // namespace emu
