/** [test/unit/codegen] Control flow, indices, shuffles, barriers and atomics of both text families, run. */
import { expect, it } from "vitest";
import type { ThreadCase } from "../../../support/thread-kernels.ts";
import { describeMachines, floats, integers, words } from "./open.ts";

/** Collatz steps by a while loop that differs from thread to thread, with an if inside. */
const COLLATZ = `thread collatz(x: in i32[N], y: out i32[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let i: i32 = @pid0 * 64 + @thread
    var n: i32
    load_global n x1 from x[i] mask i < #N fill 1
    var steps: i32 = 0
    while {
      let odd: bool = (n & 1) == 1
    } test n != 1 {
      if odd {
        n = n * 3 + 1
      } else {
        n = n >> 1
      }
      steps = steps + 1
    }
    store_global steps x1 to y[i] mask i < #N
  }`;

/** A bound of a loop with barriers that comes from memory which the kernel writes; the loop variable steps by a dim. */
const BARRIERS = `thread barriers(count: inout i32[1], y: out f32[N]) dims(N, STEP) fixed() threads(64) warp(WARP) bytes(256) {
    shared ring: f32[64] at 0
    let t: i32 = @thread
    var trips: i32
    load_global trips x1 from count[0] fill 0
    var v: f32 = f32(t)
    loop i = 0 to trips step #STEP {
      store_shared v x1 to ring[t]
      barrier
      load_shared v x1 from ring[(t + 1) & 63]
      barrier
    }
    var go: bool = trips > 3
    var rounds: i32 = 0
    while {
      store_shared v x1 to ring[t]
      barrier
      var first: f32
      load_shared first x1 from ring[0]
      barrier
    } test go & (first < 40.0) {
      v = v * 2.0 + 1.0
      rounds = rounds + 1
    }
    if uniform rounds > 0 {
      store_shared v x1 to ring[63 - t]
      barrier
      load_shared v x1 from ring[t]
    }
    store_global v x1 to y[t] mask t < #N
  }`;

/** Sums within warps by shuffles, across warps through shared memory. */
const REDUCE = `thread reduce(x: in f32[N], y: out f32[2], z: out i32[N], flags: out i32[N]) dims(N) fixed() threads(64) warp(WARP) bytes(512) {
    shared partial: f32[64] at 0
    let t: i32 = @thread
    var v: f32
    load_global v x1 from x[t] fill 0.0
    var other: f32
    SUMS
    if @lane == 0 {
      store_shared v x1 to partial[@warp]
    }
    barrier
    var total: f32 = 0.0
    loop w = 0 to 64 / WARP step 1 {
      var part: f32
      load_shared part x1 from partial[w]
      total = total + part
    }
    store_global total x1 to y[0] mask t == 0
    var from: i32
    shuffle from = t * 10 lane (WARP - 1) - @lane
    store_global from x1 to z[t]
    var flag: bool
    shuffle_xor flag = (t & 3) == 0 mask 1
    var bits: i32 = i32(flag)
    store_global bits x1 to flags[t]
  }`;

function reduceText(warpSize: number): string {
  const steps: string[] = [];
  for (let mask = warpSize / 2; mask >= 1; mask /= 2) {
    steps.push(`shuffle_xor other = v mask ${mask}\n v = v + other`);
  }
  const warps = `floordiv(64, ${warpSize})`;
  return REDUCE.replace("SUMS", steps.join("\n")).replace("64 / WARP", warps);
}

const HALF_SHUFFLE = `thread half_shuffle(x: in f16[N], y: out f16[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let t: i32 = @thread
    var v: f16[2]
    load_global v[0] x2 from x[t * 2] fill 0.0
    shuffle_xor v[0] = v[0] mask 1
    shuffle v[1] = v[1] lane @lane ^ 1
    store_global v[0] x2 to y[t * 2]
  }`;

