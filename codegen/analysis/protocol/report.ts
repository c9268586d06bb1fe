/** [codegen/analysis/protocol] A fault as an error: one order of the threads that leads to it, step by step, in terms of the source. */
import { type Diagnostic, type ErrorCode, formatSpan } from "../../../dsl/index.ts";
import type { ChosenLaunch } from "./choose-launches.ts";
import type { Launch } from "./evaluate-scalar.ts";
import {
  formatBarrier,
  formatPhase,
  formatPlace,
  type Place,
  type ProtocolEvent,
  type ProtocolSystem,
  unitOf,
} from "./events.ts";
import type { At, Fault, Rule } from "./faults.ts";
import { hasSeen } from "./mbarriers.ts";
import { kernelRemedy } from "./remedies.ts";
import { type Replayed, replayProtocol, type Step, type Stuck } from "./replay.ts";

const CODES: Readonly<Record<Rule, ErrorCode>> = {
  deadlock: "TW2101",
  filled: "TW2102",
  free: "TW2103",
  bytes: "TW2104",
  arrivals: "TW2105",
  phase: "TW2106",
  accumulator: "TW2107",
  initialised: "TW2108",
  slot: "TW2109",
  order: "TW2110",
  drained: "TW2111",
};

/** Steps that are shown; the earliest others are counted. */
const MOST_STEPS = 16;
const MIN_GAP = 2;

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function describeTiles(system: ProtocolSystem, tiles: readonly number[]): string {
  return tiles.map((tile) => formatPlace(system.tiles[tile])).join(", ");
}

/** What the event does, such as "copy x to a[2]: 16384 bytes for full[2]". */
function describe(system: ProtocolSystem, event: ProtocolEvent, phase: number | undefined): string {
  const barrier = (at: number): string =>
    system.byUse === true && phase !== undefined
      ? `${formatPhase(system, at, phase)} of ${formatBarrier(system, at)}`
      : formatBarrier(system, at);
  switch (event.kind) {
    case "init":
      return `init ${barrier(event.barrier)}: ${plural(event.arrivals, "arrival")} a ${unitOf(system)}`;
    case "meet":
      return event.among === "block" ? "barrier" : `barrier of the ${event.among}`;
    case "wait":
      return system.byUse === true
        ? `wait for ${barrier(event.barrier)}`
        : `wait ${barrier(event.barrier)} parity ${event.parity}`;
    case "arrive":
      return event.remote === undefined
        ? `arrive ${system.byUse === true ? "at " : ""}${barrier(event.barrier)}`
        : `arrive ${barrier(event.barrier)} and ${barrier(event.remote)}`;
    case "expect":
      return `expect ${event.bytes} bytes at ${barrier(event.barrier)}`;
    case "tensor_copy":
    case "async_copy": {
      const tensor = event.op.kind === "copy" ? event.op.tensor : "";
      const copy = `copy ${tensor} to ${describeTiles(system, [event.tile])}`;
      return event.kind === "async_copy"
        ? copy
        : `${copy}: ${event.bytes} bytes for ${barrier(event.barrier)}`;
    }
    case "commit":
      return "commit";
    case "copy_wait":
      return `wait for copies: ${plural(event.pending, "group")} may be under way`;
    case "write":
      return event.part
        ? `write ${describeTiles(system, event.tiles)}`
        : `${event.op.kind} uses the bytes of ${describeTiles(system, event.tiles)}`;
    case "read":
      return `${event.op.kind} reads ${describeTiles(system, event.tiles)}`;
    case "dot_wait":
      return event.pending === 0
        ? "dot_wait 0: all dots are over"
        : `dot_wait ${event.pending}: all dots but ${event.pending} are over`;
    case "misuse":
      return event.misuse.act;
    default:
      return event satisfies never;
  }
}

/** Barriers and tiles of an event. */
function placesOf(system: ProtocolSystem, event: ProtocolEvent): readonly Place[] {
  const places: (Place | undefined)[] = [];
  if (event.kind === "read" || event.kind === "write")
    places.push(...event.tiles.map((tile) => system.tiles[tile]));
  if (event.kind === "tensor_copy" || event.kind === "async_copy")
    places.push(system.tiles[event.tile]);
  if ("barrier" in event) places.push(system.barriers[event.barrier]);
  if (event.kind === "arrive" && event.remote !== undefined)
    places.push(system.barriers[event.remote]);
  return places.filter((place) => place !== undefined);
}

function isSame(a: At, b: At): boolean {
  return a.instance === b.instance && a.position === b.position;
}

/** What must have happened before these events, in an order that is possible. */
function pastOf(steps: readonly Step[], events: readonly At[]): ReadonlySet<Step> {
  const clocks = steps.filter((step) => events.some((at) => isSame(at, step))).map((s) => s.clock);
  return new Set(steps.filter((step) => clocks.some((clock) => hasSeen(clock, step))));
}

/** One order of the threads that ends with the fault: first what it collides with, then what else comes before it, then itself. */
function interleave({ steps }: Replayed, fault: Fault): readonly Step[] {
  if (fault.rule === "deadlock") return steps;
  const first = pastOf(steps, fault.others ?? []);
  const rest = [...pastOf(steps, [fault.at])].filter((step) => !first.has(step));
  const ordered = [...steps.filter((step) => first.has(step)), ...rest];
  const last = ordered.findIndex((step) => isSame(step, fault.at));
  const itself = ordered[last];
  return itself === undefined || first.has(itself)
    ? ordered
    : [...ordered.filter((step) => step !== itself), itself];
}

