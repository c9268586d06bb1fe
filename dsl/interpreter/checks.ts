/** [dsl/interpreter] What a run found wrong: shadow memory of tensors, findings with place and program, collected up to a cap. */
import { type Diagnostic, type ErrorCode, KernelRunError } from "../core/errors.ts";
import type { Op, TensorParam, TileKernel } from "../ir/nodes.ts";
import { formatOp } from "../ir/print.ts";

/** What the full checks know of each element of a tensor during one launch. */
export interface Shadow {
  readonly tensor: TensorParam;
  readonly shape: readonly number[];
  /** One byte an element, 0 where nothing was ever written; undefined where every element counts as written. */
  readonly initialised: Uint8Array | undefined;
  /** False where reading unwritten memory is allowed and gives poison. */
  readonly reportUnwritten: boolean;
  /** Number of the program that stored an element, from 1; negative for one that only used atomics; 0 for none. */
  readonly writer: Int32Array;
  /** Number of the program that read an element, from 1; SEVERAL for more than one. */
  readonly reader: Int32Array;
}

/** Stands for more than one program: readers in `reader`, users of atomics in `writer`. */
const SEVERAL = -0x80000000;

/** True where a program other than `me` is meant. */
function isForeign(program: number, me: number): boolean {
  return program !== 0 && program !== me && program !== -me;
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
  return code === "TW1303" || code === "TW1304" || code === "TW1305";
}

/** Collects the findings of one run. */
export class CheckCollector {
  readonly #kernel: TileKernel;
  readonly #cap: number;
  readonly #source: ((file: string) => string | undefined) | undefined;
  readonly #found = new Map<
    Op,
    Map<ErrorCode, { readonly finding: CheckFinding; count: number }>
  >();
  #distinct = 0;
  #x = 0;
  #y = 0;
  #z = 0;
  #programNumber = 1;
  #muted = false;

  constructor(
    kernel: TileKernel,
    cap: number,
    source: ((file: string) => string | undefined) | undefined,
  ) {
    this.#kernel = kernel;
    this.#cap = cap;
    this.#source = source;
  }

  enter(x: number, y: number, z: number, number: number): void {
    this.#x = x;
    this.#y = y;
    this.#z = z;
    this.#programNumber = number;
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
    const source = this.#source?.(op.loc.span.file);
    const place = `program [${this.program.join(", ")}]${placeText(code, coordinates)}`;
    const full: CheckFinding = {
      ...finding,
      message: `kernel ${this.#kernel.name}: ${finding.message}`,
      seen: `${finding.seen ?? ""} (${place}, in \`${formatOp(op)}\`)`,
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
    const me = this.#programNumber;
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
    if (isForeign(writer, me)) this.#race(shadow, at, op, "is read");
    const reader = shadow.reader[at] ?? 0;
    if (reader !== me) shadow.reader[at] = reader === 0 ? me : SEVERAL;
  }

  writeShadow(shadow: Shadow, at: number, op: Op): void {
    const me = this.#programNumber;
    if (this.#muted) return;
    const writer = shadow.writer[at] ?? 0;
    const reader = shadow.reader[at] ?? 0;
    if (isForeign(writer, me)) {
      const other = writer < 0 ? "an atomic of another program" : `program number ${writer - 1}`;
      this.report("TW1303", op, coordinatesOf(at, shadow.shape), {
        message: `two programs write one element of ${shadow.tensor.name}`,
        seen: `an element that ${other} has written`,
        expected: "each element stored by one program of a launch",
        remedy: "give every program its own elements, or use an atomic",
      });
    }
    if (isForeign(reader, me)) this.#race(shadow, at, op, "is overwritten after a read");
    shadow.writer[at] = me;
    if (shadow.initialised !== undefined) shadow.initialised[at] = 1;
  }

  updateShadow(shadow: Shadow, at: number, op: Op): void {
    const me = this.#programNumber;
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
    if (writer > 0 && writer !== me) this.#race(shadow, at, op, "is updated by an atomic");
    if (isForeign(reader, me)) this.#race(shadow, at, op, "is updated by an atomic after a read");
    if (writer <= 0) shadow.writer[at] = isForeign(writer, me) ? SEVERAL : -me;
    if (shadow.initialised !== undefined) shadow.initialised[at] = 1;
  }

  #race(shadow: Shadow, at: number, op: Op, what: string): void {
    this.report("TW1304", op, coordinatesOf(at, shadow.shape), {
      message: `an element of ${shadow.tensor.name} that another program of the launch touches ${what}`,
      seen: "the result depends on which program runs first",
      expected: "programs that do not see each other's stores",
      remedy: "split the work into two launches, or keep the element inside one program",
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
