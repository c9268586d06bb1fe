/** [test/support] What is said to the emulation's runner and back, as bytes; runtime/wire.h is the other end. Runs nothing. */

/** Kinds of findings, in the order of enum Kind in emulation/runtime/report.h. */
export const EMULATION_KINDS = [
  "race",
  "early-read",
  "overwrite-in-flight",
  "uninit",
  "oob-shared",
  "oob-global",
  "deadlock",
  "misuse",
  "left-pending",
  "divide-by-zero",
  "mbarrier",
  "proxy",
  "accumulator-early",
] as const;

export type EmulationKind = (typeof EMULATION_KINDS)[number];

/** Something wrong with a kernel, seen in one run. */
export interface EmulationReport {
  readonly kind: EmulationKind;
  /** Who, where in the source (`tw_lds at softmax.ts:12`), what, against whom. */
  readonly text: string;
  /** How often the same pair of call sites was found. */
  readonly count: number;
}

/** Shared memory use of one call site. `wavefronts - ideal` is what bank conflicts cost. */
export interface BankUse {
  readonly site: string;
  /** Accesses by whole warps. */
  readonly accesses: number;
  readonly wavefronts: number;
  readonly ideal: number;
}

/** One argument of the kernel ABI, in its order: tensors, dims, scalars, the true grid, tensor maps. */
export type EmulatedArgument =
  | {
      readonly kind: "buffer";
      readonly name: string;
      /** Contents before the launch. */
      readonly bytes: Uint8Array;
      /** False for a tensor that the kernel only reads: a write is a finding. */
      readonly writable: boolean;
      /** True: no launch that may still run writes it, so that a dependent launch may read it ahead of `tw_wait_previous`. */
      readonly settled?: boolean;
    }
  | { readonly kind: "i32" | "u32" | "f32"; readonly value: number }
  | {
      readonly kind: "tensor_map";
      /** Name of a buffer among the arguments before it; row-major. */
      readonly buffer: string;
      /** In elements, outermost first. */
      readonly dims: readonly number[];
      readonly box: readonly number[];
      /** In bytes, of every dim but the innermost; row-major where absent. Addresses have 64 bits. */
      readonly strides?: readonly bigint[];
      /** Bytes of the tensor; the product of all sizes where absent. */
      readonly bytes?: number;
      readonly elementBytes: number;
      readonly swizzle: 0 | 32 | 64 | 128;
    };

export interface EmulatedLaunch {
  /** Id of a kernel of the unit. */
  readonly kernel: string;
  readonly grid: readonly [number, number, number];
  /** Threads of a block. */
  readonly threads: number;
  readonly sharedBytes: number;
  readonly args: readonly EmulatedArgument[];
  /** Blocks of a cluster along x (1 where absent); they run together. */
  readonly cluster?: number;
  /** True: the launch may start while the one before it runs, so that touching global memory before `tw_wait_previous` is a finding. */
  readonly dependent?: boolean;
  /** One run for each; a finding is a fact about one schedule, so use several. */
  readonly seeds: readonly number[];
  /** Blocks that run at a time, interleaved (1 where absent). */
  readonly resident?: number;
  /** False: compute only, several times faster. */
  readonly check?: boolean;
}

export interface EmulatedRun {
  readonly seed: number;
  readonly reports: readonly EmulationReport[];
  readonly banks: readonly BankUse[];
  /** Contents of the writable buffers after the launch, by name. */
  readonly outputs: ReadonlyMap<string, Uint8Array>;
}

class ByteWriter {
  readonly #parts: Uint8Array[] = [];

  number(value: number): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value >>> 0, true);
    this.#parts.push(bytes);
  }
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    this.#parts.push(bytes);
  }
  block(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.#parts.push(bytes);
  }
  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    // A Buffer's slice() is a view; that of a Uint8Array is a copy.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  number(): number {
    const bytes = this.block(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }
  text(): string {
    return new TextDecoder().decode(this.block(this.number()));
  }
  block(count: number): Uint8Array {
    const end = this.#position + count;
    if (end > this.#bytes.length) throw new Error("the emulation's answer ends too early");
    const part = this.#bytes.slice(this.#position, end);
    this.#position = end;
    return part;
  }
}

type BufferArgument = Extract<EmulatedArgument, { kind: "buffer" }>;
type MapArgument = Extract<EmulatedArgument, { kind: "tensor_map" }>;

