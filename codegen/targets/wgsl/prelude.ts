/** [codegen/targets/wgsl] The functions of the WGSL prelude files, and those that a text needs. No emission of bodies. */
import { invariant } from "../../../dsl/index.ts";
import { assetUrl, readAsset } from "../../text/asset.ts";

const FILES = ["bits", "integer", "convert", "math", "trigonometry"] as const;

const FILE_HEAD = /^\/\*\*.*\*\/\n/;
const DEFINITION = /^fn (tw_\w+)\(/m;

interface PreludeFunction {
  readonly text: string;
  readonly mentions: readonly string[];
}

export interface WgslPrelude {
  /** Every function, in file order. */
  readonly names: readonly string[];
  /** Text of the functions that `body` calls and of what those call, in file order, each once. Empty where there are none. */
  assemble(body: string): string;
}

function mentionsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\btw_\w+/g) ?? [])];
}

/** Functions stand between blank lines; the comment above one belongs to it. */
function cutFile(file: string): readonly (readonly [string, PreludeFunction])[] {
  const text = readAsset(assetUrl(`targets/wgsl/prelude/${file}.wgsl`));
  return text
    .replace(FILE_HEAD, "")
    .split(/\n\n+/)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== "")
    .map((chunk) => {
      const name = DEFINITION.exec(chunk)?.[1];
      invariant(name !== undefined, () => `${file}.wgsl: a part without a function: ${chunk}`);
      return [name, { text: chunk, mentions: mentionsOf(chunk) }] as const;
    });
}

export function readWgslPrelude(): WgslPrelude {
  const functions = new Map(FILES.flatMap(cutFile));
  const assemble = (body: string): string => {
    const wanted = new Set<string>();
    const want = (name: string): void => {
      if (wanted.has(name)) return;
      const found = functions.get(name);
      invariant(found !== undefined, () => `the WGSL prelude has no ${name}`);
      wanted.add(name);
      for (const other of found.mentions) want(other);
    };
    for (const name of mentionsOf(body)) want(name);
    return [...functions]
      .filter(([name]) => wanted.has(name))
      .map(([, { text }]) => `${text}\n`)
      .join("\n");
  };
  return { names: [...functions.keys()], assemble };
}