/** All atomics on all types, with old values, masked. */
const ATOMICS = `thread atomics(f: inout f32[4], i: inout i32[4], u: inout u32[4], seen: out i32[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let t: i32 = @pid0 * 64 + @thread
    let v: f32 = f32(t)
    var old: i32
    atomic_global add f[0] by 1.0
    atomic_global max f[1] by v mask t != 127
    atomic_global min f[2] by neg(v)
    atomic_global max f[3] by nan
    atomic_global add old from i[0] by 1
    atomic_global max i[1] by t - 64
    atomic_global min i[2] by 64 - t
    atomic_global add u[0] by 3:u32
    atomic_global max u[1] by u32(t)
    atomic_global min u[2] by 4294967295:u32 - u32(t)
    store_global old x1 to seen[t]
  }`;

/** Every program id and grid size, with dims and scalars of each type. */
const PROGRAMS = `thread programs(y: out i32[N], s: out f32[N], a: f32, b: i32, c: u32, flag: bool, small: f16) dims(N, M) fixed(K=7) threads(32) warp(WARP) bytes(0) {
    let program: i32 = (@pid2 * @programs1 + @pid1) * @programs0 + @pid0
    var ids: i32[8]
    ids[0] = @pid0
    ids[1] = @pid1
    ids[2] = @pid2
    ids[3] = @programs0 * 100 + @programs1 * 10 + @programs2
    ids[4] = #M + #K
    ids[5] = $b
    ids[6] = i32($c)
    ids[7] = i32($flag)
    var sum: f32 = $a + f32($small)
    if @thread == 0 {
      store_global ids[0] x8 to y[program * 8]
      store_global sum x1 to s[program]
    }
  }`;

/** Names that both languages reserve, reuse in sibling scopes, register arrays with a first value. */
const NAMES = `thread select(float: in f32[N], return: out f32[N]) dims(N) fixed() threads(32) warp(WARP) bytes(0) {
    let let_it: i32 = @thread
    var "var": f32[4] = 2.5
    unroll "for" = 0 to 4 step 1 {
      let class: f32 = f32("for")
      "var"["for"] = "var"["for"] + class
    }
    unroll "for" = 0 to 4 step 2 {
      let class: f32 = 10.0
      "var"["for"] = "var"["for"] * class
    }
    var min: f32
    load_global min x1 from float[let_it] fill 0.0
    min = min + "var"[0] + "var"[1] + "var"[2] + "var"[3]
    store_global min x1 to return[let_it]
  }`;

const GRID = [3, 2, 2] as const;
const starts = Int32Array.from({ length: 100 }, (_, i) => i + 1);
const numbers = Float32Array.from({ length: 64 }, (_, i) => i * 0.5);

function casesFor(warpSize: number): readonly ThreadCase[] {
  return [
    {
      id: "collatz",
      text: COLLATZ,
      args: {
        tensors: { x: starts, y: new Int32Array(100) },
        dims: { N: 100 },
        grid: [2, 1, 1],
      },
    },
    {
      id: "barriers",
      text: BARRIERS,
      args: {
        tensors: { count: Int32Array.from([5]), y: new Float32Array(64) },
        dims: { N: 64, STEP: 2 },
      },
    },
    {
      id: "reduce",
      text: reduceText(warpSize),
      args: {
        tensors: {
          x: numbers,
          y: new Float32Array(2),
          z: new Int32Array(64),
          flags: new Int32Array(64),
        },
        dims: { N: 64 },
      },
    },
    {
      id: "half_shuffle",
      text: HALF_SHUFFLE,
      args: {
        tensors: {
          x: Uint16Array.from({ length: 128 }, (_, i) => i),
          y: new Uint16Array(128),
        },
        dims: { N: 128 },
      },
    },
    {
      id: "atomics",
      text: ATOMICS,
      args: {
        tensors: {
          f: Float32Array.from([0.5, -3, 5, 7]),
          i: Int32Array.from([10, -5, 5, 0]),
          u: Uint32Array.from([1, 2, 4294967290, 0]),
          seen: new Int32Array(128),
        },
        dims: { N: 128 },
        grid: [2, 1, 1],
      },
    },
    {
      id: "programs",
      text: PROGRAMS,
      args: {
        tensors: { y: new Int32Array(96), s: new Float32Array(12) },
        dims: { N: 96, M: 5 },
        scalars: { a: 1.25, b: -3, c: 9, flag: 1, small: 0.5 },
        grid: GRID,
      },
    },
    {
      id: "names",
      text: NAMES,
      args: {
        tensors: { float: numbers.slice(0, 32), return: new Float32Array(32) },
        dims: { N: 32 },
      },
    },
  ];
}

