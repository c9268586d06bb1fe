/** [test/unit/emulation] Tensor copies of the prelude: boxes, swizzles, edges, what no device takes, and what must be waited for. */
import { expect, it } from "vitest";
import type { EmulatedArgument, EmulatedRun } from "../../support/emulation-protocol.ts";
import {
  bytesOf,
  describeEmulated,
  i32,
  input,
  kindsOf,
  output,
  randomBelow,
  tensorMap,
} from "./open.ts";

const AXES = ["x", "y", "z", "w"] as const;

/** Loads a box over zeros and copies all of its place out. */
const LOAD = (rank: number): string => `
TW_KERNEL(128) load${rank}(const u8* x, u8* image, i32 place, i32 bytes, i32 cx, i32 cy, i32 cz, i32 cw, TW_TENSOR_MAP map) {
  const u32 base = tw_smem_dyn();
  const u32 bar = base + place;
  for (i32 i = tw_tid() * 16; i < place; i += 2048) tw_sts<tw_u32x4>(base + i, tw_u32x4{0, 0, 0, 0});
  if (tw_tid() == 0) {
    tw_mbarrier_init(bar, 1);
    tw_fence_mbarrier_init();
  }
  tw_fence_proxy_async();
  tw_syncthreads();
  if (tw_tid() == 0) {
    tw_mbarrier_expect_tx(bar, bytes);
    tw_tma_load_${rank}d(base, &map, bar, ${AXES.slice(0, rank).map((axis) => `c${axis}`)});
  }
  tw_mbarrier_wait(bar, 0);
  for (i32 i = tw_tid() * 16; i < place; i += 2048) tw_stg<tw_u32x4>(image + i, tw_lds<tw_u32x4>(base + i));
}`;

/** Stores a box from an image that is copied to shared memory as it is. */
const STORE = (rank: number): string => `
TW_KERNEL(128) store${rank}(const u8* image, u8* x, i32 place, i32 bytes, i32 cx, i32 cy, i32 cz, i32 cw, TW_TENSOR_MAP map) {
  const u32 base = tw_smem_dyn();
  for (i32 i = tw_tid() * 16; i < place; i += 2048) tw_sts<tw_u32x4>(base + i, tw_ldg<tw_u32x4>(image + i));
  tw_fence_proxy_async();
  tw_syncthreads();
  if (tw_tid() == 0) {
    tw_tma_store_${rank}d(&map, base, ${AXES.slice(0, rank).map((axis) => `c${axis}`)});
    tw_tma_store_commit();
    tw_tma_store_wait<0>();
  }
}`;

/** One thread that loads and waits as it should, but for what stands in the middle. */
const SMALL = (name: string, middle: string): string => `
TW_KERNEL(32) ${name}(const u8* x, u8* y, TW_TENSOR_MAP map_x, TW_TENSOR_MAP map_y) {
  const u32 base = tw_smem_dyn();
  const u32 bar = base + 2048;
  tw_label(base, 1024, "box");
  tw_label(bar, 8, "ready");
  if (tw_tid() == 0) {
    tw_mbarrier_init(bar, 1);
    tw_fence_mbarrier_init();
    ${middle}
  }
}`;

const GET = "tw_mbarrier_expect_tx(bar, 1024); tw_tma_load_2d(base, &map_x, bar, 0, 0);";
const PUT =
  "for (i32 i = 0; i < 1024; i += 16) tw_sts<tw_u32x4>(base + i, tw_u32x4{1, 2, 3, 4}); tw_fence_proxy_async();";
const SEND = "tw_tma_store_2d(&map_y, base, 0, 0); tw_tma_store_commit();";

