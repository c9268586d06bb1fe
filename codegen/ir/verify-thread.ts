/** [codegen/ir] Checks a thread kernel: names, types, widths, and that barriers and warp operations stand in uniform flow. */
import { InternalError, type TensorParam } from "../../dsl/index.ts";
import { checkCallShape, instructionOf, isWritten } from "./instructions.ts";
import { formatExpr, printStmt } from "./print-thread.ts";
import type {
  CallArg,
  Expr,
  Reg,
  RegSlice,
  RegType,
  Stmt,
  ThreadKernel,
  ThreadShared,
} from "./thread.ts";
import {
  type Binding,
  checkExpr,
  checkSlice,
  constantRange,
  type ExprContext,
  typeBits,
} from "./verify-thread-expr.ts";
import { walkExpr } from "./visit-thread.ts";

/** Statements that a whole warp or block executes together. */
const TOGETHER: ReadonlySet<Stmt["kind"]> = new Set([
  "barrier",
  "shuffle",
  "shuffle_xor",
  "ldmatrix",
  "mma",
]);

type MemoryStmt = Extract<
  Stmt,
  {
    readonly kind:
      | "load_global"
      | "store_global"
      | "atomic_global"
      | "load_shared"
      | "store_shared"
      | "copy_async"
      | "ldmatrix"
      | "mma";
  }
>;

class Verifier implements ExprContext {
  readonly kernel: ThreadKernel;
  readonly violations: string[] = [];
  /** Names that are visible, and those that each open block declares. */
  readonly #bindings = new Map<string, Binding>();
  readonly #scopes: string[][] = [];
  /** Registers that certainly differ between threads. */
  readonly #varying = new Set<string>();
  #statement: Stmt | undefined;
  #uniform = true;

  constructor(kernel: ThreadKernel) {
    this.kernel = kernel;
  }

  report(message: string): void {
    const where =
      this.#statement === undefined ? "" : ` in: ${printStmt(this.#statement).split("\n")[0]}`;
    this.violations.push(`${message}${where}`);
  }

  lookUp(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  #declare(name: string, binding: Binding): void {
    if (this.#bindings.has(name)) this.report(`${name} is declared twice`);
    this.#bindings.set(name, binding);
    this.#scopes.at(-1)?.push(name);
  }

  #open(): void {
    this.#scopes.push([]);
  }

  #close(): void {
    for (const name of this.#scopes.pop() ?? []) this.#bindings.delete(name);
  }

  block(body: readonly Stmt[], declare?: () => void): void {
    this.#open();
    declare?.();
    for (const s of body) {
      this.#statement = s;
      if (!this.#uniform && TOGETHER.has(s.kind))
        this.report(`${s.kind} stands where threads may diverge`);
      this.#check(s);
    }
    this.#close();
  }

  #write(slice: RegSlice, count: number, type?: RegType): Reg | undefined {
    const reg = checkSlice(this, slice, count);
    const found = this.lookUp(slice.name);
    if (found?.kind === "register" && !found.mutable) this.report(`${slice.name} is not mutable`);
    if (reg !== undefined && type !== undefined && reg.type !== type)
      this.report(`${reg.name} is ${reg.type}, expected ${type}`);
    return reg;
  }

