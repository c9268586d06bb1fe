/** [dsl/interpreter] What a run found wrong: shadow memory of tensors, findings with place and program, collected up to a cap. */
import { type Diagnostic, type ErrorCode, KernelRunError } from "../core/errors.ts";
import type { TextOf } from "../core/kernel-sources.ts";
import { codeFrame } from "../core/location.ts";
import type { Op, TensorParam, TileKernel } from "../ir/nodes.ts";
import { formatOp } from "../ir/print.ts";
import { AccessGroups } from "./access-groups.ts";
import { Arrivals } from "./arrivals.ts";

/** What the full checks know of each element of a tensor during one launch. */
export interface Shadow {
  readonly tensor: TensorParam;
  readonly shape: readonly number[];
  /** One byte an element, 0 where nothing was ever written; undefined where every element counts as written. */
  readonly initialised: Uint8Array | undefined;
  /** False where reading unwritten memory is allowed and gives poison. */
  readonly reportUnwritten: boolean;
  /** Who stored an element (a segment of arrivals.ts); negative where it only used atomics; 0 for nobody. */
  readonly writer: Int32Array;
  /** Who read an element: a segment, or a group of access-groups.ts, which several users of atomics are, too. */
  readonly reader: Int32Array;
}

/** One thing found wrong, with the first program and element that showed it and how often it was seen. */
export interface CheckFinding extends Diagnostic {
  readonly op: Op;
  readonly program: readonly [number, number, number];
  /** Coordinates of the first element: of a tensor where the finding is about memory, otherwise of a tile. */
  readonly coordinates: readonly number[];
  readonly count: number;
}

/** Position of a row-major element number. */
export function coordinatesOf(index: number, sizes: readonly number[]): readonly number[] {
  const coordinates: number[] = [];
  let rest = index;
  for (const size of [...sizes].reverse()) {
    coordinates.unshift(size === 0 ? 0 : rest % size);
    rest = size === 0 ? 0 : Math.floor(rest / size);
  }
  return coordinates;
}

function isTensorFinding(code: ErrorCode): boolean {
  return ["TW1303", "TW1304", "TW1305", "TW1317", "TW1318"].includes(code);
}

/** Collects the findings of one run. */
export class CheckCollector {
  readonly #kernel: TileKernel;
  readonly #cap: number;
  readonly #source: TextOf;
  readonly #found = new Map<
    Op,
    Map<ErrorCode, { readonly finding: CheckFinding; count: number }>
  >();
  #distinct = 0;
  #x = 0;
  #y = 0;
  #z = 0;
  readonly #arrivals = new Arrivals<Shadow>();
  readonly #groups = new AccessGroups();
  #muted = false;

  constructor(kernel: TileKernel, cap: number, source: TextOf) {
    this.#kernel = kernel;
    this.#cap = cap;
    this.#source = source;
  }

  enter(x: number, y: number, z: number, number: number): void {
    this.#x = x;
    this.#y = y;
    this.#z = z;
    this.#arrivals.enter(number);
  }