const SMALLS: Readonly<Record<string, readonly [middle: string, kind: string | undefined]>> = {
  right: [
    `${GET} tw_mbarrier_wait(bar, 0); tw_stg<u32>(y + 4080, tw_lds<u32>(base)); ${SEND} tw_tma_store_wait_read<0>();`,
    undefined,
  ],
  reuse: [
    `${PUT} ${SEND} tw_tma_store_wait_read<0>(); tw_sts<u32>(base, 7); tw_tma_store_wait<0>();`,
    undefined,
  ],
  read_early: [`${GET} tw_stg<u32>(y, tw_lds<u32>(base)); tw_mbarrier_wait(bar, 0);`, "early-read"],
  write_early: [`${GET} tw_sts<u32>(base, 1); tw_mbarrier_wait(bar, 0);`, "overwrite-in-flight"],
  load_twice: [`${GET} ${GET} tw_mbarrier_wait(bar, 0);`, "overwrite-in-flight"],
  never_waited: [GET, "left-pending"],
  store_unwaited: [`${PUT} ${SEND}`, "left-pending"],
  store_overwritten: [
    `${PUT} ${SEND} tw_sts<u32>(base, 7); tw_tma_store_wait<0>();`,
    "overwrite-in-flight",
  ],
  store_read_back: [
    `${PUT} ${SEND} tw_tma_store_wait_read<0>(); tw_stg<u32>(y + 4080, tw_ldg<u32>(y));`,
    "early-read",
  ],
  store_unfenced: [
    `tw_sts<u32>(base, 7); ${PUT} tw_sts<u32>(base, 8); ${SEND} tw_tma_store_wait<0>();`,
    "proxy",
  ],
  load_over_stores: [`tw_sts<u32>(base, 7); ${GET} tw_mbarrier_wait(bar, 0);`, "proxy"],
  store_unwritten: [`${SEND} tw_tma_store_wait<0>();`, "uninit"],
  store_to_input: [
    `${PUT} tw_tma_store_2d(&map_x, base, 0, 0); tw_tma_store_commit(); tw_tma_store_wait<0>();`,
    "misuse",
  ],
  start_unaligned: [
    "tw_mbarrier_expect_tx(bar, 1024); tw_tma_load_2d(base, &map_x, bar, 4, 0); tw_mbarrier_wait(bar, 0);",
    "misuse",
  ],
  store_negative: [
    `${PUT} tw_tma_store_2d(&map_y, base, 0, -1); tw_tma_store_commit(); tw_tma_store_wait<0>();`,
    "misuse",
  ],
  place_unaligned: [
    "tw_mbarrier_expect_tx(bar, 1024); tw_tma_load_2d(base + 64, &map_x, bar, 0, 0); tw_mbarrier_wait(bar, 0);",
    "misuse",
  ],
  place_outside: [
    "tw_mbarrier_expect_tx(bar, 1024); tw_tma_load_2d(base + 1536, &map_x, bar, 0, 0); tw_mbarrier_wait(bar, 0);",
    "oob-shared",
  ],
  other_rank: [
    "tw_mbarrier_expect_tx(bar, 1024); tw_tma_load_3d(base, &map_x, bar, 0, 0, 0); tw_mbarrier_wait(bar, 0);",
    "misuse",
  ],
  no_barrier_there: [`tw_tma_load_2d(base, &map_x, bar + 8, 0, 0);`, "mbarrier"],
};

interface Case {
  readonly elementBytes: 1 | 2 | 4;
  readonly swizzle: 0 | 32 | 64 | 128;
  /** Outermost first, as everything here. */
  readonly dims: readonly number[];
  readonly box: readonly number[];
  readonly start: readonly number[];
  /** What stores do not take. */
  readonly loadOnly?: true;
}

