/** [test/unit/engine] Quantized weights out of the tensors of a checkpoint: which modules count as quantized, and tensors that no layer can be made of. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Checkpoint } from "../../../engine/weights/checkpoint.ts";
import { planQuantization } from "../../../engine/weights/quantization/plan.ts";
import { readQuantized, sharedScheme } from "../../../engine/weights/quantization/read-weight.ts";
import { bitsAndBytes, gptq } from "../../support/quantized/four-bit.ts";
import {
  bytesOf,
  floats,
  type StoredTensor,
  writeSafetensors,
} from "../../support/quantized/stored-tensor.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function checkpointOf(tensors: readonly StoredTensor[]): Checkpoint {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-weight-"));
  folders.push(folder);
  writeSafetensors(folder, tensors);
  return new Checkpoint(folder);
}

const ROWS = 8;
const INPUTS = 192;
const weight = {
  rows: ROWS,
  columns: INPUTS,
  values: Float64Array.from({ length: ROWS * INPUTS }, (_, i) => Math.sin(i)),
};
const sizeOf = (name: string) => ({ name, rows: ROWS, inputs: INPUTS });

/** nf4 with blocks of another size in its state; scales stay as many as that needs. */
function nf4(name: string, block: number): readonly StoredTensor[] {
  const { tensors } = bitsAndBytes(name, weight, false);
  const count = (ROWS * INPUTS) / block;
  return tensors.map((tensor) => {
    if (tensor.name.endsWith("absmax"))
      return floats(tensor.name, "F32", [count], new Float32Array(count).fill(1));
    if (!tensor.name.includes("quant_state")) return tensor;
    const state = new TextEncoder().encode(JSON.stringify({ quant_type: "nf4", blocksize: block }));
    return bytesOf(tensor.name, "U8", [state.length], state);
  });
}

describe("nf4", () => {
  it.each([48, 96, 8, 3])("in blocks of %i columns is refused", (block) => {
    const checkpoint = checkpointOf(nf4("q", block));
    expect(() => readQuantized(checkpoint, { kind: "nf4" }, [sizeOf("q")])).toThrow(
      `bitsandbytes with blocks of ${block} in 'q.weight'`,
    );
  });

  it("in other blocks than what it is computed with is refused, by name", () => {
    const checkpoint = checkpointOf([...nf4("q", 64), ...nf4("k", 32)]);
    expect(() => readQuantized(checkpoint, { kind: "nf4" }, [sizeOf("q"), sizeOf("k")])).toThrow(
      /TW4241[\s\S]*q: scales f32\[3\][\s\S]*k: scales f32\[6\]/,
    );
    const same = checkpointOf([...nf4("q", 64), ...nf4("k", 64)]);
    const read = readQuantized(same, { kind: "nf4" }, [sizeOf("q"), sizeOf("k")]);
    expect(read).toMatchObject({ kind: "four-bit", scale: { shape: [3, 16] } });
  });
});

describe("gptq", () => {
  it("with an index that shares nothing out is refused", () => {
    const grouping = { group: 64, isSymmetric: true, scales: "F16", bits: 4 } as const;
    const index = Array.from({ length: INPUTS }, (_, k) => (k === 5 ? 1 : Math.floor(k / 64)));
    const { tensors } = gptq("q", weight, { ...grouping, index }, true);
    expect(() =>
      readQuantized(checkpointOf(tensors), { kind: "gptq", group: 64, adjust: 1 }, [sizeOf("q")]),
    ).toThrow(/TW4240[\s\S]*q\.g_idx[\s\S]*63 columns in group 0/);
  });
});

describe("a head", () => {
  const plan = planQuantization({ quant_method: "fp8", weight_block_size: [128, 128] });
  const codes = bytesOf("lm_head.weight", "U8", [8, 128], new Uint8Array(1024));
  const scales = floats("lm_head.weight_scale_inv", "F32", [1, 1], [1]);
  const schemeOf = (tensors: readonly StoredTensor[]) =>
    plan && sharedScheme(plan, checkpointOf(tensors), ["lm_head"]);

  it("with scales of blocks is quantized, without scales it is not", () => {
    expect(schemeOf([codes, scales])).toMatchObject({ kind: "eight-bit", weights: "block" });
    expect(schemeOf([codes])).toBeUndefined();
  });
});
