/** [codegen/ir] Machine instructions that thread IR calls by name: their arguments and who executes them together. Their text is a target's affair. */

import { matrixForm } from "../layout/matrix-form.ts";
import type { Stmt } from "./thread.ts";

export interface Instruction {
  /** `value`: i32, u32 or i64; `address`: a byte of a shared buffer; `map`: a tensor map; `counter`: the launch's; `read`, `inout`, `out`: registers. */
  readonly args: readonly ("value" | "address" | "map" | "counter" | "read" | "inout" | "out")[];
  /** True where a whole warp or warpgroup executes it together. */
  readonly together?: boolean;
  /** What it gives, where it gives something. */
  readonly result?: "i64" | "u32" | "i32" | "bool";
  /** Whether a compile-time number is part of its name. */
  readonly numbered?: boolean;
}

const TABLE: Readonly<Record<string, Instruction>> = {
  mbarrier_init: { args: ["address", "value"] },
  fence_mbarrier_init: { args: [] },
  mbarrier_expect_tx: { args: ["address", "value"] },
  mbarrier_arrive: { args: ["address"] },
  mbarrier_wait: { args: ["address", "value"] },
  mbarrier_wait_cluster: { args: ["address", "value"] },
  fence_proxy_async: { args: [] },
  cluster_arrive: { args: [], together: true },
  cluster_wait: { args: [], together: true },
  map_to_cta: { args: ["address", "value"], result: "u32" },
  mbarrier_arrive_remote: { args: ["value"] },
  mbarrier_publish_remote: { args: ["value"] },
  store_remote_x4: { args: ["value", "value", "value", "value", "value"] },
  tma_load_2d_multicast: { args: ["address", "map", "address", "value", "value", "value"] },
  tma_load_3d_multicast: {
    args: ["address", "map", "address", "value", "value", "value", "value"],
  },
  launch_dependents: { args: [] },
  wait_previous: { args: [] },
  syncwarp: { args: [], together: true },
  next_program: { args: ["counter", "value"], result: "i32" },
  programs_done: { args: ["counter", "value"] },
  any: { args: ["value"], together: true, result: "bool" },
  bar_sync: { args: ["value", "value"], together: true },
  setmaxnreg_inc: { args: [], together: true, numbered: true },
  setmaxnreg_dec: { args: [], together: true, numbered: true },
  tma_prefetch: { args: ["map"] },
  tma_load_1d: { args: ["address", "map", "address", "value"] },
  tma_load_2d_once: { args: ["address", "map", "address", "value", "value"] },
  tma_load_3d_once: { args: ["address", "map", "address", "value", "value", "value"] },
  tma_load_2d: { args: ["address", "map", "address", "value", "value"] },
  tma_load_3d: { args: ["address", "map", "address", "value", "value", "value"] },
  tma_load_4d: { args: ["address", "map", "address", "value", "value", "value", "value"] },
  tma_load_5d: {
    args: ["address", "map", "address", "value", "value", "value", "value", "value"],
  },
  tma_store_1d: { args: ["map", "address", "value"] },
  tma_store_2d: { args: ["map", "address", "value", "value"] },
  tma_store_3d: { args: ["map", "address", "value", "value", "value"] },
  tma_store_4d: { args: ["map", "address", "value", "value", "value", "value"] },
  tma_store_5d: { args: ["map", "address", "value", "value", "value", "value", "value"] },
  tma_store_commit: { args: [] },
  tma_store_wait_read: { args: [], numbered: true },
  stmatrix_x4: { args: ["address", "value", "value", "value", "value"], together: true },
  stmatrix_x4_trans: { args: ["address", "value", "value", "value", "value"], together: true },
  stmatrix_x2_trans: { args: ["address", "value", "value"], together: true },
  stmatrix_x2: { args: ["address", "value", "value"], together: true },
  wgmma_desc: { args: ["address", "value", "value"], result: "i64", numbered: true },
  wgmma_fence: { args: [], together: true },
  wgmma_commit: { args: [], together: true },
  wgmma_wait: { args: [], together: true, numbered: true },
  wgmma_wait_behind: { args: ["value"], together: true, numbered: true },
  wgmma_keep: { args: ["inout"], numbered: true },
  wgmma_keep_s32: { args: ["inout"], numbered: true },
  trade_quads_e4m3: { args: ["out", "read"], together: true },
  take_quads: { args: ["out", "read"] },
  e4m3x2_low: { args: ["out", "value"] },
  e4m3x2_high: { args: ["out", "value"] },
  swap_middle_bytes: { args: ["value"], result: "u32" },
  lds_words: { args: ["out", "address"], numbered: true },
  lds_halves: { args: ["out", "address", "address"] },
  lds_bytes: { args: ["out", "address", "address", "address", "address"] },
};

