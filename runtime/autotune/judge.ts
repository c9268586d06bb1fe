/** [runtime/autotune] Says whether a candidate's outputs are right, before it is timed: by double sums, a reference, or a trusted config. */
import type { ExpectedTensor } from "../../dsl/kernels/catalogue.ts";
import { type CallArguments, tensorIn } from "../bench/arguments.ts";
import { checkContender } from "../bench/check.ts";
import type { BenchCall, CheckResult, Contender, Peers, Reference } from "../bench/contender.ts";
import { costOf, tensorNames } from "../bench/problem.ts";
import { expecting, hostReference } from "../bench/reference.ts";
import { elementsOf, readTensor, readTensorBytes, tensorBytes } from "../tensor.ts";

/** Work that the host does for a reference: a few seconds. */
const HOST_PRODUCT_OPS = 1e9;
const HOST_OPS = 2e8;
const INTERPRETER_OPS = 5e7;
const HOST_BYTES = 2 ** 28;
const INTERPRETER_BYTES = 2 ** 24;
/** Outputs that are kept to compare others with byte by byte. */
const KEPT_BYTES = 2 ** 29;

/** Runs the trusted config on the first set; undefined where no config of the kernel runs at all. */
export type RunTrusted = () => Promise<string | undefined>;

export class Judge {
  readonly how: string;
  readonly #args: CallArguments;
  readonly #reference: Reference;
  /** Whether the comparison takes longer than that of kept bytes: it is the host's. */
  readonly #isSlow: boolean;
  /** Outputs that passed, by name. */
  #right: ReadonlyMap<string, Uint8Array> | undefined;

  private constructor(args: CallArguments, reference: Reference, isSlow: boolean) {
    this.#args = args;
    this.#reference = reference;
    this.#isSlow = isSlow;
    this.how = reference.how;
  }

  /**
   * @param trusted used where neither device nor host can say what must come out
   * @returns undefined where there is nobody to judge
   */
  static async open(
    args: CallArguments,
    call: BenchCall,
    peers: Peers,
    trusted: RunTrusted,
  ): Promise<Judge | undefined> {
    const onDevice = await peers.reference(call);
    const reference =
      onDevice ??
      (isForHost(args, call)
        ? await hostReference(args, call.matmul)
        : await trustedReference(args, trusted));
    return reference === undefined ? undefined : new Judge(args, reference, onDevice === undefined);
  }

  /** Runs a candidate on poisoned scratch outputs; whatever goes wrong in it is its own fault. */
  async check(contender: Contender): Promise<CheckResult> {
    const args = this.#args;
    try {
      const known = await this.#sameAsBefore(contender);
      if (known !== undefined) return known;
      const result = await checkContender(args, contender, this.#reference, 1);
      if (result?.passed) await this.#keep();
      return result ?? { passed: false, worst: 0, elements: 0, message: "nothing was compared" };
    } catch (error) {
      await args.device.synchronize(); // throws where the device itself is lost
      const message = error instanceof Error ? error.message : String(error);
      return { passed: false, worst: 0, elements: 0, message };
    }
  }

  close(): void {
    this.#reference.close?.();
  }

  /** Most configs of a kernel give the same bits: then one comparison of bytes is enough. */
  async #sameAsBefore(contender: Contender): Promise<CheckResult | undefined> {
    const right = this.#right;
    if (right === undefined) return undefined;
    const args = this.#args;
    args.poison(0);
    contender.run(0);
    let elements = 0;
    for (const [name, expected] of right) {
      const tensor = tensorIn(args.sets[0], name);
      const bytes = await readTensorBytes(tensor);
      if (Buffer.compare(bytes, expected) !== 0) return undefined;
      elements += elementsOf(tensor.shape);
    }
    return (await args.overrun(0)) === undefined ? { passed: true, worst: 0, elements } : undefined;
  }

  async #keep(): Promise<void> {
    if (this.#right !== undefined || !this.#isSlow) return;
    const args = this.#args;
    const names = tensorNames(args.subject.kernel, "out", "inout");
    const total = names.reduce((sum, name) => sum + tensorBytes(tensorIn(args.sets[0], name)), 0);
    if (total > KEPT_BYTES) return;
    const right = new Map<string, Uint8Array>();
    for (const name of names) right.set(name, await readTensorBytes(tensorIn(args.sets[0], name)));
    this.#right = right;
  }
}

/** Whether the host can compute what must come out, in a few seconds and for these very inputs. */
function isForHost({ subject, problem, hostProblem }: CallArguments, call: BenchCall): boolean {
  const { bytes, flops } = costOf(subject, call.matmul === undefined ? hostProblem : problem);
  if (call.matmul !== undefined) return flops <= HOST_PRODUCT_OPS;
  if (subject.reference !== undefined) return flops <= HOST_OPS && bytes <= HOST_BYTES;
  return flops <= INTERPRETER_OPS && bytes <= INTERPRETER_BYTES;
}

async function trustedReference(
  args: CallArguments,
  trusted: RunTrusted,
): Promise<Reference | undefined> {
  args.poison(0);
  const config = await trusted();
  if (config === undefined) return undefined;
  const { kernel } = args.subject;
  // Twice the longest sum there can be: both sides were rounded.
  const length = 2 * Math.max(1, ...Object.values(args.problem.dims));
  const expected: Record<string, ExpectedTensor> = {};
  for (const name of tensorNames(kernel, "out", "inout")) {
    const data = Float64Array.from(await readTensor(tensorIn(args.sets[0], name)));
    expected[name] = { data, tolerance: { kind: "rounding", length } };
  }
  return expecting(args, { how: `the config ${config}`, expected });
}
