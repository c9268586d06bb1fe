/** [codegen/c-family] Machine instructions and warp roles as C text: calls of prelude names. */
import type { CallArg, Stmt } from "../ir/thread.ts";
import type { CContext } from "./context.ts";
import { emitExpr, pointer, sharedAddress } from "./expressions.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;

/** Instructions count in u32; wgmma descriptors alone are 64 bits wide. */
function argText(arg: CallArg, context: CContext): string {
  switch (arg.kind) {
    case "value": {
      const { value } = arg;
      const text = emitExpr(value, context);
      return value.kind === "const" && value.type === "i32" ? `${value.value}u` : text.text;
    }
    case "address":
      return sharedAddress(context.buffer(arg.buffer).text, arg.bytes, 8, context).text;
    case "map":
      return `&${context.map(arg.map)}`;
    case "counter":
      return context.counter ?? "";
    case "registers":
      return pointer(arg.slice, context).text;
    default:
      return arg satisfies never;
  }
}

/** @throws UnsupportedError TW2301 where the dialect has no such instruction */
export function emitCall(stmt: StmtOf<"call">, context: CContext): void {
  if (!context.dialect.hasInstruction(stmt.fn))
    throw context.unsupported(stmt.fn, undefined, stmt.loc);
  const { fn, template, args, to } = stmt;
  const name = `tw_${fn}${template === undefined ? "" : `<${template}>`}`;
  const call = `${name}(${args.map((arg) => argText(arg, context)).join(", ")})`;
  if (to === undefined) context.writer.line(`${call};`);
  else {
    const { text, reg } = context.register(to.name);
    context.writer.line(`${text} = (${reg.type})${call};`);
  }
}

export function emitBarrier(stmt: StmtOf<"barrier">, context: CContext): void {
  const { threads } = stmt;
  context.writer.line(
    threads === undefined ? "tw_syncthreads();" : `tw_bar_sync(1u, ${threads}u);`,
  );
}

/** The producers' warpgroup stands last, so that indices of consumers count from 0. */
export function emitRoles(
  stmt: StmtOf<"roles">,
  context: CContext,
  body: (stmts: readonly Stmt[]) => void,
): void {
  if (!context.dialect.hasRoles) throw context.unsupported("warp roles", undefined, stmt.loc);
  const { writer } = context;
  const { warps, registers, producer, consumer } = stmt;
  const warp = context.specials.get("warp");
  writer.branches([
    {
      head: `if (${warp} < ${warps})`,
      body: () =>
        context.scoped(() => {
          if (registers !== undefined) writer.line(`tw_setmaxnreg_inc<${registers.consumer}>();`);
          body(consumer);
        }),
    },
    {
      head: "else",
      body: () =>
        context.scoped(() => {
          if (registers !== undefined) writer.line(`tw_setmaxnreg_dec<${registers.producer}>();`);
          // Only of a lane that elect chose does the compiler know that it is one: copies are single instructions then.
          writer.block(`if (${warp} == ${warps} && tw_elect_one())`, () =>
            context.scoped(() => body(producer)),
          );
        }),
    },
  ]);
}