  get program(): readonly [number, number, number] {
    return [this.#x, this.#y, this.#z];
  }

  /** While muted nothing is reported: values are poisoned on purpose. */
  mute(muted: boolean): void {
    this.#muted = muted;
  }

  report(
    code: ErrorCode,
    op: Op,
    coordinates: readonly number[],
    finding: Pick<Diagnostic, "message" | "seen" | "expected" | "remedy">,
  ): void {
    if (this.#muted) return;
    const ofOp = this.#found.get(op) ?? new Map();
    const known = ofOp.get(code);
    if (known !== undefined) {
      known.count++;
      return;
    }
    if (this.#distinct >= this.#cap) return;
    this.#distinct++;
    this.#found.set(op, ofOp);
    const source = this.#source(op.loc.span.file);
    const place = `program [${this.program.join(", ")}]${placeText(code, coordinates)}`;
    // Where the source is not at hand, the op says what it is.
    const text = codeFrame(op.loc.span, source) === "" ? `, in \`${formatOp(op)}\`` : "";
    const full: CheckFinding = {
      ...finding,
      message: `kernel ${this.#kernel.name}: ${finding.message}`,
      seen: `${finding.seen ?? ""} (${place}${text})`,
      code,
      op,
      location: op.loc,
      ...(source === undefined ? {} : { source }),
      program: this.program,
      coordinates,
      count: 1,
    };
    ofOp.set(code, { finding: full, count: 1 });
  }

  readShadow(shadow: Shadow, at: number, op: Op): void {
    const me = this.#arrivals.segment;
    if (this.#muted) return;
    const writer = shadow.writer[at] ?? 0;
    if (shadow.reportUnwritten && shadow.initialised?.[at] === 0) {
      this.report("TW1305", op, coordinatesOf(at, shadow.shape), {
        message: `an element of ${shadow.tensor.name} is read that nobody has written`,
        seen: "unwritten memory",
        expected: "a written element",
        remedy: "limit the load to what is written, or initialise the tensor",
      });
    }
    if (this.#isForeign(writer, me)) this.#race(shadow, at, op, "is read");
    const reader = shadow.reader[at] ?? 0;
    if (reader !== me)
      shadow.reader[at] = this.#isForeign(reader, me) ? this.#groups.join(reader, me) : me;
  }

  writeShadow(shadow: Shadow, at: number, op: Op): void {
    const me = this.#arrivals.segment;
    if (this.#muted) return;
    const writer = shadow.writer[at] ?? 0;
    const reader = shadow.reader[at] ?? 0;
    if (this.#isForeign(writer, me)) {
      const other =
        writer < 0
          ? "an atomic of another program"
          : `program number ${this.#arrivals.programOf(writer) - 1}`;
      this.report("TW1303", op, coordinatesOf(at, shadow.shape), {
        message: `two programs write one element of ${shadow.tensor.name}`,
        seen: `an element that ${other} has written`,
        expected: "each element stored by one program of a launch",
        remedy: "give every program its own elements, or use an atomic",
      });
    }
    if (this.#isForeign(reader, me)) this.#race(shadow, at, op, "is overwritten after a read");
    shadow.writer[at] = me;
    if (shadow.initialised !== undefined) shadow.initialised[at] = 1;
  }

  updateShadow(shadow: Shadow, at: number, op: Op): void {
    const me = this.#arrivals.segment;
    if (this.#muted) return;
    const writer = shadow.writer[at] ?? 0;
    const reader = shadow.reader[at] ?? 0;
    if (shadow.reportUnwritten && shadow.initialised?.[at] === 0) {
      this.report("TW1305", op, coordinatesOf(at, shadow.shape), {
        message: `an element of ${shadow.tensor.name} is updated that nobody has written`,
        seen: "unwritten memory",
        expected: "a written element",
        remedy: "initialise the tensor before the launch",
      });
    }
    if (writer > 0 && this.#isForeign(writer, me))
      this.#race(shadow, at, op, "is updated by an atomic");
    if (this.#isForeign(reader, me))
      this.#race(shadow, at, op, "is updated by an atomic after a read");
    if (writer <= 0)
      shadow.writer[at] = this.#isForeign(writer, me) ? this.#groups.join(writer, me) : -me;
    if (shadow.initialised !== undefined) shadow.initialised[at] = 1;
  }

  /** True where a program other than the running one is meant, and nothing orders it before. */
  #isForeign(segment: number, me: number): boolean {
    if (segment === 0 || segment === me || segment === -me) return false;
    return !this.#groups.every(segment, (one) => this.#arrivals.isBefore(one));
  }

  /** The program arrives at a counter, an element that held `old`. */
  arrive(shadow: Shadow, at: number, op: Op, old: number, expected: number): void {
    if (this.#muted) return;
    const isFirst = old === 0;
    if (expected < 1 || old < 0 || old >= expected || isFirst === this.#arrivals.isOpen(shadow, at))
      this.report("TW1317", op, coordinatesOf(at, shadow.shape), {
        message: `a program arrives at a counter of ${shadow.tensor.name} that does not wait for it`,
        seen: `a count of ${old} where ${expected} programs are expected`,
        expected:
          "counters that start at 0, and one number of programs, at least 1, for all that arrive",
        remedy:
          "set the counters to zero before the first launch; let every program compute the same number",
      });
    this.#arrivals.arrive(shadow, at, op, old + 1 >= expected);
  }

  /** Behind the last program: counters at which programs are still missing. */
  finish(): void {
    for (const { shadow, at, op, count } of this.#arrivals.open())
      this.report("TW1318", op as Op, coordinatesOf(at, shadow.shape), {
        message: `fewer programs arrive at a counter of ${shadow.tensor.name} than are expected there`,
        seen: `a count of ${count} when the launch is over`,
        expected: "0: the last program that arrives sets the counter back, for the next launch",
        remedy:
          "let every program arrive that was counted into `expected`, also those without work",
      });
  }

  #race(shadow: Shadow, at: number, op: Op, what: string): void {
    this.report("TW1304", op, coordinatesOf(at, shadow.shape), {
      message: `an element of ${shadow.tensor.name} that another program of the launch touches ${what}`,
      seen: "the result depends on which program runs first",
      expected: "programs that do not see each other's stores",
      remedy:
        "split the work into two launches, keep the element inside one program, or read it in the last program that arrives: if (lastArrival(…))",
    });
  }

  /** All findings, each once with its count. */
  findings(): readonly CheckFinding[] {
    const all = [...this.#found.values()].flatMap((ofOp) => [...ofOp.values()]);
    return all.map(({ finding, count }) =>
      count === 1
        ? finding
        : { ...finding, count, seen: `${finding.seen}, and ${count - 1} times more` },
    );
  }

  /** @throws KernelRunError with all findings */
  throwIfAny(): void {
    if (this.#distinct > 0) throw new KernelRunError(this.findings());
  }
}

function placeText(code: ErrorCode, coordinates: readonly number[]): string {
  if (coordinates.length === 0) return "";
  const what = isTensorFinding(code) ? "element" : "tile element";
  return `, ${what} [${coordinates.join(", ")}]`;
}
