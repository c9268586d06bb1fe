/** [codegen/c-family] What the emission of one kernel carries along: names, declared registers, tensors, buffers. No text of its own. */
import {
  type DType,
  invariant,
  type Location,
  type ScalarParam,
  type TensorParam,
  UnsupportedError,
} from "../../dsl/index.ts";
import type { Reg, RegSlice, ThreadKernel, ThreadShared } from "../ir/thread.ts";
import { type Special, usedSpecials } from "../ir/used-specials.ts";
import { NameScopes } from "../text/names.ts";
import { SourceMarks } from "../text/source-marks.ts";
import type { Writer } from "../text/writer.ts";
import type { PrimitiveTable } from "./primitives.ts";
import { C_NAME_RULES, ENTRY_CLASHES } from "./reserved.ts";

/** What differs between the targets of the family. */
export interface Dialect {
  readonly title: string;
  readonly primitives: PrimitiveTable;
  /** True where `ldmatrix` and `mma` exist. */
  readonly hasMatrix: boolean;
  /** True where warps may take roles, with mbarriers, tensor maps and wgmma. */
  readonly hasRoles: boolean;
  /** Whether the prelude has this instruction of ir/instructions.ts. */
  readonly hasInstruction: (name: string) => boolean;
}

export interface TensorName {
  readonly text: string;
  readonly param: TensorParam;
}

export interface BufferName {
  readonly text: string;
  readonly shared: ThreadShared;
}

/** Specials that are parameters of the kernel instead of calls. */
export const GRID_SPECIALS: readonly Special[] = ["grid0", "grid1", "grid2"];

export class CContext {
  readonly kernel: ThreadKernel;
  readonly dialect: Dialect;
  readonly writer: Writer;
  readonly marks: SourceMarks = new SourceMarks();
  readonly names: NameScopes = new NameScopes(C_NAME_RULES);
  readonly entry: string;
  readonly tensors: ReadonlyMap<string, TensorName>;
  readonly scalars: ReadonlyMap<string, { readonly text: string; readonly param: ScalarParam }>;
  readonly dims: ReadonlyMap<string, string>;
  readonly buffers: ReadonlyMap<string, BufferName>;
  readonly specials: ReadonlyMap<Special, string>;
  /** Parameters of a persistent kernel: programs of the launch along x, y, z. */
  readonly grid: readonly string[];
  /** Parameter of a kernel whose blocks take programs by a counter. */
  readonly counter: string | undefined;
  readonly #maps: ReadonlyMap<string, string>;
  /** Text name of the base address of shared memory; absent where the kernel has none. */
  readonly smem: string | undefined;
  readonly #registers = new Map<string, { readonly reg: Reg; readonly mutable: boolean }>();

  constructor(kernel: ThreadKernel, dialect: Dialect, writer: Writer) {
    this.kernel = kernel;
    this.dialect = dialect;
    this.writer = writer;
    this.entry = this.names.fresh(
      ENTRY_CLASHES.has(kernel.name) ? `${kernel.name}_kernel` : kernel.name,
    );
    const tensors = new Map<string, TensorName>();
    const scalars = new Map<string, { readonly text: string; readonly param: ScalarParam }>();
    for (const param of kernel.params) {
      const text = this.names.declare(`param:${param.name}`, param.name);
      if (param.kind === "tensor") tensors.set(param.name, { text, param });
      else scalars.set(param.name, { text, param });
    }
    this.tensors = tensors;
    this.scalars = scalars;
    this.dims = new Map(
      kernel.dims.map((dim) => [dim, this.names.declare(`dim:${dim}`, dim)] as const),
    );
    this.grid = kernel.persistent
      ? ["grid_x", "grid_y", "grid_z"].map((name) => this.names.fresh(name))
      : [];
    this.counter = kernel.counted ? this.names.fresh("counter") : undefined;
    this.specials = new Map(
      usedSpecials(kernel.body).map((name) => {
        const axis = GRID_SPECIALS.indexOf(name);
        return [name, axis < 0 ? this.names.fresh(name) : (this.grid[axis] ?? name)] as const;
      }),
    );
    this.#maps = new Map(kernel.maps.map(({ name }) => [name, this.names.fresh(name)] as const));
    this.smem = kernel.shared.length === 0 ? undefined : this.names.fresh("smem");
    this.buffers = new Map(
      kernel.shared.map((shared) => [shared.name, { text: this.names.fresh(shared.name), shared }]),
    );
  }

  declareRegister(reg: Reg, mutable: boolean): string {
    this.#registers.set(reg.name, { reg, mutable });
    return this.names.declare(reg.name);
  }

  register(name: string): { readonly text: string; readonly reg: Reg; readonly mutable: boolean } {
    const text = this.names.lookup(name);
    const known = this.#registers.get(name);
    invariant(
      text !== undefined && known !== undefined,
      () => `${this.kernel.name}: register ${name} is used before it is declared`,
    );
    return { text, ...known };
  }

  tensor(name: string): TensorName {
    const found = this.tensors.get(name);
    invariant(found !== undefined, () => `${this.kernel.name}: no tensor ${name}`);
    return found;
  }

  buffer(name: string): BufferName {
    const found = this.buffers.get(name);
    invariant(found !== undefined, () => `${this.kernel.name}: no shared buffer ${name}`);
    return found;
  }

  map(name: string): string {
    const found = this.#maps.get(name);
    invariant(found !== undefined, () => `${this.kernel.name}: no tensor map ${name}`);
    return found;
  }

  /** The dtype of the register that a slice names. */
  sliceType(slice: RegSlice): Reg["type"] {
    return this.register(slice.name).reg.type;
  }

  /** Runs `body` in a scope of its own. */
  scoped(body: () => void): void {
    this.names.enter();
    body();
    this.names.leave();
  }

  unsupported(what: string, dtype: DType | undefined, loc: Location | undefined): UnsupportedError {
    return new UnsupportedError({
      code: "TW2301",
      message: `${this.kernel.name}: ${this.dialect.title} has no ${what}`,
      ...(dtype === undefined ? {} : { seen: `dtype ${dtype}` }),
      expected: "an operation that the target can spell",
      remedy: "compile for another target, or choose other dtypes or a wider tile",
      ...(loc === undefined ? {} : { location: loc }),
    });
  }
}