const CASES: readonly Case[] = [
  { elementBytes: 4, swizzle: 0, dims: [300], box: [256], start: [100] },
  { elementBytes: 2, swizzle: 0, dims: [300], box: [64], start: [-8], loadOnly: true },
  { elementBytes: 2, swizzle: 0, dims: [50, 72], box: [32, 64], start: [40, 16] },
  { elementBytes: 2, swizzle: 128, dims: [100, 200], box: [64, 64], start: [8, 64] },
  {
    elementBytes: 2,
    swizzle: 128,
    dims: [100, 200],
    box: [40, 64],
    start: [-8, -16],
    loadOnly: true,
  },
  { elementBytes: 4, swizzle: 128, dims: [60, 100], box: [64, 32], start: [4, 80] },
  { elementBytes: 2, swizzle: 64, dims: [60, 104], box: [48, 32], start: [20, 32] },
  { elementBytes: 1, swizzle: 64, dims: [60, 256], box: [64, 64], start: [-4, 16], loadOnly: true },
  { elementBytes: 2, swizzle: 32, dims: [60, 104], box: [64, 16], start: [3, 96] },
  { elementBytes: 2, swizzle: 128, dims: [6, 20, 128], box: [4, 8, 64], start: [3, 15, 64] },
  { elementBytes: 4, swizzle: 64, dims: [4, 5, 6, 32], box: [2, 3, 4, 16], start: [3, 3, 3, 16] },
  // A box narrower than its swizzle.
  { elementBytes: 2, swizzle: 128, dims: [64, 128], box: [40, 32], start: [8, 16] },
  { elementBytes: 2, swizzle: 128, dims: [64, 128], box: [16, 8], start: [60, 0] },
  { elementBytes: 1, swizzle: 32, dims: [3, 20, 64], box: [2, 9, 16], start: [1, 4, 16] },
  // All of it outside.
  { elementBytes: 2, swizzle: 64, dims: [4, 32], box: [8, 32], start: [4, 0] },
];

function product(sizes: readonly number[]): number {
  return sizes.reduce((a, b) => a * b, 1);
}

interface Geometry {
  readonly rows: number;
  readonly rowBytes: number;
  readonly pitch: number;
}

function geometryOf({ box, elementBytes, swizzle }: Case): Geometry {
  const rowBytes = (box.at(-1) ?? 0) * elementBytes;
  return { rows: product(box.slice(0, -1)), rowBytes, pitch: swizzle || rowBytes };
}

/** Calls visit(byte of the image, byte of the tensor or -1) for every byte of a box. */
function eachByte(one: Case, visit: (image: number, tensor: number) => void): void {
  const { dims, box, start, elementBytes, swizzle } = one;
  const { rows, rowBytes, pitch } = geometryOf(one);
  for (let row = 0; row < rows; row++) {
    for (let byte = 0; byte < rowBytes; byte++) {
      let rest = row;
      let index = 0;
      let isIn = true;
      let scale = 1;
      for (let d = dims.length - 1; d >= 0; d--) {
        const size = box[d] ?? 1;
        const within = d === dims.length - 1 ? Math.floor(byte / elementBytes) : rest % size;
        if (d < dims.length - 1) rest = Math.floor(rest / size);
        const position = (start[d] ?? 0) + within;
        isIn &&= position >= 0 && position < (dims[d] ?? 0);
        index += position * scale;
        scale *= dims[d] ?? 1;
      }
      const by = { 0: 0, 32: (row >> 2) & 1, 64: (row >> 1) & 3, 128: row & 7 }[swizzle];
      const chunk = swizzle === 0 ? byte >> 4 : (byte >> 4) ^ by;
      const image = row * pitch + chunk * 16 + (byte & 15);
      visit(image, isIn ? index * elementBytes + (byte % elementBytes) : -1);
    }
  }
}

function randomBytes(count: number, seed: number): Uint8Array {
  const random = randomBelow(seed);
  return Uint8Array.from({ length: count }, () => random(256));
}

function wordsOfCase(one: Case): readonly EmulatedArgument[] {
  const { rows, rowBytes, pitch } = geometryOf(one);
  const start = [...one.start].reverse();
  return [rows * pitch, rows * rowBytes, ...AXES.map((_, i) => start[i] ?? 0)].map(i32);
}

function equal(run: EmulatedRun | undefined, name: string, expected: Uint8Array): boolean {
  return Buffer.compare(bytesOf(run, name), expected) === 0;
}

