/** [test/support] Findings of the emulation: call sites, texts, and the list that a launch hands back. */
#include "report.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include "state.h"

namespace emu {

struct SiteTable {
  struct Recent {
    const char* file;
    const char* op;
    u32 line;
    u32 site;
  };
  std::vector<At> sites = {At{"", 0, "?"}};
  std::unordered_map<u64, u32> index;
  Recent recent[1024] = {};
};

static SiteTable& siteTable() {
  static SiteTable table;
  return table;
}

u32 siteOf(const At& at) {
  if (launch && launch->current) self().lastCall = at;
  SiteTable& table = siteTable();
  const u64 key = ((u64)at.file * 31 + (u64)at.op) * 65599 + at.line;
  SiteTable::Recent& recent = table.recent[(key ^ key >> 17) & 1023];
  const bool isRecent = recent.file == at.file && recent.op == at.op && recent.line == at.line;
  if (isRecent && recent.site) return recent.site;
  u32& site = table.index[key];
  if (!site) {
    site = (u32)table.sites.size();
    table.sites.push_back(at);
  }
  recent = {at.file, at.op, at.line, site};
  return site;
}

std::string siteText(u32 site) {
  const At& at = siteTable().sites[site];
  const char* slash = std::strrchr(at.file, '/');
  return format("%s at %s:%u", at.op, slash ? slash + 1 : at.file, at.line);
}

std::string format(const char* pattern, ...) {
  char text[2048];
  va_list list;
  va_start(list, pattern);
  std::vsnprintf(text, sizeof text, pattern, list);
  va_end(list);
  return text;
}

std::string threadText(const Thread& thread) {
  return format("thread %u (warp %u lane %u)", thread.index, warpOf(thread), laneOf(thread));
}

std::string addressText(const Block& block, u32 offset) {
  for (auto label = block.labels.rbegin(); label != block.labels.rend(); ++label) {
    if (offset >= label->offset && offset < label->offset + label->bytes) {
      return format("0x%x (%s+%u)", offset, label->name.c_str(), offset - label->offset);
    }
  }
  return format("0x%x", offset);
}

void report(Kind kind, u32 site, u32 other, const std::string& text) {
  const u64 key = (u64)kind << 56 | (u64)site << 28 | other;
  const auto known = launch->reportIndex.find(key);
  if (known != launch->reportIndex.end()) {
    launch->reports[known->second].count++;
    return;
  }
  if (launch->reports.size() >= launch->config.maxReports) return;
  launch->reportIndex[key] = (u32)launch->reports.size();
  const u32* id = selfBlock().id;
  const std::string place = format(" [%s block (%u,%u,%u)]", launch->config.kernel.c_str(), id[0], id[1], id[2]);
  launch->reports.push_back({kind, text + place, 1});
}

}  // namespace emu
