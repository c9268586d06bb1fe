/** [codegen/ir] Dots of the scheduled IR (L2): their operands and the instructions that they are made of. Data only. */
import type { Axis, DType, Location } from "../../dsl/index.ts";
import type { SharedRef, SValue } from "./scheduled.ts";

/**
 * Operand of a dot: registers in the layout that the instruction wants, or a slot of shared memory. `pairs`: the tile that a u32 tile holds
 * two elements a word, as `pack_pairs` makes it.
 */
export type DotOperand =
  | {
      readonly kind: "register";
      readonly value: SValue;
      readonly pairs?: { readonly dtype: DType; readonly axes: readonly Axis[] };
    }
  | {
      readonly kind: "shared";
      readonly ref: SharedRef;
      readonly dtype: DType;
      readonly axes: readonly Axis[];
    };

/**
 * `fma`: each thread multiplies its own elements, both operands from shared memory. `mma.sync`: warp-wide m16n8k16. `wgmma`: a warpgroup
 * multiplies 64 rows by all columns, 32 bytes along k at a time, asynchronously: neither operands nor accumulator may be touched before a
 * `dot_wait`. `fresh`: the sum starts from 0 and lies in registers of its own; `acc` says no more than its type.
 */
export type DotInstruction =
  | { readonly kind: "fma" }
  | { readonly kind: "mma.sync"; readonly m: 16; readonly n: 8; readonly k: 16 }
  /** A form of layout/matrix-form.ts by its name, wave-wide: MFMA or WMMA. */
  | { readonly kind: "matrix"; readonly form: string }
  | { readonly kind: "wgmma"; readonly m: 64; readonly k: 16 | 32; readonly fresh?: true };

/** acc + a·b over `axis`; the result's layout is the instruction's accumulator layout, the same as acc's. */
export interface SDot {
  readonly loc: Location;
  readonly kind: "dot";
  readonly result: SValue;
  readonly a: DotOperand;
  readonly b: DotOperand;
  readonly acc: SValue;
  readonly axis: string;
  readonly instruction: DotInstruction;
}