function scalarBits(argument: Exclude<EmulatedArgument, BufferArgument | MapArgument>): number {
  const view = new DataView(new ArrayBuffer(4));
  if (argument.kind === "f32") view.setFloat32(0, argument.value);
  else view.setUint32(0, argument.value >>> 0);
  return view.getUint32(0);
}

function encodeMap(out: ByteWriter, map: MapArgument, args: readonly EmulatedArgument[]): void {
  const buffers = args.filter((argument) => argument.kind === "buffer");
  const index = buffers.findIndex((buffer) => buffer.name === map.buffer);
  const { strides } = map;
  const bytes = map.bytes ?? map.dims.reduce((product, size) => product * size, map.elementBytes);
  const given = buffers[index]?.bytes.length;
  // Maps of an empty tensor have no size of 0, and nothing goes through them.
  if (map.dims.length !== map.box.length || given === undefined || (given && bytes > given))
    throw new Error(`a tensor map of [${map.dims.join(", ")}] does not fit ${map.buffer}`);
  out.number(2);
  for (const value of [index, map.elementBytes, map.swizzle, map.dims.length]) out.number(value);
  const rowMajor = (i: number): number =>
    map.dims.slice(i + 1).reduce((product, size) => product * size, map.elementBytes);
  for (const [i, size] of map.dims.entries()) {
    out.number(size);
    out.number(map.box[i] ?? 0);
    const isLast = i === map.dims.length - 1;
    const stride = (isLast ? undefined : strides?.[i]) ?? BigInt(rowMajor(i));
    out.number(Number(stride & 0xffffffffn));
    out.number(Number(stride >> 32n));
  }
}

function encodeArgument(
  out: ByteWriter,
  argument: EmulatedArgument,
  args: readonly EmulatedArgument[],
): void {
  if (argument.kind === "tensor_map") {
    encodeMap(out, argument, args);
  } else if (argument.kind === "buffer") {
    out.number(1);
    out.text(argument.name);
    out.number(argument.writable ? 1 : 0);
    out.number(argument.settled ? 1 : 0);
    out.block(argument.bytes);
  } else {
    out.number(0);
    out.number(scalarBits(argument));
  }
}

/** @param warp lanes of a warp, as the unit was built for */
export function encodeLaunches(launches: readonly EmulatedLaunch[], warp: number): Uint8Array {
  const out = new ByteWriter();
  out.number(launches.length);
  for (const launch of launches) {
    out.text(launch.kernel);
    for (const size of launch.grid) out.number(size);
    out.number(launch.threads);
    out.number(launch.sharedBytes);
    out.number(launch.resident ?? 1);
    out.number(launch.check === false ? 0 : 1);
    out.number(warp);
    out.number(launch.cluster ?? 1);
    out.number(launch.dependent ? 1 : 0);
    out.number(launch.args.length);
    for (const argument of launch.args) encodeArgument(out, argument, launch.args);
    out.number(launch.seeds.length);
    for (const seed of launch.seeds) out.number(seed);
  }
  return out.finish();
}

function decodeRun(input: ByteReader, launch: EmulatedLaunch, seed: number): EmulatedRun {
  const reports = Array.from({ length: input.number() }, () => {
    const kind = EMULATION_KINDS[input.number()];
    if (kind === undefined) throw new Error("the emulation reports a kind of finding unknown here");
    const count = input.number();
    return { kind, count, text: input.text() };
  });
  const banks = Array.from({ length: input.number() }, () => ({
    site: input.text(),
    accesses: input.number(),
    wavefronts: input.number(),
    ideal: input.number(),
  }));
  const outputs = new Map<string, Uint8Array>();
  for (const argument of launch.args) {
    if (argument.kind !== "buffer" || !argument.writable) continue;
    outputs.set(argument.name, input.block(argument.bytes.length));
  }
  return { seed, reports, banks, outputs };
}

/** @returns for each launch its runs, in the order of its seeds */
export function decodeRuns(
  answer: Uint8Array,
  launches: readonly EmulatedLaunch[],
): readonly (readonly EmulatedRun[])[] {
  const input = new ByteReader(answer);
  return launches.map((launch) => launch.seeds.map((seed) => decodeRun(input, launch, seed)));
}