  #read(slice: RegSlice, count: number, type?: RegType): void {
    const reg = checkSlice(this, slice, count);
    if (reg !== undefined && type !== undefined && reg.type !== type)
      this.report(`${reg.name} is ${reg.type}, expected ${type}`);
  }

  #tensor(name: string, use: "read" | "write"): TensorParam | undefined {
    const param = this.kernel.params.find((p) => p.name === name);
    if (param?.kind !== "tensor") {
      this.report(`unknown tensor ${name}`);
      return undefined;
    }
    if (param.access === (use === "read" ? "out" : "in"))
      this.report(`${name} is an ${param.access} tensor`);
    return param;
  }

  #buffer(name: string): ThreadShared | undefined {
    const buffer = this.kernel.shared.find((b) => b.name === name);
    if (buffer === undefined) this.report(`unknown shared buffer ${name}`);
    return buffer;
  }

  #width(width: number, type: RegType | undefined, bytes: readonly number[]): void {
    if (type === undefined) return;
    const size = (width * typeBits(type)) / 8;
    if (!bytes.includes(size) && !(width === 1 && size < 1))
      this.report(`${width} elements of ${type} are no vector`);
  }

  #memory(offset: Expr, mask: Expr | undefined, shared: boolean): void {
    checkExpr(this, offset);
    if (offset.type !== "i32" && (shared || offset.type !== "i64"))
      this.report(`the offset ${formatExpr(offset)} is ${offset.type}`);
    if (mask !== undefined) checkExpr(this, mask, "bool");
  }

  #isVarying(e: Expr): boolean {
    const ids = ["thread", "lane", "warp"];
    let varying = false;
    const visit = (x: Expr): void => {
      if (x.kind === "special" && ids.includes(x.name)) varying = true;
      if (x.kind === "reg" && this.#varying.has(x.name)) varying = true;
    };
    walkExpr(e, visit);
    return varying;
  }

  #checkLet(s: Extract<Stmt, { readonly kind: "let" }>): void {
    if (s.reg.length < 1) this.report(`${s.reg.name} has no elements`);
    if (s.init !== undefined) {
      checkExpr(this, s.init, s.reg.type);
      if (s.reg.length !== 1) this.report(`${s.reg.name} is an array and has an initial value`);
      if (!s.mutable && this.#isVarying(s.init)) this.#varying.add(s.reg.name);
    } else if (!s.mutable) this.report(`${s.reg.name} has no value and is not mutable`);
    this.#declare(s.reg.name, { kind: "register", reg: s.reg, mutable: s.mutable });
  }

  #checkLoop(s: Extract<Stmt, { readonly kind: "loop" }>): void {
    for (const e of [s.lo, s.hi, s.step]) checkExpr(this, e, "i32");
    const [lo, hi, step] = [s.lo, s.hi, s.step].map((e) => constantRange(this, e));
    const isConstant = lo?.[0] === lo?.[1] && hi?.[0] === hi?.[1] && step?.[0] === step?.[1];
    if (s.unroll && !(isConstant && lo !== undefined && hi !== undefined && step !== undefined))
      this.report("an unrolled loop needs constant bounds");
    const range =
      lo === undefined || hi === undefined
        ? {}
        : { range: [lo[0], Math.max(lo[0], hi[1] - 1)] as const };
    const diverges = [s.lo, s.hi, s.step].some((e) => this.#isVarying(e));
    this.#inside(!diverges, () =>
      this.block(s.body, () => this.#declare(s.name, { kind: "counter", ...range })),
    );
  }

  #inside(uniform: boolean, body: () => void): void {
    const before = this.#uniform;
    this.#uniform &&= uniform;
    body();
    this.#uniform = before;
  }

  #checkWhile(s: Extract<Stmt, { readonly kind: "while" }>): void {
    // The condition reads registers that the head declares.
    this.#open();
    for (const inner of s.head) {
      this.#statement = inner;
      if (!this.#uniform && TOGETHER.has(inner.kind))
        this.report(`${inner.kind} stands where threads may diverge`);
      this.#check(inner);
    }
    this.#statement = s;
    checkExpr(this, s.cond, "bool");
    const diverges = this.#isVarying(s.cond);
    this.#inside(!diverges, () => this.block(s.body));
    this.#close();
  }

  #checkIf(s: Extract<Stmt, { readonly kind: "if" }>): void {
    checkExpr(this, s.cond, "bool");
    if (s.uniform && this.#isVarying(s.cond))
      this.report(`${formatExpr(s.cond)} is called uniform but differs between threads`);
    this.#inside(s.uniform, () => {
      this.block(s.then);
      this.block(s.else);
    });
  }

  #checkShuffle(s: Extract<Stmt, { readonly kind: "shuffle" | "shuffle_xor" }>): void {
    const size = this.kernel.warpSize;
    checkExpr(this, s.value);
    this.#write(s.to, 1, s.value.type);
    if (!["f32", "i32", "u32"].includes(s.value.type)) this.report(`shuffles ${s.value.type}`);
    if (size < 2) this.report("there are no shuffles in a warp of one lane");
    if (s.kind === "shuffle") checkExpr(this, s.lane, "i32");
    else if (s.laneMask < 1 || s.laneMask >= size) this.report(`lane mask ${s.laneMask}`);
  }

  #checkCall(s: Extract<Stmt, { readonly kind: "call" }>): void {
    if (instructionOf(s.fn)?.together === true && !this.#uniform)
      this.report(`${s.fn} stands where threads may diverge`);
    if (s.to !== undefined) this.#write(s.to, 1, instructionOf(s.fn)?.result);
    checkCallShape(s, (message) => this.report(message));
    for (const [i, arg] of s.args.entries()) this.#checkArg(arg, isWritten(s, i));
  }

  #checkArg(arg: CallArg, isWritten: boolean): void {
    switch (arg.kind) {
      case "value":
        checkExpr(this, arg.value);
        break;
      case "address":
        this.#buffer(arg.buffer);
        checkExpr(this, arg.bytes, "i32");
        break;
      case "map":
        if (!this.kernel.maps.some(({ name }) => name === arg.map))
          this.report(`unknown tensor map ${arg.map}`);
        break;
      case "counter":
        if (!this.kernel.counted) this.report("a kernel without a counter reads it");
        break;
      case "registers":
        if (isWritten) this.#write(arg.slice, arg.count);
        else this.#read(arg.slice, arg.count);
        break;
      default:
        arg satisfies never;
    }
  }

  #checkRoles(s: Extract<Stmt, { readonly kind: "roles" }>): void {
    if (!this.#uniform) this.report("roles stand where threads may diverge");
    const threads = s.warps * this.kernel.warpSize + 128;
    if (threads !== this.kernel.threads)
      this.report(`roles for ${threads} threads in a block of ${this.kernel.threads}`);
    this.#inside(false, () => this.block(s.producer));
    this.block(s.consumer);
  }

  #check(s: Stmt): void {
    switch (s.kind) {
      case "call":
        this.#checkCall(s);
        return;
      case "roles":
        this.#checkRoles(s);
        return;
      case "let":
        this.#checkLet(s);
        return;
      case "assign": {
        checkExpr(this, s.value);
        this.#write(s.to, 1, s.value.type);
        return;
      }
      case "loop":
        this.#checkLoop(s);
        return;
      case "while":
        this.#checkWhile(s);
        return;
      case "if":
        this.#checkIf(s);
        return;
      case "shuffle":
      case "shuffle_xor":
        this.#checkShuffle(s);
        return;
      case "wait_async":
        if (s.pending < 0) this.report("waits for less than nothing");
        return;
      case "commit_async":
      case "barrier":
      case "comment":
        return;
      default:
        this.#checkMemory(s);
        return;
    }
  }

  #checkMemory(s: MemoryStmt): void {
    const vectors = [1, 2, 4, 8, 16];
    switch (s.kind) {
      case "load_global":
        this.#write(s.to, s.width, this.#tensor(s.tensor, "read")?.dtype);
        this.#width(s.width, this.#tensor(s.tensor, "read")?.dtype, vectors);
        this.#memory(s.offset, s.mask, false);
        return;
      case "store_global":
        this.#read(s.from, s.width, this.#tensor(s.tensor, "write")?.dtype);
        this.#width(s.width, this.#tensor(s.tensor, "write")?.dtype, vectors);
        this.#memory(s.offset, s.mask, false);
        return;
      case "atomic_global": {
        const dtype = this.#tensor(s.tensor, "write")?.dtype;
        checkExpr(this, s.value, dtype);
        if (s.fn === "arrive" && dtype !== "i32")
          this.report("arrives at a counter that is no i32");
        if (s.to !== undefined) this.#write(s.to, 1, dtype);
        this.#memory(s.offset, s.mask, false);
        return;
      }
      case "load_shared":
        this.#write(s.to, s.width, this.#buffer(s.buffer)?.dtype);
        this.#width(s.width, this.#buffer(s.buffer)?.dtype, vectors);
        this.#memory(s.offset, undefined, true);
        return;
      case "store_shared":
        this.#read(s.from, s.width, this.#buffer(s.buffer)?.dtype);
        this.#width(s.width, this.#buffer(s.buffer)?.dtype, vectors);
        this.#memory(s.offset, s.mask, true);
        return;
      case "copy_async":
        this.#width(s.width, this.#tensor(s.tensor, "read")?.dtype, [4, 8, 16]);
        if (this.#buffer(s.buffer)?.dtype !== this.#tensor(s.tensor, "read")?.dtype)
          this.report("copies between two dtypes");
        this.#memory(s.to, undefined, true);
        this.#memory(s.from, s.mask, false);
        return;
      case "ldmatrix": {
        const dtype = this.#buffer(s.buffer)?.dtype;
        if (dtype !== undefined && typeBits(dtype) !== 16 && dtype !== "f8e4m3")
          this.report(`ldmatrix of ${dtype}`);
        this.#write(s.to, s.count, "u32");
        this.#memory(s.offset, undefined, true);
        return;
      }
      case "mma":
        this.#write(s.acc, 4, "f32");
        this.#read(s.a, 4, "u32");
        this.#read(s.b, 2, "u32");
        return;
      default:
        s satisfies never;
    }
  }

  run(): void {
    for (const b of this.kernel.shared) {
      if (b.byteOffset % 16 !== 0) this.report(`${b.name} starts at byte ${b.byteOffset}`);
      const end = b.byteOffset + Math.ceil((b.elements * typeBits(b.dtype)) / 8);
      if (end > this.kernel.sharedBytes) this.report(`${b.name} ends past the shared memory`);
    }
    if (this.kernel.threads % this.kernel.warpSize !== 0)
      this.report(`${this.kernel.threads} threads are no whole warps`);
    this.block(this.kernel.body);
  }
}

/** Everything wrong with a kernel, in the order of its text; empty when it is sound. */
export function findThreadViolations(kernel: ThreadKernel): readonly string[] {
  const verifier = new Verifier(kernel);
  verifier.run();
  return verifier.violations;
}

/** @throws InternalError TW9003 naming every violation */
export function verifyThreadKernel(kernel: ThreadKernel): void {
  const violations = findThreadViolations(kernel);
  if (violations.length === 0) return;
  throw new InternalError({
    code: "TW9003",
    message: `thread IR of ${kernel.name} is malformed:\n${violations.map((v) => `  ${v}`).join("\n")}`,
    remedy: "this is a bug in tilewright; please report it with the kernel that caused it",
  });
}
