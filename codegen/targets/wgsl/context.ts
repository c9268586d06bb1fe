/** [codegen/targets/wgsl] What the emission of one kernel carries along: names, registers, word arrays. No text of its own. */
import {
  type DType,
  invariant,
  type Location,
  type ScalarParam,
  UnsupportedError,
} from "../../../dsl/index.ts";
import type { Reg, RegSlice, Stmt, ThreadKernel } from "../../ir/thread.ts";
import { type Special, usedSpecials } from "../../ir/used-specials.ts";
import { varyinglyIndexed } from "../../ir/varying-index.ts";
import { NameScopes } from "../../text/names.ts";
import { SourceMarks } from "../../text/source-marks.ts";
import { Writer } from "../../text/writer.ts";
import { WGSL_NAME_RULES } from "./reserved.ts";
import type { Uniformity } from "./uniformity.ts";
import { planStorage, type StoragePlan, type WordArray } from "./word-arrays.ts";

/** A word array with the name that it has in the text. */
export interface NamedArray {
  readonly text: string;
  readonly array: WordArray;
}

/** The shared buffer's array and where in it the buffer begins. */
export interface NamedBuffer extends NamedArray {
  readonly dtype: DType;
  /** In units of the array's elements. */
  readonly base: number;
}

export interface NamedTensor extends NamedArray {
  readonly dtype: DType;
}

/** Names of the entry point's parameters. */
const BUILTINS = [
  "workgroup_id",
  "num_workgroups",
  "thread_index",
  "subgroup",
  "subgroup_lane",
] as const;

function elementKey(name: string, i: number): string {
  return `${name}[${i}]`;
}

export class WgslContext {
  readonly kernel: ThreadKernel;
  /** True where a tensor is both read and written, so that a barrier must order storage too. */
  readonly readsWritten: boolean;
  readonly uniformity: Uniformity;
  #writer: Writer = new Writer(1);
  readonly marks: SourceMarks = new SourceMarks();
  readonly names: NameScopes = new NameScopes(WGSL_NAME_RULES);
  readonly plan: StoragePlan;
  readonly entry: string;
  /** Name of the uniform block. */
  readonly launch: string;
  readonly tensors: ReadonlyMap<string, NamedTensor>;
  readonly regions: readonly NamedArray[];
  readonly buffers: ReadonlyMap<string, NamedBuffer>;
  readonly dims: ReadonlyMap<string, string>;
  readonly scalars: ReadonlyMap<string, { readonly text: string; readonly param: ScalarParam }>;
  readonly specials: ReadonlyMap<Special, string>;
  /** Name of the word that makes a value uniform; declared only where it is used. */
  readonly uniformWord: string;
  readonly #registers = new Map<string, Reg>();
  /** Arrays that are read or written by an index which is no constant. */
  readonly #indexed: ReadonlySet<string>;
  readonly #thread: string;
  #usesUniformWord = false;

  constructor(kernel: ThreadKernel, uniformity: Uniformity) {
    this.readsWritten = kernel.params.some((p) => p.kind === "tensor" && p.access === "inout");
    this.kernel = kernel;
    this.uniformity = uniformity;
    this.#indexed = varyinglyIndexed(kernel.body);
    this.plan = planStorage(kernel);
    for (const builtin of BUILTINS) this.names.fresh(builtin);
    this.entry = this.names.fresh(kernel.name);
    this.launch = this.names.fresh("launch");
    this.tensors = this.#nameTensors();
    this.regions = this.plan.regions.map((array) => ({
      text: this.names.fresh(array.name),
      array,
    }));
    this.buffers = this.#nameBuffers();
    const members = new NameScopes(WGSL_NAME_RULES);
    const member = (name: string): string => `${this.launch}.${members.fresh(name)}`;
    member("programs");
    this.dims = new Map(kernel.dims.map((dim) => [dim, member(dim)] as const));
    this.scalars = new Map(
      kernel.params.flatMap((param) =>
        param.kind === "scalar" ? [[param.name, { text: member(param.name), param }] as const] : [],
      ),
    );
    this.specials = new Map(
      usedSpecials(kernel.body).map((name) => [name, this.names.fresh(name)] as const),
    );
    this.#thread = this.specials.get("thread") ?? this.names.fresh("thread");
    this.uniformWord = this.names.fresh("uniform_word");
  }

