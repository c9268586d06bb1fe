/** [codegen/targets/cuda] Text of the wgmma functions of the prelude, made for the shapes that a kernel calls. */
import type { GeneratedPrelude } from "../../c-family/assemble-prelude.ts";
import { WGMMA_FORMS, type WgmmaForm, wgmmaParams } from "./names/wgmma.ts";

const PER_LINE = 8;

/** `parts` joined by commas, some to a line; lines after the first start with `indent`. */
function listed(parts: readonly string[], indent: string): string {
  const lines = Array.from({ length: Math.ceil(parts.length / PER_LINE) }, (_, i) =>
    parts.slice(i * PER_LINE, (i + 1) * PER_LINE).join(", "),
  );
  return lines.join(`,\n${indent}`);
}

function numbered(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `%${first + i}`);
}

/** `{%0, %1, …}` as C string literals, one a line. */
function registerList(first: number, count: number): string {
  const names = numbered(first, count);
  const lines = Array.from({ length: Math.ceil(count / 16) }, (_, i) =>
    names.slice(i * 16, (i + 1) * 16).join(", "),
  );
  return lines.map((line) => `"${line}`).join(', "\n               ');
}

/** @source PTX ISA, wgmma.mma_async: transposition bits only for 16-bit elements, scales of ±1 not for integers */
function functionText(form: WgmmaForm): string {
  const { n, k, accumulator, element, aFrom } = form;
  const count = n / 2;
  const isHalf = k === 16;
  const aCount = aFrom === "shared" ? 1 : 4;
  const aText = aFrom === "shared" ? `%${count}` : `{${numbered(count, 4).join(", ")}}`;
  const [b, p, t] = [count + aCount, count + aCount + 1, count + aCount + 2];
  const transposed = aFrom === "shared" ? ["N & 1", "N >> 1 & 1"] : ["N >> 1 & 1"];
  const immediates = [
    ...(accumulator === "f32" ? ["1", "1"] : []),
    ...(isHalf ? transposed.map((_, i) => `%${t + i}`) : []),
  ];
  const tail = [aText, `%${b}`, "p", ...immediates].join(", ");
  const constraint = accumulator === "f32" ? '"+f"' : '"+r"';
  const outputs = Array.from({ length: count }, (_, i) => `${constraint}(d[${i}])`);
  const a = aFrom === "shared" ? ['"l"(a)'] : [0, 1, 2, 3].map((i) => `"r"(a[${i}])`);
  const inputs = [
    ...a,
    '"l"(b)',
    '"r"(accumulate)',
    ...(isHalf ? transposed.map((bit) => `"n"(${bit})`) : []),
  ];
  const indent = " ".repeat(15);
  return [
    `${isHalf ? "template <int N> " : ""}TW_DEV void ${form.name}(${wgmmaParams(form)}) {`,
    `  asm volatile("{\\n.reg .pred p;\\nsetp.ne.b32 p, %${p}, 0;\\n"`,
    `${indent}"wgmma.mma_async.sync.aligned.m64n${n}k${k}.${accumulator}.${element}.${element} {"`,
    `${indent}${registerList(0, count)}}, "`,
    `${indent}"${tail};\\n}"`,
    `${indent}: ${listed(outputs, `${indent}  `)}`,
    `${indent}: ${inputs.join(", ")});`,
    "}",
  ].join("\n");
}

/** The wgmma functions as a part of the CUDA prelude. */
export function generateWgmma(): GeneratedPrelude {
  const byName = new Map(WGMMA_FORMS.map((form) => [form.name, form]));
  return {
    names: [...byName.keys()],
    textOf: (name) => {
      const form = byName.get(name);
      if (form === undefined) throw new Error(`no wgmma is named ${name}`);
      return functionText(form);
    },
  };
}
