/** [test/support] How a collective operation of a warp is written: one function over the arguments of all lanes. */
#pragma once
#include "state.h"

namespace emu {

/** The running lane joins; true for the last one to come. */
bool gatherLane(const At& at, u32 site, void* argument, Gathering*& gathering);
/** The last lane wakes the others, which wait here until then. */
void leaveGathering(Gathering& gathering, bool isLast, u32 site);

/**
 * Runs perform(gathering) once all lanes of the warp are here with their arguments. It orders no memory.
 * Lanes that stand at different
 * sites are reported and taken together.
 */
template <class F> void collective(const At& at, u32 site, void* argument, F perform) {
  Gathering* gathering;
  const bool isLast = gatherLane(at, site, argument, gathering);
  if (isLast) perform(*gathering);
  leaveGathering(*gathering, isLast, site);
}

template <class F> void eachLane(const Gathering& gathering, F visit) {
  for (u32 lane = 0; lane < launch->config.warp; lane++) {
    if (gathering.needed >> lane & 1) visit(lane);
  }
}

}  // namespace emu
