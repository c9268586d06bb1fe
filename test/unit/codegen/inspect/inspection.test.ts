/** [test/unit/codegen] What the page of a kernel says: stages beside lines, unchanged passes, who holds an element, which bank it lies in. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../../codegen/compile.ts";
import { type BankCell, drawnBuffers } from "../../../../codegen/inspect/drawn-buffers.ts";
import { inspect } from "../../../../codegen/inspect/inspection.ts";
import { inspectionPage } from "../../../../codegen/inspect/page.ts";
import { namedLayouts } from "../../../../codegen/ir/print-scheduled.ts";
import { coordinatesOf } from "../../../../codegen/layout/apply-layout.ts";
import { TARGETS } from "../../../../codegen/targets/catalogue.ts";
import { linear } from "../../../../dsl/kernels/linear.ts";
import { scaledSoftmax } from "../../../../examples/softmax.ts";

const product = {
  specialization: { dtypes: { T: "bf16", O: "bf16" } },
  target: TARGETS.cuda.defaultSpec("sm_80"),
  divisibility: { M: 16, N: 16, K: 16 },
} as const;
const compiled = compileStages(linear, product);
const inspected = inspect(linear, product);
const softmax = inspect(scaledSoftmax, {
  specialization: { dims: { N: 1024 } },
  target: TARGETS.wgsl.defaultSpec(),
});

describe("stages of an inspection", () => {
  it("are the front end, every pass in order, and the text", () => {
    const names = inspected.stages.map(({ pass, level }) => `${pass} ${level}`);
    const passes = compiled.passes.map(({ pass, level }) => `${pass} ${level}`);
    expect(names).toEqual(["front end tile", ...passes, "emit text"]);
  });

  it("hold the text that the pass left, and nothing where it changed nothing", () => {
    const levels = new Map([["tile", compiled.tile]]);
    for (const [i, { level, text }] of compiled.passes.entries()) {
      const stage = inspected.stages[i + 1];
      expect(stage?.changed).toBe(levels.get(level) !== text);
      levels.set(level, text);
      if (stage?.changed !== true) continue;
      const plain = text.trimEnd().replaceAll(/ {2}\/\/ \S+:\d+:\d+$/gm, "");
      expect(stage.lines.map((line) => line.text).join("\n")).toBe(plain);
    }
    expect(inspected.stages.filter(({ changed }) => !changed).length).toBeGreaterThan(5);
  });

  it("mark the lines that a pass brought", () => {
    const barriers = inspected.stages.find(({ pass }) => pass === "insert-barriers");
    const added = barriers?.lines.filter(({ isNew }) => isNew).map(({ text }) => text.trim());
    expect(added).toEqual(["barrier"]);
  });

  it("lead from lines of IR and of text to the line they came from", () => {
    for (const level of ["scheduled", "text"] as const) {
      const stage = inspected.stages.findLast((one) => one.level === level && one.changed);
      const dot = stage?.lines.find(({ text }) => /= dot |tw_mma_\w+\(&/.test(text));
      const file = "dsl/kernels/linear.ts";
      const [source] = inspected.sources;
      expect(dot?.place?.file).toBe(file);
      expect(source?.lines.find(({ line }) => line === dot?.place?.line)?.text).toMatch(
        /dot\(a, b/,
      );
    }
  });

  it("show the kernel's own file whole, and remarks at lines of it", () => {
    const [own] = inspected.sources;
    expect(own?.file).toBe("dsl/kernels/linear.ts");
    expect(own?.lines.map(({ line }) => line)).toEqual(own?.lines.map((_, i) => i + 1));
    const copies = inspected.remarks.filter(({ message }) => /cp\.async/.test(message));
    expect(copies.map(({ place }) => own?.lines[(place?.line ?? 0) - 1]?.text.trim())).toEqual([
      "const a = load(x, [tile(pm, BM), span(k, BK)]);",
      "const b = load(w, [tile(pn, BN), span(k, BK)]);",
    ]);
  });
});

describe("layouts of an inspection", () => {
  it("name for each element a place that holds it", () => {
    const layouts = namedLayouts(compiled.kernel);
    expect(inspected.layouts.map(({ name }) => name)).toEqual([...layouts.keys()]);
    for (const { name, rows } of inspected.layouts) {
      const layout = layouts.get(name);
      for (const { at, ...holder } of rows.flat())
        expect(layout && coordinatesOf(layout, holder)).toEqual(at);
    }
  });

  /** PTX ISA, fragments of the accumulator of mma.m16n8k16: row = lane / 4 (+ 8 for c2, c3), column = lane % 4 · 2 + c % 2. */
  it("show the accumulator of mma.sync as its documentation does", () => {
    const acc = inspected.layouts.find(({ users }) =>
      users.some(({ name }) => /^%acc\.\d+: f32/.test(name)),
    );
    for (const { at, lane, reg } of acc?.rows.flat() ?? []) {
      const [m = 0, n = 0] = at;
      expect(lane).toBe((m % 8) * 4 + Math.floor((n % 8) / 2));
      expect(reg % 4).toBe((n % 2) + (m % 16 >= 8 ? 2 : 0));
    }
    expect(acc?.rows.flat().length).toBe(32 * 64);
    expect([acc?.registers, acc?.lanes, acc?.warps, acc?.replication]).toEqual([32, 32, 4, 1]);
  });

  it("wrap a row longer than a page, and say how much of it is shown", () => {
    const [row] = softmax.layouts;
    expect(row?.rows.map(({ length }) => length)).toEqual(Array.from({ length: 16 }, () => 64));
    expect(row?.caption).toBe("N, in rows of 64, 1024 elements");
    expect(row?.rows.flat().map(({ at }) => at[0])).toEqual([...Array(1024).keys()]);
  });
});

