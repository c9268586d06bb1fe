/** [codegen/analysis/protocol] Vector clocks: what a thread of a block is sure of. The rules of single events are in replay.ts. */

/**
 * For each thread the events of it that have happened, then for each barrier the phases that are known to be over. Larger everywhere is
 * later; neither larger nor smaller is at the same time.
 */
export type Clock = number[];

export function newClock(instances: number, barriers: number): Clock {
  return new Array<number>(instances + barriers).fill(0);
}

/** Makes `into` as late as `from` where that is later; an empty clock is the beginning. */
export function joinClock(into: Clock, from: Clock): void {
  for (let i = 0; i < from.length; i++) {
    const other = from[i] ?? 0;
    if (other > (into[i] ?? 0)) into[i] = other;
  }
}

/** Raises one component. */
export function raiseClock(clock: Clock, at: number, value: number): void {
  if ((clock[at] ?? 0) < value) clock[at] = value;
}
