/** [dsl/interpreter] Puts the generated program together: constants, buffers, bindings, functions, main. */
import type { TileKernel } from "../ir/nodes.ts";
import { CodeWriter } from "./code-writer.ts";
import { Emission, type EmissionOptions } from "./emission.ts";
import { emitBlock } from "./emit-control.ts";
import { tensorNames } from "./emit-memory.ts";

export interface GeneratedProgram {
  /** Body of a function of `lib` and `arena` that gives `{ bind, main, buffers }`. */
  readonly source: string;
  readonly arenaBytes: number;
  readonly emission: Emission;
}

/** Buffers start at multiples of this, so that any typed array fits. */
const BUFFER_ALIGNMENT = 16;

/** Declares one typed array a buffer; gives the size of the arena. */
function writeBuffers(w: CodeWriter, emission: Emission): number {
  let offset = 0;
  for (const { name, array, elements, asBits } of emission.buffers) {
    w.line(`const ${name} = new ${array}(arena, ${offset}, ${elements});`);
    if (asBits) w.line(`const ${name}$bits = new Uint32Array(arena, ${offset}, ${elements});`);
    const bytes = elements * (array === "Uint8Array" ? 1 : 4);
    offset = Math.ceil((offset + bytes) / BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT;
  }
  return offset;
}

/** Variables of the tensors and the function that sets them for a run. */
function writeBindings(w: CodeWriter, kernel: TileKernel): void {
  const variables: string[] = [];
  const assignments: string[] = [];
  kernel.params.forEach((param, n) => {
    if (param.kind !== "tensor") return;
    const names = tensorNames(param, n);
    variables.push(names.data, names.shadow);
    assignments.push(`${names.data} = run.tensors[${n}].data;`);
    assignments.push(`${names.shadow} = run.tensors[${n}].shadow;`);
    param.shape.forEach((_, dim) => {
      for (const [name, list] of [
        [names.size(dim), "sizes"],
        [names.stride(dim), "strides"],
      ] as const) {
        if (/^\d/.test(name)) continue;
        variables.push(name);
        assignments.push(`${name} = run.tensors[${n}].${list}[${dim}];`);
      }
    });
  });
  w.line(
    `let ${["dims", "scalars", "programs0", "programs1", "programs2", ...variables].join(", ")};`,
  );
  w.open("function bind(run) {");
  w.line("({ dims, scalars, grid: [programs0, programs1, programs2] } = run);");
  for (const assignment of assignments) w.line(assignment);
  w.close();
}

/** The names of the library that a text uses. */
function usedNames(text: string, names: readonly string[]): readonly string[] {
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
  return names.filter((name) => words.has(name));
}

/** Translates a verified kernel. */
export function generateProgram(
  kernel: TileKernel,
  options: EmissionOptions,
  libraryNames: readonly string[],
): GeneratedProgram {
  const emission = new Emission(kernel, options);
  emission.main.open("function main(pid0, pid1, pid2) {");
  emitBlock(emission, kernel.body);
  emission.main.close();
  const w = new CodeWriter();
  w.line(`"use strict"; // kernel ${kernel.name}`);
  const code = `${emission.functions.text()}\n${emission.main.text()}`;
  const names = usedNames(code, libraryNames);
  if (names.length > 0) w.line(`const { ${names.join(", ")} } = lib;`);
  const arenaBytes = writeBuffers(w, emission);
  writeBindings(w, kernel);
  const buffers = emission.buffers.map((buffer) => buffer.name).join(", ");
  const source = `${w.text()}\n${code}\nreturn { bind, main, buffers: { ${buffers} } };\n`;
  return { source, arenaBytes, emission };
}
