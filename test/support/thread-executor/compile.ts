/** [test/support] Thread kernels as JavaScript: every statement becomes a loop over the threads of a block, so that all threads move in step. */
import type { Expr, RegSlice, Stmt, ThreadKernel } from "../../../codegen/ir/thread.ts";
import { constantText, expressionText } from "./expression.ts";
import type { Machine } from "./machine.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;
export type BlockProgram = (m: Machine) => void;

interface RegisterInfo {
  readonly id: number;
  readonly length: number;
  readonly mutable: boolean;
}

class ProgramWriter {
  readonly #kernel: ThreadKernel;
  readonly #registers = new Map<string, RegisterInfo>();
  readonly #declarations: string[] = [];
  readonly #lines: string[] = [];
  readonly #counters: string[] = [];
  /** Variable that holds the active threads, where not all are. */
  #mask: string | undefined;
  #temporaries = 0;

  constructor(kernel: ThreadKernel) {
    this.#kernel = kernel;
  }

  #line(text: string): void {
    this.#lines.push(text);
  }

  #fresh(): string {
    this.#temporaries += 1;
    return `x${this.#temporaries}`;
  }

  #expr(e: Expr): string {
    return expressionText(e, {
      register: (name, index) => {
        if (index === undefined && this.#counters.includes(name)) return `c_${name}`;
        const info = this.#register(name);
        if (!info.mutable) return `R${info.id}[t]`;
        return `get${info.id}(${index ?? 0},t)`;
      },
    });
  }

  #register(name: string): RegisterInfo {
    const info = this.#registers.get(name);
    if (info === undefined) throw new Error(`executor: register ${name} is not declared`);
    return info;
  }

  #set(slice: RegSlice, plus: string, value: string): string {
    const info = this.#register(slice.name);
    const index = slice.index === undefined ? "0" : this.#expr(slice.index);
    return `set${info.id}(${index}+${plus},t,${value});`;
  }

  #get(slice: RegSlice, plus: string): string {
    const info = this.#register(slice.name);
    if (!info.mutable) return `R${info.id}[t]`;
    const index = slice.index === undefined ? "0" : this.#expr(slice.index);
    return `get${info.id}(${index}+${plus},t)`;
  }

  #eachThread(body: string): void {
    const guard = this.#mask === undefined ? "" : `if(!${this.#mask}[t])continue;`;
    this.#line(`for(let t=0;t<T;t++){${guard}${body}}`);
  }

  #declare(s: StmtOf<"let">): void {
    const { name, length } = s.reg;
    const known = this.#registers.get(name);
    const id = known?.id ?? this.#registers.size;
    this.#registers.set(name, { id, length, mutable: s.mutable });
    if (known === undefined) {
      this.#declarations.push(`const R${id}=new Float64Array(${length}*T);`);
      if (s.mutable) {
        const q = JSON.stringify(name);
        this.#declarations.push(
          `const D${id}=new Uint8Array(${length}*T);`,
          `const get${id}=(i,t)=>{if(i<0||i>=${length})return m.indexOutside(${q},i);const k=i*T+t;return D${id}[k]?R${id}[k]:m.undefinedRegister(${q}+(${length}>1?"["+i+"]":""),t);};`,
          `const set${id}=(i,t,v)=>{if(i<0||i>=${length}){m.indexOutside(${q},i);return;}const k=i*T+t;D${id}[k]=1;R${id}[k]=v;};`,
        );
      }
    }
    const init = s.init === undefined ? undefined : this.#expr(s.init);
    if (!s.mutable) this.#eachThread(`R${id}[t]=${init};`);
    else if (init !== undefined) this.#eachThread(`D${id}[t]=1;R${id}[t]=${init};`);
    else this.#eachThread(`for(let i=0;i<${length};i++)D${id}[i*T+t]=0;`);
  }

  /** The value of an expression that all threads must agree on. */
  #uniform(e: Expr, what: string): string {
    const name = this.#fresh();
    this.#line(`const ${name}s=new Float64Array(T);`);
    this.#line(`for(let t=0;t<T;t++)${name}s[t]=${this.#expr(e)};`);
    this.#line(`m.checkUniform(${name}s,${JSON.stringify(what)});const ${name}=${name}s[0];`);
    return name;
  }

  #loop(s: StmtOf<"loop">): void {
    const [lo, hi, step] = [s.lo, s.hi, s.step].map((e) =>
      e.kind === "const" ? constantText(e.value) : this.#uniform(e, `a bound of loop ${s.name}`),
    );
    this.#line(`for(let c_${s.name}=${lo};c_${s.name}<${hi};c_${s.name}+=${step}){`);
    this.#counters.push(s.name);
    this.block(s.body);
    this.#counters.pop();
    this.#line("}");
  }

  #while(s: StmtOf<"while">): void {
    this.#line("for(let trips=0;;trips++){if(trips>1e5)throw new Error('endless while');");
    this.block(s.head);
    this.#line(`if(!${this.#uniform(s.cond, "the condition of a while")})break;`);
    this.block(s.body);
    this.#line("}");
  }

  #if(s: StmtOf<"if">): void {
    if (s.uniform) {
      this.#line(`if(${this.#uniform(s.cond, "the condition of a uniform if")}){`);
      this.block(s.then);
      this.#line("}else{");
      this.block(s.else);
      this.#line("}");
      return;
    }
    const outer = this.#mask;
    const [then, other] = [this.#fresh(), this.#fresh()];
    const active = outer === undefined ? "" : `if(!${outer}[t])continue;`;
    this.#line(`{const ${then}=new Uint8Array(T),${other}=new Uint8Array(T);`);
    this.#line(
      `for(let t=0;t<T;t++){${active}if(${this.#expr(s.cond)})${then}[t]=1;else ${other}[t]=1;}`,
    );
    this.#mask = then;
    this.block(s.then);
    this.#mask = other;
    this.block(s.else);
    this.#mask = outer;
    this.#line("}");
  }

  #bufferId(name: string): number {
    const id = this.#kernel.shared.findIndex((b) => b.name === name);
    if (id < 0) throw new Error(`executor: no shared buffer ${name}`);
    return id;
  }

  #masked(mask: Expr | undefined): string {
    return mask === undefined ? "true" : this.#expr(mask);
  }

  #global(s: StmtOf<"load_global" | "store_global" | "atomic_global">): void {
    const name = JSON.stringify(s.tensor);
    const at = this.#expr(s.offset);
    if (s.kind === "load_global") {
      const read = this.#set(s.to, "i", "p===undefined?0:p[o+i]");
      const fill = this.#set(s.to, "i", constantText(s.fill));
      const each = (body: string): string => `for(let i=0;i<${s.width};i++){${body}}`;
      const load = `const o=${at},p=m.tensor(${name},o,${s.width},"read");${each(read)}`;
      this.#eachThread(`if(${this.#masked(s.mask)}){${load}}else{${each(fill)}}`);
      return;
    }
    if (s.kind === "store_global") {
      const write = `for(let i=0;i<${s.width};i++)p[o+i]=${this.#get(s.from, "i")};`;
      const store = `const o=${at},p=m.tensor(${name},o,${s.width},"write");if(p!==undefined){${write}}`;
      this.#eachThread(`if(${this.#masked(s.mask)}){${store}}`);
      return;
    }
    const type = s.value.type;
    const sum =
      type === "f32" ? "Math.fround(old+v)" : type === "i32" ? "(old+v)|0" : "(old+v)>>>0";
    const arrives = s.fn === "arrive";
    const next = arrives ? "old+1>=v?0:old+1" : s.fn === "add" ? sum : `m.${s.fn}(old,v)`;
    const given = arrives ? "old+1>=v?1:0" : "old";
    const keep = s.to === undefined ? "" : this.#set(s.to, "0", given);
    const body = `const o=${at},v=${this.#expr(s.value)},p=m.tensor(${name},o,1,"atomic");if(p!==undefined){const old=p[o];p[o]=${next};${keep}}`;
    this.#eachThread(`if(${this.#masked(s.mask)}){${body}}`);
  }

  #shared(s: StmtOf<"load_shared" | "store_shared" | "copy_async">): void {
    const id = this.#bufferId(s.buffer);
    if (s.kind === "copy_async") {
      const source = `{tensor:${JSON.stringify(s.tensor)},from:${this.#expr(s.from)},isInside:!!(${this.#masked(s.mask)})}`;
      this.#eachThread(`m.copyAsync(t,${id},${this.#expr(s.to)},${s.width},${source});`);
      return;
    }
    const start = `const o=${this.#expr(s.offset)};m.shared.checkAlignment(${id},o,${s.width});`;
    if (s.kind === "load_shared") {
      const read = this.#set(s.to, "i", `m.shared.read(t,${id},o+i)`);
      this.#eachThread(`${start}for(let i=0;i<${s.width};i++){${read}}`);
      return;
    }
    const write = `m.shared.write(t,${id},o+i,${this.#get(s.from, "i")});`;
    const body = `${start}for(let i=0;i<${s.width};i++){${write}}`;
    this.#eachThread(`if(${this.#masked(s.mask)}){${body}}`);
  }

  #shuffle(s: StmtOf<"shuffle" | "shuffle_xor">): void {
    const values = this.#fresh();
    this.#line(`{const ${values}=new Float64Array(T);`);
    this.#eachThread(`${values}[t]=${this.#expr(s.value)};`);
    const from =
      s.kind === "shuffle" ? `(t-t%W+((${this.#expr(s.lane)})&(W-1)))` : `(t^${s.laneMask})`;
    this.#eachThread(this.#set(s.to, "0", `${values}[${from}]`));
    this.#line("}");
  }

  #ldmatrix(s: StmtOf<"ldmatrix">): void {
    const offsets = this.#fresh();
    const type = this.#kernel.shared[this.#bufferId(s.buffer)]?.dtype;
    const options = JSON.stringify({ count: s.count, transpose: s.transpose, type });
    this.#line(`{const ${offsets}=new Float64Array(T);`);
    this.#eachThread(`${offsets}[t]=${this.#expr(s.offset)};`);
    const write = this.#set(s.to, "q", "v");
    this.#line(
      `for(let w=0;w<T/W;w++)m.ldmatrix(w,${this.#bufferId(s.buffer)},${offsets},${options},(q,t,v)=>{${write}});}`,
    );
  }

  #mma(s: StmtOf<"mma">): void {
    const read = (slice: RegSlice): string => this.#get(slice, "r");
    this.#line(
      `for(let w=0;w<T/W;w++)m.mma(${JSON.stringify(s.dtype)},(which,r,l)=>{const t=w*W+l;`,
    );
    this.#line(
      `return which==="a"?${read(s.a)}:which==="b"?${read(s.b)}:${read(s.acc)};},(r,l,v)=>{const t=w*W+l;${this.#set(s.acc, "r", "v")}});`,
    );
  }

  #statement(s: Stmt): void {
    switch (s.kind) {
      case "let":
        this.#declare(s);
        return;
      case "assign":
        this.#eachThread(this.#set(s.to, "0", this.#expr(s.value)));
        return;
      case "loop":
        this.#loop(s);
        return;
      case "while":
        this.#while(s);
        return;
      case "if":
        this.#if(s);
        return;
      case "load_global":
      case "store_global":
      case "atomic_global":
        this.#global(s);
        return;
      case "load_shared":
      case "store_shared":
      case "copy_async":
        this.#shared(s);
        return;
      case "commit_async":
        this.#line("m.commitAsync();");
        return;
      case "wait_async":
        this.#line(`m.waitAsync(${s.pending});`);
        return;
      case "barrier":
        this.#line("m.shared.barrier();");
        return;
      case "shuffle":
      case "shuffle_xor":
        this.#shuffle(s);
        return;
      case "ldmatrix":
        this.#ldmatrix(s);
        return;
      case "mma":
        this.#mma(s);
        return;
      case "call":
      case "roles":
        throw new Error(`the executor has no ${s.kind === "call" ? s.fn : s.kind}`);
      case "comment":
        return;
      default:
        s satisfies never;
    }
  }

  block(body: readonly Stmt[]): void {
    for (const s of body) this.#statement(s);
  }

  text(): string {
    this.block(this.#kernel.body);
    const sizes = `const T=${this.#kernel.threads},W=${this.#kernel.warpSize};`;
    return [`"use strict";${sizes}`, ...this.#declarations, ...this.#lines, "m.finish();"].join(
      "\n",
    );
  }
}

/** JavaScript of a kernel's block; for a look at what the executor runs. */
export function programText(kernel: ThreadKernel): string {
  return new ProgramWriter(kernel).text();
}

export function compileBlock(kernel: ThreadKernel): BlockProgram {
  return new Function("m", programText(kernel)) as BlockProgram;
}