describeEmulated("tensor copies", (emulation) => {
  const ranks = [1, 2, 3, 4];
  const unit = emulation.build([
    ...ranks.map((rank) => ({ id: `load${rank}`, entry: `load${rank}`, text: LOAD(rank) })),
    ...ranks.map((rank) => ({ id: `store${rank}`, entry: `store${rank}`, text: STORE(rank) })),
    ...Object.entries(SMALLS).map(([id, [middle]]) => ({ id, entry: id, text: SMALL(id, middle) })),
  ]);
  const launchCase = (kernel: string, one: Case, from: EmulatedArgument, to: EmulatedArgument) => {
    const { dims, box, elementBytes, swizzle } = one;
    const { rows, pitch } = geometryOf(one);
    const tensor = kernel.startsWith("load") ? from : to;
    if (tensor.kind !== "buffer") throw new Error("a buffer stands before its map");
    return unit.launch({
      kernel,
      grid: [1, 1, 1],
      threads: 128,
      sharedBytes: rows * pitch + 16,
      args: [
        from,
        to,
        ...wordsOfCase(one),
        tensorMap(tensor.name, dims, box, elementBytes, swizzle),
      ],
      seeds: [1, 2, 3],
    });
  };
  const titled = CASES.map(
    (one) => [`${one.box.join("x")} of ${one.dims.join("x")}`, one] as const,
  );

  it.each(titled)("load a box of %s", (_, one) => {
    const { rows, pitch } = geometryOf(one);
    const x = randomBytes(product(one.dims) * one.elementBytes, 7);
    const expected = new Uint8Array(rows * pitch);
    eachByte(one, (image, tensor) => {
      expected[image] = tensor < 0 ? 0 : (x[tensor] ?? 0);
    });
    const image = output("image", new Uint8Array(rows * pitch));
    const runs = launchCase(`load${one.dims.length}`, one, input("x", x), image);
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(runs.map((run) => equal(run, "image", expected))).toEqual([true, true, true]);
  });

  it.each(titled.filter(([, one]) => !one.loadOnly))("store a box of %s", (_, one) => {
    const { rows, pitch } = geometryOf(one);
    const before = randomBytes(product(one.dims) * one.elementBytes, 8);
    const image = randomBytes(rows * pitch, 9);
    const expected = before.slice();
    eachByte(one, (at, tensor) => {
      if (tensor >= 0) expected[tensor] = image[at] ?? 0;
    });
    const runs = launchCase(
      `store${one.dims.length}`,
      one,
      input("image", image),
      output("x", before),
    );
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(runs.map((run) => equal(run, "x", expected))).toEqual([true, true, true]);
  });

  const launchSmall = (kernel: string, width = 64, seeds = 8): readonly EmulatedRun[] =>
    unit.launch({
      kernel,
      grid: [1, 1, 1],
      threads: 32,
      sharedBytes: 2064,
      args: [
        input("x", randomBytes(32 * 128, 1)),
        output("y", new Uint8Array(32 * 128)),
        tensorMap("x", [32, 64], [8, 64], 2, 128),
        tensorMap("y", [16, width], [8, 64], 2, 128),
      ],
      seeds: Array.from({ length: seeds }, (_, i) => i + 1),
    });

  it.each(Object.entries(SMALLS))("tell what is wrong with %s", (id, [, kind]) => {
    const kinds = kindsOf(launchSmall(id));
    if (kind === undefined) expect(kinds).toEqual([]);
    else expect(kinds).toContain(kind);
  });

  it("refuse a store across an edge inside of 16 bytes", () => {
    const texts = launchSmall("store_unwaited", 60).flatMap((run) =>
      run.reports.map((report) => report.text),
    );
    expect(texts.join("\n")).toMatch(/crosses the edge at byte 120 of a row/);
  });

  it("leave what is in flight as a NaN and land it at different times", () => {
    const seen = new Set(
      launchSmall("read_early", 64, 64).map((run) => new Uint32Array(bytesOf(run, "y").buffer)[0]),
    );
    expect(seen.size).toBe(2);
    expect(seen).toContain(0xffffffff);
  });
});