function collatz(start: number): number {
  let steps = 0;
  for (let n = start; n !== 1; steps++) n = n % 2 === 1 ? 3 * n + 1 : n / 2;
  return steps;
}

/** What BARRIERS computes: three rotations, doublings until thread 0 has 40, one reversal. */
function barriersExpected(): number[] {
  const values = Array.from({ length: 64 }, (_, t) => (t + 3) % 64);
  while ((values[0] ?? 40) < 40) for (const [t, v] of values.entries()) values[t] = v * 2 + 1;
  return values.reverse();
}

await describeMachines("control flow", (machine) => {
  const { warpSize } = machine;
  const run = machine.batch(casesFor(warpSize));

  it("while loops and ifs go their own way in each thread", async () => {
    expect([...integers(await run("collatz"), "y")]).toEqual([...starts].map(collatz));
  });

  it("barriers stand in loops and ifs whose conditions come from memory", async () => {
    expect([...floats(await run("barriers"), "y")]).toEqual(barriersExpected());
  });

  it("shuffles sum a warp, shared memory the block", async () => {
    const outputs = await run("reduce");
    expect(floats(outputs, "y")[0]).toBe(numbers.reduce((a, b) => a + b, 0));
    const mirrored = Array.from(
      { length: 64 },
      (_, t) => (t - (t % warpSize) + warpSize - 1 - (t % warpSize)) * 10,
    );
    expect([...integers(outputs, "z")]).toEqual(mirrored);
    const flags = Array.from({ length: 64 }, (_, t) => ((t ^ 1) % 4 === 0 ? 1 : 0));
    expect([...integers(outputs, "flags")]).toEqual(flags);
  });

  it("shuffles carry 16-bit values", async () => {
    const y = new Uint16Array(words(await run("half_shuffle"), "y").buffer);
    expect([...y]).toEqual(Array.from({ length: 128 }, (_, i) => i ^ 2));
  });

  it("atomics keep every update and return old values", async () => {
    const outputs = await run("atomics");
    expect([...floats(outputs, "f")]).toEqual([128.5, 126, -127, 7]);
    expect([...integers(outputs, "i")]).toEqual([138, 63, -63, 0]);
    expect([...words(outputs, "u")]).toEqual([385, 127, 4294967168, 0]);
    const seen = [...integers(outputs, "seen")].sort((a, b) => a - b);
    expect(seen).toEqual(Array.from({ length: 128 }, (_, i) => i + 10));
  });

  it("programs know their place, dims and scalars their value", async () => {
    const outputs = await run("programs");
    const expected = Array.from({ length: 12 }, (_, p) => [
      p % 3,
      Math.floor(p / 3) % 2,
      Math.floor(p / 6),
      322,
      12,
      -3,
      9,
      1,
    ]).flat();
    expect([...integers(outputs, "y")]).toEqual(expected);
    expect([...floats(outputs, "s")]).toEqual(Array(12).fill(1.75));
  });

  it("names of the language are no trouble", async () => {
    // 25 + 3.5 + 45 + 5.5
    const expected = [...numbers.slice(0, 32)].map((v) => v + 79);
    expect([...floats(await run("names"), "return")]).toEqual(expected);
  });
});
