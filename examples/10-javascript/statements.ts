/** [examples/10-javascript] Thread IR statements as lines of JavaScript. A barrier is a `yield`: the driver goes on when all threads have come to it. */
import type { Expr, RegSlice, Stmt, ThreadKernel } from "../../index.ts";
import { expression, held, nameOf, scalarType, slot, unsupported } from "./expressions.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;
type Access = StmtOf<"load_global" | "store_global" | "load_shared" | "store_shared">;

const ARRAYS = { f32: "Float32Array", i32: "Int32Array", u32: "Uint32Array", bool: "Uint8Array" };

/** The typed array that holds elements of a type. */
export function arrayOf(type: Parameters<typeof held>[0]): string {
  return ARRAYS[held(type)];
}

/** Writes the body of one kernel; keeps the lengths of the registers that were declared. */
export class BodyWriter {
  readonly #kernel: ThreadKernel;
  readonly #lengths = new Map<string, number>();
  readonly lines: string[] = [];
  #depth = 1;

  constructor(kernel: ThreadKernel) {
    this.#kernel = kernel;
  }

  /** What the driver hands over, by name: tensors, shared buffers, dims and scalars, in the order of the ABI. */
  writeArguments(): void {
    const { params, shared, dims } = this.#kernel;
    const tensors = params.filter((param) => param.kind === "tensor");
    tensors.forEach(({ name, dtype }, i) => {
      held(dtype);
      this.#line(`const tensor_${name} = block.tensors[${i}];`);
    });
    for (const { name, dtype, elements, byteOffset } of shared) {
      const place = `block.shared, ${byteOffset}, ${elements}`;
      this.#line(`const shared_${nameOf(name)} = new ${arrayOf(dtype)}(${place});`);
    }
    dims.forEach((dim, i) => void this.#line(`const dim_${dim} = block.words[${i}] | 0;`));
    const scalars = params.filter((param) => param.kind === "scalar");
    scalars.forEach(({ name }, i) => {
      const word = `block.words[${dims.length + i}]`;
      const type = scalarType(name, this.#kernel);
      const value = {
        f32: `tw.floatOf(${word})`,
        i32: `${word} | 0`,
        u32: word,
        bool: `!!${word}`,
      };
      this.#line(`const scalar_${name} = ${value[type]};`);
    });
  }

  write(body: readonly Stmt[]): void {
    for (const stmt of body) this.#write(stmt);
  }

  #line(text: string): void {
    this.lines.push(`${"  ".repeat(this.#depth)}${text}`);
  }

  #block(head: string, inside: () => void): void {
    this.#line(`${head} {`);
    this.#depth++;
    inside();
    this.#depth--;
    this.#line("}");
  }

  #text(e: Expr): string {
    return expression(e, this.#kernel);
  }

  #slot(slice: RegSlice, offset = 0): string {
    return slot(slice, this.#lengths.get(slice.name) ?? 1, offset, this.#kernel);
  }

  #write(stmt: Stmt): void {
    switch (stmt.kind) {
      case "let":
        this.#declare(stmt);
        break;
      case "assign":
        this.#line(`${this.#slot(stmt.to)} = ${this.#text(stmt.value)};`);
        break;
      case "loop":
        this.#loop(stmt);
        break;
      case "while":
        this.#block("for (;;)", () => {
          this.write(stmt.head);
          this.#line(`if (!${this.#text(stmt.cond)}) break;`);
          this.write(stmt.body);
        });
        break;
      case "if":
        this.#block(`if (${this.#text(stmt.cond)})`, () => this.write(stmt.then));
        if (stmt.else.length > 0) this.#block("else", () => this.write(stmt.else));
        break;
      case "load_global":
      case "store_global":
      case "load_shared":
      case "store_shared":
        this.#access(stmt);
        break;
      case "atomic_global":
        this.#atomic(stmt);
        break;
      case "barrier":
        this.#line("yield;");
        break;
      case "comment":
        this.#line(`// ${stmt.text}`);
        break;
      case "copy_async":
      case "commit_async":
      case "wait_async":
      case "ldmatrix":
      case "mma":
      case "call":
      case "roles":
      case "shuffle":
      case "shuffle_xor":
        // Only targets whose spec names such a feature, or warps of several lanes, are given these.
        throw unsupported(stmt.kind);
      default:
        stmt satisfies never;
    }
  }

  #declare({ reg, init }: StmtOf<"let">): void {
    this.#lengths.set(reg.name, reg.length);
    const start = init === undefined ? "0" : this.#text(init);
    const value =
      reg.length === 1 ? start : `new ${arrayOf(reg.type)}(${reg.length}).fill(${start})`;
    this.#line(`let ${nameOf(reg.name)} = ${value};`);
  }

  #loop({ name, lo, hi, step, body }: StmtOf<"loop">): void {
    const i = nameOf(name);
    const bounds = `${i} = ${this.#text(lo)}, ${i}$end = ${this.#text(hi)}, ${i}$step = ${this.#text(step)}`;
    this.#lengths.set(name, 1);
    this.#block(`for (let ${bounds}; ${i} < ${i}$end; ${i} += ${i}$step)`, () => this.write(body));
  }

  /** One element after the other: what a wide access does at once. */
  #access(stmt: Access): void {
    const isLoad = stmt.kind === "load_global" || stmt.kind === "load_shared";
    const memory = "tensor" in stmt ? `tensor_${stmt.tensor}` : `shared_${nameOf(stmt.buffer)}`;
    const mask = "mask" in stmt && stmt.mask !== undefined ? this.#text(stmt.mask) : undefined;
    const at = this.#text(stmt.offset);
    for (let i = 0; i < stmt.width; i++) {
      const element = `${memory}[${i === 0 ? at : `${at} + ${i}`}]`;
      if (isLoad) {
        const fill = "fill" in stmt ? stmt.fill : 0;
        const value = mask === undefined ? element : `${mask} ? ${element} : ${fill}`;
        this.#line(`${this.#slot(stmt.to, i)} = ${value};`);
      } else {
        const store = `${element} = ${this.#slot(stmt.from, i)};`;
        this.#line(mask === undefined ? store : `if (${mask}) ${store}`);
      }
    }
  }

  /** Threads run one at a time between barriers, so that nothing comes between a read and its write. */
  #atomic({ fn, to, tensor, offset, value, mask }: StmtOf<"atomic_global">): void {
    this.#block(mask === undefined ? "" : `if (${this.#text(mask)})`, () => {
      this.#line(`const at = ${this.#text(offset)};`);
      this.#line(`const before = tensor_${tensor}[at];`);
      const operand = this.#text(value);
      const after = fn === "add" ? `before + ${operand}` : `tw.${fn}(before, ${operand})`;
      this.#line(`tensor_${tensor}[at] = ${after};`);
      if (to !== undefined) this.#line(`${this.#slot(to)} = before;`);
    });
  }
}
