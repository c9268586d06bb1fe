/** [codegen/c-family] One thread kernel as the parts of a C text: signature, body, prelude. The skeleton is the target's. */
import { DTYPES } from "../../dsl/index.ts";
import type { ThreadKernel } from "../ir/thread.ts";
import type { Special } from "../ir/used-specials.ts";
import { STORAGE_TYPES } from "../targets/cuda/prelude-abi.ts";
import { breakList, Writer } from "../text/writer.ts";
import { CContext, type Dialect } from "./context.ts";
import { scalarWordType } from "./expressions.ts";
import { emitBody } from "./statements.ts";

const SPECIAL_CALLS: Readonly<Record<Exclude<Special, `grid${0 | 1 | 2}`>, string>> = {
  thread: "tw_tid()",
  lane: "tw_lane()",
  warp: "tw_warp()",
  pid0: "tw_bid_x()",
  pid1: "tw_bid_y()",
  pid2: "tw_bid_z()",
  programs0: "tw_nbid_x()",
  programs1: "tw_nbid_y()",
  programs2: "tw_nbid_z()",
  rank: "tw_cluster_rank()",
};

export interface CKernelText {
  readonly entry: string;
  /** `TW_KERNEL(128) name(…)`, broken into lines where it is long. */
  readonly signature: string;
  /** Statements, indented by one step. */
  readonly body: string;
}

function parameters(kernel: ThreadKernel, context: CContext): readonly string[] {
  const tensors = [...context.tensors.values()].map(({ text, param }) => {
    const type = STORAGE_TYPES[param.dtype];
    return `${param.access === "in" ? "const " : ""}${type}* ${text}`;
  });
  const dims = kernel.dims.map((dim) => `i32 ${context.dims.get(dim)}`);
  const scalars = [...context.scalars.values()].map(
    ({ text, param }) => `${scalarWordType(param.dtype)} ${text}`,
  );
  const grid = context.grid.map((name) => `i32 ${name}`);
  const maps = kernel.maps.map(({ name }) => `TW_TENSOR_MAP ${context.map(name)}`);
  const counter = context.counter === undefined ? [] : [`u32* ${context.counter}`];
  return [...tensors, ...dims, ...scalars, ...grid, ...counter, ...maps];
}

/** Indices and shared addresses that the body uses, each named once at the top. */
function emitPreamble(context: CContext): void {
  const { writer, kernel } = context;
  for (const [special, name] of context.specials) {
    if (special === "grid0" || special === "grid1" || special === "grid2") continue;
    writer.line(`const i32 ${name} = ${SPECIAL_CALLS[special]};`);
  }
  if (context.smem === undefined) return;
  writer.line(`const u32 ${context.smem} = tw_smem_dyn();`);
  for (const { name, dtype, elements, byteOffset } of kernel.shared) {
    const { text } = context.buffer(name);
    const at = byteOffset === 0 ? context.smem : `${context.smem} + ${byteOffset}u`;
    writer.line(`const u32 ${text} = ${at};`);
    const bytes = Math.ceil((elements * DTYPES[dtype].bits) / 8);
    writer.line(`tw_label(${text}, ${bytes}u, "${text}");`);
  }
}

/** @throws UnsupportedError TW2301 for an operation that the dialect lacks */
export function emitCKernel(kernel: ThreadKernel, dialect: Dialect): CKernelText {
  const writer = new Writer(1);
  const context = new CContext(kernel, dialect, writer);
  emitPreamble(context);
  emitBody(kernel.body, context);
  const { threads, persistent } = kernel;
  // One block a multiprocessor: registers may then be moved between roles.
  const plain = persistent ? `TW_KERNEL_PER_SM(${threads}, 1)` : `TW_KERNEL(${threads})`;
  const macro = kernel.cluster === 1 ? plain : `${plain} TW_CLUSTER(${kernel.cluster})`;
  const head = `${macro} ${context.entry}(`;
  const signature = breakList(head, parameters(kernel, context), ")").join("\n");
  return { entry: context.entry, signature, body: writer.text() };
}
