/** [engine/scheduler] Beams among other requests: who has a seat and pages for the next turn, what ends a beam. The search itself is in beam-search.ts. */
import { type BeamEnds, BeamGroup, type BeamMove } from "../beam-search.ts";
import type { Request } from "../core.ts";

/** All of a search have the place of the one that was asked for. */
export function joinBeams(lead: Request): void {
  const group = new BeamGroup(lead);
  for (const member of group.members) {
    member.beams = group;
    member.arrival = lead.arrival;
  }
}

/** @param eosTokenIds tokens that end a request unless it ignores them */
export function beamEnds(
  { params }: Request,
  eosTokenIds: ReadonlySet<number>,
  isLast: BeamEnds["isLast"],
): BeamEnds {
  const { ignoreEos, minTokens, stopTokenIds } = params;
  return {
    isLast,
    stopOf: (token, numOutputs) => {
      if (numOutputs < minTokens) return undefined;
      if (!ignoreEos && eosTokenIds.has(token)) return { stopReason: undefined };
      return stopTokenIds.includes(token) ? { stopReason: token } : undefined;
    },
  };
}

export interface SeatRoom {
  readonly running: ReadonlySet<Request>;
  /** Requests that may run besides. */
  readonly seats: number;
  /** Pages may be shared. */
  readonly canFork: boolean;
}

export interface Seating {
  /** Those that go on with pages. */
  readonly seated: readonly BeamMove[];
  /** Those that wait for pages and a seat as any other request. */
  readonly unseated: readonly Request[];
  /** Members without a beam. */
  readonly leaving: readonly Request[];
}

/** A beam keeps its seat, or takes one that is free, where its source holds pages: one that was preempted does not. */
export function seatBeams(
  members: readonly Request[],
  moves: readonly BeamMove[],
  { running, seats, canFork }: SeatRoom,
): Seating {
  const targets = new Set(moves.map(({ target }) => target));
  const leaving = members.filter((member) => !targets.has(member));
  let free = seats + leaving.filter((member) => running.has(member)).length;
  const isSeated = ({ target, source }: BeamMove): boolean => {
    if (source.computed === 0 || !(target === source || canFork)) return false;
    return running.has(target) || (target !== source && free-- > 0);
  };
  const seated = moves.filter(isSeated);
  const unseated = moves.filter((move) => !seated.includes(move)).map(({ target }) => target);
  return { seated, unseated, leaving };
}