  /** Where lines go at present. */
  get writer(): Writer {
    return this.#writer;
  }

  /** Name of the thread's index in the workgroup. */
  threadName(): string {
    return this.#thread;
  }

  /** The lines that `write` writes, apart from those of the body. */
  preamble(write: () => void): string {
    const body = this.#writer;
    this.#writer = new Writer(1);
    write();
    const text = this.#writer.text();
    this.#writer = body;
    return text;
  }

  bodyText(): string {
    return this.#writer.text();
  }

  #nameTensors(): ReadonlyMap<string, NamedTensor> {
    return new Map(
      this.kernel.params.flatMap((param) => {
        if (param.kind !== "tensor") return [];
        const array = this.plan.tensors.get(param.name);
        invariant(array !== undefined, () => `${this.kernel.name}: tensor ${param.name} unplanned`);
        const named = { text: this.names.fresh(param.name), array, dtype: param.dtype };
        return [[param.name, named] as const];
      }),
    );
  }

  #nameBuffers(): ReadonlyMap<string, NamedBuffer> {
    return new Map(
      this.kernel.shared.map((shared) => {
        const place = this.plan.buffers.get(shared.name);
        const region = place === undefined ? undefined : this.regions[place.region];
        invariant(
          place !== undefined && region !== undefined,
          () => `${this.kernel.name}: buffer ${shared.name} has no region`,
        );
        const base = place.byteOffset / (4 * region.array.unit);
        return [shared.name, { ...region, dtype: shared.dtype, base }] as const;
      }),
    );
  }

  get usesUniformWord(): boolean {
    return this.#usesUniformWord;
  }

  /** The text of the uniform word; from now on it is declared. */
  takeUniformWord(): string {
    this.#usesUniformWord = true;
    return this.uniformWord;
  }

  declareRegister(reg: Reg): string {
    this.#registers.set(reg.name, reg);
    return this.names.declare(reg.name);
  }

  /** Names for the elements of an array that no varying index reads: each is a variable of its own, which compilers keep in a register. */
  declareElements(reg: Reg): readonly string[] {
    const array = this.declareRegister(reg);
    return Array.from({ length: reg.length }, (_, i) => {
      const text = this.names.declare(elementKey(reg.name, i), `${array}_${i}`);
      return text;
    });
  }

  /** Text of element `i` of an array that `declareElements` declared. */
  element(name: string, i: number): string {
    const text = this.names.lookup(elementKey(name, i));
    invariant(text !== undefined, () => `${this.kernel.name}: ${name} has no element ${i}`);
    return text;
  }

  /** True for an array whose elements are variables of their own. */
  isScattered(name: string): boolean {
    return !this.#indexed.has(name);
  }

  register(name: string): { readonly text: string; readonly reg: Reg } {
    const text = this.names.lookup(name);
    const reg = this.#registers.get(name);
    invariant(
      text !== undefined && reg !== undefined,
      () => `${this.kernel.name}: register ${name} is used before it is declared`,
    );
    return { text, reg };
  }

  typeOf(slice: RegSlice): Reg["type"] {
    return this.register(slice.name).reg.type;
  }

  tensor(name: string): NamedTensor {
    const found = this.tensors.get(name);
    invariant(found !== undefined, () => `${this.kernel.name}: no tensor ${name}`);
    return found;
  }

  buffer(name: string): NamedBuffer {
    const found = this.buffers.get(name);
    invariant(found !== undefined, () => `${this.kernel.name}: no shared buffer ${name}`);
    return found;
  }

  scoped(body: () => void): void {
    this.names.enter();
    body();
    this.names.leave();
  }

  unsupported(stmt: Stmt, dtype?: DType, loc: Location | undefined = stmt.loc): UnsupportedError {
    return new UnsupportedError({
      code: "TW2301",
      message: `${this.kernel.name}: WGSL has no ${stmt.kind}`,
      ...(dtype === undefined ? {} : { seen: `dtype ${dtype}` }),
      expected: "an operation that WGSL can spell",
      remedy: "compile for another target, or choose other dtypes",
      ...(loc === undefined ? {} : { location: loc }),
    });
  }
}