/** Sums, then the operands: see layout/matrix-form.ts. */
const MATRIX: Instruction = { args: ["inout", "read", "read"], together: true };

const WGMMA: Instruction = { args: ["inout", "value", "value", "value"], together: true };
const WGMMA_NAME =
  /^wgmma_m64n(\d+)(k16_f32_(?:f16|bf16)(?:_ra)?|k32_f32_(?:e4m3(?:_ra)?|e5m2)|k32_s32_s8)$/;

/** Whether one wgmma multiplies this many columns. @source PTX ISA, wgmma.mma_async: integers come in fewer widths */
export function isWgmmaColumns(columns: number, isInteger: boolean): boolean {
  const step = isInteger && columns > 32 ? 16 : 8;
  return columns >= 8 && columns <= 256 && columns % step === 0;
}

/** What an instruction takes, or undefined for a name that is none. */
export function instructionOf(name: string): Instruction | undefined {
  if (Object.hasOwn(TABLE, name)) return TABLE[name];
  if (matrixForm(name) !== undefined) return MATRIX;
  const [, columns = "0", types = ""] = WGMMA_NAME.exec(name) ?? [];
  const n = Number(columns);
  if (!isWgmmaColumns(n, types.endsWith("s8"))) return undefined;
  const form: Instruction = types.endsWith("_ra")
    ? { ...WGMMA, args: ["inout", "read", "value", "value"] }
    : WGMMA;
  // Operands of 16 bits may lie either way round: the number says which.
  return types.startsWith("k16") ? { ...form, numbered: true } : form;
}

type Call = Extract<Stmt, { readonly kind: "call" }>;

/** Whether argument `i` is registers that the instruction changes. */
export function isWritten(call: Call, i: number): boolean {
  const kind = instructionOf(call.fn)?.args[i];
  return kind === "inout" || kind === "out";
}

/** Reports where a call has other arguments, numbers or results than its instruction. */
export function checkCallShape(call: Call, report: (message: string) => void): void {
  const instruction = instructionOf(call.fn);
  if (instruction === undefined) {
    report(`unknown instruction ${call.fn}`);
    return;
  }
  const { args, result, numbered } = instruction;
  if ((call.template !== undefined) !== (numbered === true))
    report(`${call.fn} ${numbered === true ? "needs a" : "has no"} number`);
  if ((call.to !== undefined) !== (result !== undefined)) report(`the result of ${call.fn}`);
  if (args.length !== call.args.length) report(`${call.fn} takes ${args.length} arguments`);
  for (const [i, arg] of call.args.entries()) {
    const isRegisters = args[i] === "read" || args[i] === "inout" || args[i] === "out";
    const kind = isRegisters ? "registers" : args[i];
    if (kind !== arg.kind) report(`argument ${i} is ${arg.kind}, expected ${args[i]}`);
  }
}

const WGMMA_TYPES = {
  f16: "k16_f32_f16",
  bf16: "k16_f32_bf16",
  f8e4m3: "k32_f32_e4m3",
  f8e5m2: "k32_f32_e5m2",
  i8: "k32_s32_s8",
} as const;

/** Dtypes that wgmma multiplies. */
export type WgmmaType = keyof typeof WGMMA_TYPES;

export function isWgmmaType(dtype: string): dtype is WgmmaType {
  return Object.hasOwn(WGMMA_TYPES, dtype);
}

/** The product of 64 rows with `columns` columns, 32 bytes along k, in f32 or i32; operand a from shared memory or from registers. */
export function wgmmaName(columns: number, dtype: WgmmaType, a: "shared" | "register"): string {
  return `wgmma_m64n${columns}${WGMMA_TYPES[dtype]}${a === "register" ? "_ra" : ""}`;
}