/** Rules whose breach has to do with where dots end, or with where barriers begin. */
const WITH_DOT_WAITS: readonly Rule[] = ["filled", "free", "accumulator", "drained"];
const WITH_INITS: readonly Rule[] = ["initialised", "arrivals"];

/** Steps at the slots of the fault. */
function relevant(
  system: ProtocolSystem,
  steps: readonly Step[],
  { rule, at, others = [] }: Fault,
  stuck: readonly Stuck[],
): readonly Step[] {
  const involved = steps.filter((step) => [at, ...others].some((other) => isSame(other, step)));
  const slots = new Set(
    [...involved, ...stuck].flatMap(({ event }) =>
      placesOf(system, event).map((place) => place.slot),
    ),
  );
  const byGroups = system.barriers.length === 0;
  return steps.filter((step) => {
    if (involved.includes(step)) return true;
    if (step.event.kind === "dot_wait") return WITH_DOT_WAITS.includes(rule);
    if (step.event.kind === "copy_wait" || step.event.kind === "meet") return byGroups;
    if (step.event.kind === "init" && !WITH_INITS.includes(rule)) return false;
    return placesOf(system, step.event).some((place) => slots.has(place.slot));
  });
}

interface Line {
  readonly thread: string;
  readonly what: string;
  readonly where: string;
}

function lineOf(
  system: ProtocolSystem,
  step: Step | Stuck,
  nameOf: (trip: string) => string,
  more: string,
): Line {
  const { instance, event } = step;
  const trip = nameOf(event.trip);
  const { phases } = step;
  // A wait knows how many are over: its own is the last of them.
  const phase = event.kind === "wait" && phases !== undefined ? phases - 1 : phases;
  return {
    thread: system.instances[instance]?.name ?? "?",
    what: `${describe(system, event, phase)}${trip === "" ? "" : ` (${trip})`}${more}`,
    where: formatSpan(event.op.loc.span),
  };
}

function outcomeOf({ byUse }: ProtocolSystem, { event, phases }: Step): string {
  if (phases === undefined || event.kind !== "wait") return "";
  if (byUse === true) return phases === 0 ? ": over from the start" : ": is over";
  return phases === 0 ? ": returns at once, no phase is over" : `: phase ${phases - 1} is over`;
}

function format(lines: readonly Line[], skipped: number): readonly string[] {
  const width = (pick: (line: Line) => string): number =>
    Math.max(0, ...lines.map((line) => pick(line).length)) + MIN_GAP;
  const [threads, whats] = [width((line) => line.thread), width((line) => line.what)];
  const rows = lines.map(
    ({ thread, what, where }) => `${thread.padEnd(threads)}${what.padEnd(whats)}${where}`,
  );
  return skipped === 0 ? rows : [`… ${plural(skipped, "step")} before`, ...rows];
}

/** Programs that the block walks. */
function programsOf({ programs, block, blocks }: Launch): number {
  return Math.ceil((programs - block) / blocks);
}

function describeLaunch(system: ProtocolSystem, { launch, trips }: ChosenLaunch): string {
  const sizes = [...launch.values].map(([name, value]) => `${name} = ${value}`).join(", ");
  const hasRoles = system.instances.some(({ isConsumer }) => isConsumer);
  const walk = hasRoles ? ` a program, ${plural(programsOf(launch), "program")} a block` : "";
  return `${sizes === "" ? "" : `${sizes}: `}${plural(trips, "trip")}${walk}`;
}

/** Where there is one program, it needs no number. */
function nameTrip(programs: number): (trip: string) => string {
  return (trip) => (programs === 1 ? trip.replace(/^program 0(, )?/, "") : trip);
}

function remedyOf({ byUse }: ProtocolSystem, { rule }: Fault): string | undefined {
  return byUse === true ? kernelRemedy(rule) : undefined;
}

/** Whether it is the text of the kernel that breaks the rule. */
export function isOfKernel(system: ProtocolSystem, fault: Fault): boolean {
  return remedyOf(system, fault) !== undefined;
}

/**
 * The fault as a diagnostic.
 * @param kernel its name
 */
export function reportFault(
  kernel: string,
  system: ProtocolSystem,
  fault: Fault,
  chosen: ChosenLaunch,
): Diagnostic {
  const replayed = replayProtocol(system, true);
  const order = interleave(replayed, fault);
  const stuck = endsStuck(replayed, fault) ? replayed.stuck : [];
  const shown = relevant(system, order, fault, stuck).slice(-MOST_STEPS);
  const name = system.instances.some(({ isConsumer }) => isConsumer)
    ? nameTrip(programsOf(chosen.launch))
    : (trip: string) => trip;
  const lines = [
    ...shown.map((step) => lineOf(system, step, name, outcomeOf(system, step))),
    ...stuck.map((one) => lineOf(system, one, name, `: waits, ${one.why}`)),
  ];
  const rows = format(lines, order.length - shown.length);
  const title = `one order of the threads (${describeLaunch(system, chosen)}):`;
  return {
    code: CODES[fault.rule],
    message: `${fault.message}, in kernel ${kernel}`,
    seen: [fault.seen, title, ...rows.map((row) => `  ${row}`)].join("\n            "),
    expected: fault.expected,
    remedy:
      remedyOf(system, fault) ??
      "barriers of a kernel are set by its schedule: please report this with the kernel and its config, and use fewer stages or another config until then",
    location: fault.event.op.loc,
  };
}

/** True where the fault is that nothing moves any more. */
function endsStuck({ steps, stuck }: Replayed, { at, rule }: Fault): boolean {
  const isDone = steps.some((step) => isSame(step, at));
  return stuck.length > 0 && (rule === "deadlock" || rule === "bytes" || !isDone);
}
