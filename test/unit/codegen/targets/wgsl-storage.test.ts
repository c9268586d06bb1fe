/** [test/unit/codegen] The arrays of WGSL memory and the proofs of uniform flow: what is chosen and what the text says then. */
import { afterAll, describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { elementType, planStorage } from "../../../../codegen/targets/wgsl/word-arrays.ts";
import { wgslText } from "../../../support/thread-kernels.ts";
import { openNullGpu } from "../../../support/webgpu-run.ts";

const HEAD = `thread probe(x: in f32[N], h: in f16[N], y: inout f32[N], z: out f16[N]) dims(N) fixed() threads(32) warp(1)`;

function kernelOf(body: string, bytes = 0) {
  return parseThreadKernel(`${HEAD} bytes(${bytes}) {\n${body}\n}\n`);
}

function tensorType(body: string, tensor: string): string {
  const array = planStorage(kernelOf(body)).tensors.get(tensor);
  return array === undefined ? "none" : elementType(array);
}

const LOADS = `var a: f32[8]\nvar b: f16[8]\n`;

describe("word arrays", () => {
  it.each([
    ["load_global a[0] x4 from x[@thread * 4] fill 0", "x", "vec4<f32>"],
    ["load_global a[0] x8 from x[@thread * 8] fill 0", "x", "vec4<f32>"],
    ["load_global a[0] x2 from x[@thread * 2] fill 0", "x", "vec2<f32>"],
    ["load_global a[0] x4 from x[0] fill 0\nload_global a[0] x1 from x[1] fill 0", "x", "f32"],
    ["load_global b[0] x8 from h[@thread * 8] fill 0", "h", "vec4<u32>"],
    ["load_global b[0] x2 from h[@thread * 2] fill 0", "h", "u32"],
    ["load_global b[0] x1 from h[@thread] fill 0", "h", "u32"],
    ["store_global b[0] x2 to z[@thread * 2]", "z", "u32"],
    ["store_global b[0] x1 to z[@thread]", "z", "atomic<u32>"],
    ["atomic_global add y[0] by a[0]", "y", "atomic<u32>"],
  ])("%s: %s is %s", (body, tensor, type) => {
    expect(tensorType(LOADS + body, tensor)).toBe(type);
  });

  it("puts buffers that share bytes into one array, others into their own", () => {
    const body = `shared p: f32[64] at 0
      shared q: f16[64] at 128
      shared r: f32[32] at 256
      shared s: i32[4] at 384
      var a: f32[4]
      store_shared a[0] x4 to p[0]
      store_shared a[0] x1 to r[@thread]`;
    const plan = planStorage(kernelOf(body, 400));
    const shapes = plan.regions.map(
      (array) => `${array.name} ${elementType(array)} ${array.length}`,
    );
    expect(shapes).toEqual(["shared_p_q vec4<u32> 16", "r f32 32", "s vec4<i32> 1"]);
    expect(plan.buffers.get("q")).toEqual({ region: 0, byteOffset: 128 });
    expect(plan.buffers.get("s")).toEqual({ region: 2, byteOffset: 0 });
  });
});

const gpu = await openNullGpu();
afterAll(() => gpu.close());

// SwiftShader's compile time doubles with each if/else in a loop that gives a variable its value: 40 of them never end.
describe("masked loads", () => {
  it("read without a branch, and give the fill", () => {
    const text = wgslText(
      kernelOf("var a: f32\nload_global a x1 from x[@thread] mask @thread < #N fill -1"),
    );
    expect(text).toContain("a = select(-1.0f, x[select(0, thread, a_in)], a_in);");
    expect(text).not.toContain("else");
  });

  it("fill every element of a packed word", () => {
    const body = "var b: f16[4]\nload_global b[0] x4 from h[@thread * 4] mask @thread < #N fill 1";
    const text = wgslText(kernelOf(body));
    expect(text).toContain("select(vec2<u32>(0x3c003c00u), h[");
  });
});

/** The kernel's text, once Dawn has taken it. */
async function acceptedText(body: string, bytes: number): Promise<string> {
  const text = wgslText(kernelOf(body, bytes));
  expect(await gpu.check(text, "probe", [false, false, true, true])).toEqual([]);
  return text;
}

const SHARED = "shared ring: f32[32] at 0\nvar v: f32 = 1.0\n";
const ROUND = "store_shared v x1 to ring[@thread]\nbarrier\nload_shared v x1 from ring[0]\nbarrier";

describe("uniform flow", () => {
  it.each([
    ["a dim", `loop i = 0 to #N step 1 {\n${ROUND}\n}`],
    ["the program", `if uniform @pid0 < 3 {\n${ROUND}\n}`],
    [
      "a tensor that is only read",
      `var n: f32\nload_global n x1 from x[@pid0] mask @pid0 < #N fill 0\nif uniform n > 0.0 {\n${ROUND}\n}`,
    ],
    [
      "a counter of the same for all",
      `var k: i32 = 0\nwhile {\n} test k < 4 {\n${ROUND}\nk = k + 1\n}`,
    ],
  ])("needs no help where the condition comes from %s", async (_what, body) => {
    expect(await acceptedText(SHARED + body, 128)).not.toContain("workgroupUniformLoad");
  });

  it.each([
    [
      "a tensor that the kernel writes",
      `var n: f32\nload_global n x1 from y[0] fill 0\nif uniform n > 0.0 {\n${ROUND}\n}`,
    ],
    ["shared memory", `load_shared v x1 from ring[0]\nloop i = 0 to i32(v) step 1 {\n${ROUND}\n}`],
    [
      "a loop whose trips differ",
      `var k: i32 = 0\nloop i = 0 to @thread step 1 {\nk = 5\n}\nwhile {\n} test k < 4 {\n${ROUND}\nk = k + 1\n}`,
    ],
  ])("agrees through workgroup memory where it comes from %s", async (_what, body) => {
    expect(await acceptedText(SHARED + body, 128)).toContain("workgroupUniformLoad");
  });

  it("leaves conditions alone that no barrier depends on", async () => {
    const body = `if @thread < 3 {\nstore_shared v x1 to ring[@thread]\n}\nbarrier`;
    expect(await acceptedText(SHARED + body, 128)).not.toContain("workgroupUniformLoad");
  });
});
