/** [test/unit/runtime] Tuned configs: kinds of devices, which entry a launch gets, that every table names kernels and values that exist. */
import { beforeAll, describe, expect, it } from "vitest";
import { wgslSpec } from "../../../codegen/targets/wgsl/features.ts";
import { KERNEL_ENTRIES, linearSmall, siluAndMul } from "../../../dsl/kernels/catalogue.ts";
import { smallerConfigs } from "../../../runtime/autotune/smaller-configs.ts";
import { deviceClasses, tunedConfigs } from "../../../runtime/autotune/store.ts";
import { TUNED } from "../../../runtime/autotune/tuned/catalogue.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { emptyTensor } from "../../../runtime/tensor.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";

beforeAll(() => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
});

describe("kinds of devices", () => {
  it.each([
    ["cuda", true, "sm_90a", ["cuda-sm_90a", "cuda"]],
    ["webgpu", true, undefined, ["webgpu"]],
    ["webgpu", false, undefined, ["webgpu-software", "webgpu"]],
    ["interpreter", false, undefined, ["interpreter"]],
  ] as const)("are named for %s, hardware %s, %s", (driver, hardware, arch, expected) => {
    const target = arch === undefined ? undefined : { ...wgslSpec(), arch };
    expect(deviceClasses({ driver, hardware }, target)).toEqual(expected);
  });
});

describe("tuned tables", () => {
  const rows = Object.entries(TUNED).flatMap(([device, table]) =>
    Object.entries(table).map(([kernel, entries]) => ({ device, kernel, entries })),
  );

  it.each(rows)(
    "name a kernel, its dims and its values: $device $kernel",
    ({ kernel, entries, device }) => {
      const definition = KERNEL_ENTRIES.find((entry) => entry.kernel.name === kernel)?.kernel;
      if (definition === undefined) throw new Error(`there is no kernel ${kernel}`);
      const dims = Object.values(definition.params).flatMap((spec) =>
        spec.kind === "tensor" ? [...spec.shape] : [],
      );
      for (const entry of entries) {
        for (const dim of Object.keys(entry.dims ?? {})) expect(dims).toContain(dim);
        for (const variable of Object.keys(entry.dtypes ?? {}))
          expect(Object.keys(definition.dtypes)).toContain(variable);
      }
      // Entries with values that the kernel does not have, or rules out, are dropped there.
      expect(tunedConfigs(definition, [device])).toEqual(entries);
    },
  );

  it("hold nothing for a kernel that only has the name", () => {
    const other = { ...siluAndMul, config: { B: 32 } };
    expect(tunedConfigs(other, ["webgpu-software"])).toEqual([]);
  });
});

describe("a launch without a config", () => {
  function launched(rows: number, options = {}) {
    const backend = new RecordingBackend(wgslSpec(), { hardware: false });
    const device = new CoreDevice(backend);
    const args = {
      x: emptyTensor(device, "f32", [rows, 64]),
      w: emptyTensor(device, "f32", [96, 64]),
      y: emptyTensor(device, "f32", [rows, 96]),
    };
    device.launch(linearSmall, args, options);
    return { config: backend.artifacts[0]?.config, grid: backend.launches[0]?.grid };
  }

  it("gets the entry for its sizes, and the grid that goes with it", () => {
    const few = launched(1);
    const more = launched(8);
    expect(few.config).toMatchObject({ BM: 1, KL: 1 });
    expect(more.config).toMatchObject({ BM: 8, KL: 1 });
    const blocks = 96 / Number(few.config?.["BN"]);
    expect(few.grid?.reduce((a, b) => a * b)).toBe(blocks);
  });

  it("keeps what it names itself", () => {
    const { config } = launched(1, { config: { BM: 2 } });
    expect(config).toMatchObject({ ...linearSmall.config, BM: 2 });
  });

  it("gets the entry beside values that tuning does not decide", () => {
    const { config } = launched(1, { config: { "schedule.roles": false } });
    expect(config).toMatchObject({ BM: 1, "schedule.roles": false });
  });
});

describe("smaller configs", () => {
  const kernel = {
    ...siluAndMul,
    tune: { A: [1, 2, 4], B: [8, 16] },
    when: ({ A, B }: Readonly<Record<string, number | boolean>>) => !(A === 2 && B === 8),
  };

  it("come nearest first, each once, without those that make no sense", () => {
    expect([...smallerConfigs(kernel, { A: 4, B: 16, C: 3 })]).toEqual([
      { A: 2, B: 16, C: 3 },
      { A: 4, B: 8, C: 3 },
      { A: 1, B: 16, C: 3 },
      { A: 1, B: 8, C: 3 },
    ]);
  });

  it("step from values between those of the space, and end at its floor", () => {
    expect([...smallerConfigs(kernel, { A: 3, B: 8 })]).toEqual([{ A: 1, B: 8 }]);
    expect([...smallerConfigs(kernel, { A: 1, B: 8 })]).toEqual([]);
  });
});
