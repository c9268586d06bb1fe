/** [runtime/bench] The interfaces between the harness and what it measures: argument sets, contenders, peers. Types only. */
import type { Device, Stream, Tensor } from "../device.ts";
import type { AttentionRoles, CompleteProblem, MatmulRoles } from "./problem.ts";

/** The tensors of one call. Several sets of equal contents at other addresses are used in turn, so that no cache helps. */
export type ArgumentSet = Readonly<Record<string, Tensor>>;

/** One problem on one device, ready to be run. */
export interface BenchCall {
  readonly device: Device;
  readonly kernel: string;
  readonly problem: CompleteProblem;
  readonly scalars: Readonly<Record<string, number>>;
  readonly sets: readonly ArgumentSet[];
  /** Present where the kernel is a plain matrix product: no epilogue of the launch's own. */
  readonly matmul: MatmulRoles | undefined;
  /** Present where the kernel attends over whole tensors. */
  readonly attention?: AttentionRoles | undefined;
}

export type ContenderRole = "own" | "vendor" | "foreign";

/** Something that computes a call. */
export interface Contender {
  /** Short; stands in the table. */
  readonly name: string;
  readonly role: ContenderRole;
  /** Config, algorithm or variant. */
  readonly detail: string;
  /** How exactly it sums: bounds of the check follow. f32 where absent. */
  readonly accumulation?: Accumulation;
  /** Queues one run on the tensors of a set. */
  run(set: number, stream?: Stream): void;
  close?(): void;
}

/** `f32`, or `fp8-fast`: 8-bit products summed in about 14 bits, as Hopper's tensor cores do. */
export type Accumulation = "f32" | "fp8-fast";

/** Result of comparing every element of an output of every set. */
export interface CheckResult {
  readonly passed: boolean;
  /** Largest |error| over its bound; above 1 fails. */
  readonly worst: number;
  /** ‖error‖ / ‖reference‖ where it was computed. */
  readonly relativeError?: number;
  readonly elements: number;
  /** What differs, where something does. */
  readonly message?: string;
}

/** Says whether outputs are right. */
export interface Reference {
  /** For the table: by whom the expected values were computed. */
  readonly how: string;
  /** Compares the outputs of a set after the work that was queued. */
  check(set: number, accumulation: Accumulation): Promise<CheckResult>;
  close?(): void;
}

/** State of the chip at a moment. */
export interface ChipState {
  readonly smMHz: number;
  readonly memoryMHz: number;
  readonly watts: number;
  readonly celsius: number;
}

/** A measured limit of the device. */
export interface Ceiling {
  /** Bytes or operations a second. */
  readonly perSecond: number;
  /** By what it was measured. */
  readonly how: string;
}

/** What a kind of device offers beside our own kernels. */
export interface Peers {
  /** Why something that was looked for is not there. */
  readonly notes: readonly string[];
  /** Vendor's implementations of a call, the likely best first; empty where there is none. */
  vendor(call: BenchCall): readonly Contender[];
  /** Foreign texts that compute the call. */
  foreign(call: BenchCall): readonly Contender[];
  /** A reference of high precision computed on the device; undefined where the call is no matrix product. */
  reference(call: BenchCall): Promise<Reference | undefined>;
  /** Fastest copy on the device, bytes read and written. */
  copyCeiling(): Promise<Ceiling>;
  /** Clocks and power now; undefined where they cannot be read. */
  chipState(): ChipState | undefined;
  close(): void;
}
