/** [test/support] Findings of the emulation: their kinds, call sites and texts. Who finds them lives with each subject. */
#pragma once
#include <string>
#include <vector>
#include "../device/calls.h"

namespace emu {

/** Order and names are those of EMULATION_KINDS in emulation-protocol.ts. */
enum class Kind : u32 {
  race,
  earlyRead,
  overwriteInFlight,
  uninit,
  oobShared,
  oobGlobal,
  deadlock,
  misuse,
  leftPending,
  divideByZero,
  mbarrier,
  proxy,
  accumulatorEarly,
};

/** One finding; the same kind at the same pair of call sites is counted, not repeated. */
struct Report {
  Kind kind;
  std::string text;
  u64 count;
};

struct Thread;
struct Block;

/** Small number of a call site; the runtime keeps the site behind it. 0 is no site. */
u32 siteOf(const At& at);
/** `tw_lds at softmax.ts:12`. */
std::string siteText(u32 site);
std::string threadText(const Thread& thread);
/** Address with the name that tw_label gave its allocation. */
std::string addressText(const Block& block, u32 offset);
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);
/**
 * Records a finding of the running thread. `other` is a second site that belongs to it, or tells findings of
 * one site apart.
 */
void report(Kind kind, u32 site, u32 other, const std::string& text);

}  // namespace emu