describe("shared memory of an inspection", () => {
  const a = inspected.buffers.find(({ name }) => name === "a");

  /** Rows of 64 bytes are cut into chunks of 16, which every second row exchanges by one bit more. */
  it("places elements through the swizzle", () => {
    const bank = ({ at: [m = 0, k = 0] }: BankCell): number => {
      const chunk = Math.floor(k / 8) ^ (Math.floor(m / 2) % 4);
      return (m * 16 + chunk * 4 + Math.floor((k % 8) / 2)) % 32;
    };
    expect(a?.swizzle).toEqual({ bits: 2, base: 3, shift: 3 });
    const cells = a?.rows.flat() ?? [];
    expect(cells.length).toBe(32 * 32);
    expect(cells.map((cell) => cell.bank)).toEqual(cells.map(bank));
  });

  it("counts the conflicts of every access, at its line", () => {
    expect(
      a?.accesses.map(({ op, lanes, bytesPerLane, conflicts }) => [
        op,
        lanes,
        bytesPerLane,
        conflicts,
      ]),
    ).toEqual([
      ["copy", 32, 16, 0],
      ["dot", 8, 16, 0],
    ]);
    const lines = inspected.sources[0]?.lines ?? [];
    expect(a?.accesses.map(({ place }) => lines[(place?.line ?? 0) - 1]?.text.trim())).toEqual([
      "const a = load(x, [tile(pm, BM), span(k, BK)]);",
      "acc = dot(a, b, acc);",
    ]);
  });

  it("shows the conflicts of plain rows of 64 bytes: four rows of eight meet in each bank", () => {
    const shared = compiled.kernel.shared.map((buffer) => {
      const { swizzle: _swizzle, ...layout } = buffer.layout;
      return { ...buffer, layout };
    });
    const buffers = drawnBuffers({ ...compiled.kernel, shared });
    const dot = buffers.find(({ name }) => name === "a")?.accesses.find(({ op }) => op === "dot");
    expect(dot?.conflicts).toBe(3);
    expect(inspectionPage({ ...inspected, buffers })).toContain('<td class="bad">3 more</td>');
    expect(inspectionPage(inspected)).not.toContain('<td class="bad">');
  });
});

describe("the page", () => {
  const page = inspectionPage(inspected);

  it("loads nothing", () => {
    expect(page).not.toMatch(/https?:|\bsrc=|<link|@import|url\(|fetch\(/);
  });

  it("leads every pass to a stage that is there", () => {
    const ids = new Set(
      [...page.matchAll(/<section class="stage" id="([^"]+)"/g)].map(([, id]) => id),
    );
    const links = [...page.matchAll(/<a href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBe(inspected.stages.length);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
    expect(page.match(/title="unchanged"/g)?.length).toBe(
      inspected.stages.filter(({ changed }) => !changed).length,
    );
  });

  it("escapes what the kernel says", () => {
    const text = inspected.stages.at(-1)?.lines.find((line) => /tw_\w+<\w+>/.test(line.text))?.text;
    const shown = text?.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(page).toContain(shown);
  });

  it("is the same for the same request", () => {
    expect(inspectionPage(inspect(linear, product))).toBe(page);
  });
});
