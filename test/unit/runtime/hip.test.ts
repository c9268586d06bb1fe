/** [test/unit/runtime] The hip driver without an AMD GPU: where it looks, why it refuses, what its compiler's process answers, how arguments lie. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "../../../codegen/compile.ts";
import { hip } from "../../../codegen/targets/hip/target.ts";
import { linear } from "../../../dsl/kernels/linear.ts";
import type { Tensor } from "../../../runtime/device.ts";
import { ArgumentBlock } from "../../../runtime/drivers/cuda/argument-block.ts";
import { compileCodeObject, HiprtcCompiler } from "../../../runtime/drivers/hip/compiler.ts";
import { archIn, HipDriver, versionText } from "../../../runtime/drivers/hip/driver.ts";
import { decodeAnswer, encodeAnswer } from "../../../runtime/drivers/hip/hiprtc-messages.ts";
import { locateHip } from "../../../runtime/drivers/hip/locate.ts";
import { openDevice } from "../../../runtime/open.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-hip-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of [
  "libamdhip64.so.5",
  "libamdhip64.so.6",
  "libamdhip64.so.6.3.4",
  "libhsa-runtime64.so.1",
])
  writeFileSync(join(folder, name), "");

describe("hip driver", () => {
  it("finds the newest runtime of a folder and what lies beside it", () => {
    const paths = locateHip(["/nowhere", folder]);
    expect(paths).toEqual({
      hip: join(folder, "libamdhip64.so.6"),
      hiprtc: join(folder, "libamdhip64.so.6"),
      before: [join(folder, "libhsa-runtime64.so.1")],
    });
    writeFileSync(join(folder, "libhiprtc.so.6"), "");
    expect(locateHip([folder])?.hiprtc).toBe(join(folder, "libhiprtc.so.6"));
    expect(locateHip(["/nowhere"])).toBeUndefined();
  });

  it("reads the chip's name and the release", () => {
    const properties = new Uint8Array(600);
    properties.set(Buffer.from("AMD Instinct MI210\0"), 0);
    properties.set(Buffer.from("gfx90a:sramecc+:xnack-\0"), 396);
    expect(archIn(properties)).toBe("gfx90a");
    expect(archIn(Buffer.from("gfx1100\0"))).toBe("gfx1100");
    expect(archIn(new Uint8Array(600))).toBeUndefined();
    expect(versionText(60342131)).toBe("6.3.42131");
  });

  it("says why it does not open", async () => {
    const paths = { hip: join(folder, "libamdhip64.so.6"), hiprtc: "", before: [] };
    // Where there is an AMD GPU, the empty file is what is wrong.
    expect(() => new HipDriver(paths)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^TW325[01]$/) }),
    );
    const opened = await openDevice("hip").then(
      (device) => device.info.driver,
      (error: Error) => error,
    );
    if (opened !== "hip") {
      expect(opened).toMatchObject({ code: expect.stringMatching(/^TW(325[01]|2303)$/) });
      expect(String(opened)).toMatch(/remedy: .*(rocminfo|ROCm|architecture)/);
    }
  });

  it("takes whole answers of the compiler's process only", () => {
    const answer = { version: "9.0", status: 0, log: "a\nb", code: Uint8Array.of(1, 10, 2) };
    const bytes = encodeAnswer(answer);
    expect(decodeAnswer(bytes)).toEqual(answer);
    expect(decodeAnswer(bytes.subarray(0, bytes.length - 1))).toBeUndefined();
    expect(decodeAnswer(new Uint8Array(0))).toBeUndefined();
    expect(decodeAnswer(Buffer.from("munmap_chunk(): invalid pointer\n"))).toBeUndefined();
  });

  it("packs pointers, dims and scalars in the order of the text's parameters", () => {
    const specialization = { dtypes: { T: "f16", O: "f16" } as const, config: {}, dims: {} };
    const { params, entry } = compile(linear, {
      specialization,
      target: hip.defaultSpec("gfx90a"),
    });
    expect(params.every(({ kind }) => kind !== "tensor_map" && kind !== "grid")).toBe(true);
    const arrays: ArrayBufferView[] = [];
    const memory = {
      addressOf: (array: ArrayBufferView) => BigInt(arrays.push(array)) * 0x1000n,
      encodeTensorMap: () => undefined,
      counter: () => expect.fail("a counter for HIP"),
    };
    const block = new ArgumentBlock({ entry, params }, memory);
    const tensors = params.filter(({ kind }) => kind === "tensor");
    const words = Uint32Array.from({ length: params.length - tensors.length }, (_, i) => 100 + i);
    block.patch(
      tensors.map((_, i) => ({ byteOffset: i }) as Tensor),
      ({ byteOffset }) => BigInt(0xa000 + byteOffset),
      words,
      [1, 1, 1],
    );
    const [pointers, values, slots] = arrays;
    expect([...(pointers as BigUint64Array)]).toEqual(tensors.map((_, i) => BigInt(0xa000 + i)));
    expect([...(values as Uint32Array)]).toEqual([...words]);
    expect([...(slots as BigUint64Array)].slice(0, tensors.length)).toEqual(
      tensors.map((_, i) => BigInt(0x1000 + 8 * i)),
    );
  });
});

const found = locateHip();
if (found === undefined) {
  const reason = "no libamdhip64.so; set TILEWRIGHT_HIP";
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(reason);
  console.warn(`skipped: hiprtc in a process: ${reason}`);
  describe.skip(`hiprtc in a process (${reason})`, () => {});
} else {
  describe("hiprtc in a process", () => {
    const compiler = new HiprtcCompiler(found);
    const text = 'extern "C" __global__ void k(float* x) { x[0] = 1.0f; }\n';
    const request = { text, name: "k", arch: "gfx90a" };

    it("gives a code object, which the cache keeps", async () => {
      const kept = new Map<string, Uint8Array>();
      const cache = {
        get: (key: string) => kept.get(key),
        put: (key: string, data: Uint8Array) => void kept.set(key, data),
      };
      const code = compiler.code(request, cache);
      expect([...code.subarray(0, 4)]).toEqual([0x7f, 0x45, 0x4c, 0x46]);
      expect(await compiler.codeAsync(request, cache)).toBe(code);
      expect(kept.size).toBe(1);
    });

    it("compiles an artifact without a device, matrix instructions and all", () => {
      const specialization = { dtypes: { T: "f16", O: "f16" } as const, config: {}, dims: {} };
      const artifact = compile(linear, { specialization, target: hip.defaultSpec("gfx90a") });
      const code = Buffer.from(compileCodeObject(artifact)).toString("latin1");
      expect(code.startsWith("\x7fELF")).toBe(true);
      expect(code).toContain("linear.kd");
    });

    it("shows the compiler's words, with the line", async () => {
      const wrong = { ...request, text: `${text}nothing here;\n` };
      await expect(compiler.codeAsync(wrong)).rejects.toMatchObject({
        code: "TW3253",
        message: expect.stringMatching(/:2:1: error: .*nothing/),
      });
    });

    it("outlives a compiler that aborts", () => {
      const broken = new HiprtcCompiler({ ...found, before: [join(folder, "libamdhip64.so.5")] });
      expect(() => broken.code(request)).toThrow(expect.objectContaining({ code: "TW3254" }));
    });
  });
}
