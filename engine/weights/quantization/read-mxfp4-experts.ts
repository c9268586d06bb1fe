/** [engine/weights/quantization] mxfp4 weights of all experts of a layer in one tensor, as gpt-oss is released: `<name>_blocks` and `<name>_scales`. */
import { type Checkpoint, concatRows, type HostTensor } from "../checkpoint.ts";
import { deinterleave } from "../deinterleave.ts";
import { transpose } from "./quantized-weight.ts";
import type { ExpertStack } from "./stack-experts.ts";

/** Columns that share an exponent. */
const GROUP = 32;

export interface ExpertsSize {
  readonly experts: number;
  /** 2: gate and up. */
  readonly halves: number;
  /** Of one half. */
  readonly rows: number;
  readonly inputs: number;
  /** Rows of the halves take turns in the file. */
  readonly isInterleaved: boolean;
}

export function hasMxfp4Experts(checkpoint: Checkpoint, name: string): boolean {
  return checkpoint.has(`${name}_blocks`);
}

/** @returns undefined where tensors are missing or misshapen, which `checkpoint.finish()` reports */
export function readMxfp4Experts(
  checkpoint: Checkpoint,
  name: string,
  { experts, halves, rows, inputs, isInterleaved }: ExpertsSize,
): ExpertStack | undefined {
  const [all, groups] = [halves * rows, inputs / GROUP];
  const blocks = checkpoint.stored(`${name}_blocks`, ["u8"], [[experts, all, groups, GROUP / 2]]);
  const exponents = checkpoint.stored(`${name}_scales`, ["u8"], [[experts, all, groups]]);
  if (blocks === undefined || exponents === undefined) return undefined;
  const sorted = (tensor: HostTensor) => (isInterleaved ? deinterleave(tensor) : tensor);
  const scale = sorted(exponents).bytes;
  const scales = Array.from({ length: experts }, (_, e) =>
    transpose({
      dtype: "f8e8m0",
      shape: [all, groups],
      bytes: scale.subarray(e * all * groups, (e + 1) * all * groups),
    }),
  );
  return {
    kind: "quantized",
    codes: {
      dtype: "f4e2m1",
      shape: [experts, halves, rows, inputs],
      parts: [sorted(blocks).bytes],
    },
    scale: { ...concatRows(scales), shape: [experts, groups, halves, rows] },
    zero: { dtype: "u4", shape: [experts, 0, halves, rows], bytes: new Uint8Array(0) },
    order: undefined,
  };
}
