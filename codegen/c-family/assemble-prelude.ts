/** [codegen/c-family] Cuts prelude files into functions and puts together the ones that a text needs. Knows no target. */
import { readAsset } from "../text/asset.ts";

/** One declaration of a prelude file: the lines between two blank lines, a comment above it included. */
interface Chunk {
  readonly text: string;
  readonly defines: readonly string[];
  readonly mentions: readonly string[];
}

const FILE_HEAD = /^\/\*\*.*\*\/\n/;
const DEFINITIONS = [
  /^typedef .* (\w+);$/gm,
  /^#define (\w+)/gm,
  /^(?:template <[^>]*> )?struct (?:\w+\(\d+\) )?(\w+) \{/gm,
  /^(?:template <[^>]*> )?TW_DEV [^(]*?\b(\w+)\(/gm,
  /^extern .*\b(\w+)(?:\[\]|\(f32\));$/gm,
] as const;

function definitionsOf(text: string): readonly string[] {
  return DEFINITIONS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => (match[1] === undefined ? [] : [match[1]])),
  );
}

/** Identifiers of the prelude that a text mentions, once each, in order of first appearance. */
export function preludeNamesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:tw_|TW_)\w+/g) ?? [])];
}

function readChunk(text: string): Chunk {
  const mentions = text.match(/\b[A-Za-z_]\w*/g) ?? [];
  return { text, defines: definitionsOf(text), mentions };
}

function cutFile(file: URL): readonly Chunk[] {
  const body = readAsset(file).replace(FILE_HEAD, "");
  return body
    .split(/\n\n+/)
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map(readChunk);
}

/** Functions that are written when a text needs them; they need functions of the files at most. */
export interface GeneratedPrelude {
  readonly names: readonly string[];
  /** Definition of one of `names`, as a file would hold it. */
  textOf(name: string): string;
}

/** A function that is made at its first use. */
class GeneratedChunk implements Chunk {
  readonly defines: readonly string[];
  readonly #make: () => string;
  #made: Chunk | undefined;

  constructor(name: string, make: () => string) {
    this.defines = [name];
    this.#make = make;
  }
  get text(): string {
    return this.#read().text;
  }
  get mentions(): readonly string[] {
    return this.#read().mentions;
  }
  #read(): Chunk {
    this.#made ??= readChunk(this.#make());
    return this.#made;
  }
}

/** The functions of a target's prelude by name. */
export interface PreludeLibrary {
  /** Every name that some file defines, in file order. */
  readonly names: readonly string[];
  /**
   * Text that defines `used` and whatever that needs, each function once, in an order that does not depend on that of `used`.
   * The first declaration of the first file (the basic types and macros) always leads. All of it stands under `#ifndef TW_PRELUDE`,
   * so that a host that brings its own meaning of the names (the CPU emulation) compiles the same text.
   * @throws Error for a name that no file defines
   */
  assemble(used: Iterable<string>): string;
}

/**
 * Reads prelude files. Where two files define a name, the first one counts.
 * @param files in the order in which their functions shall appear
 * @param generated functions that come after those of the files
 */
export function readPrelude(files: readonly URL[], generated?: GeneratedPrelude): PreludeLibrary {
  const made = generated?.names.map(
    (name) => new GeneratedChunk(name, () => generated.textOf(name)),
  );
  const chunks: readonly Chunk[] = [...files.flatMap(cutFile), ...(made ?? [])];
  const byName = new Map<string, Chunk>();
  for (const chunk of chunks) {
    for (const name of chunk.defines) if (!byName.has(name)) byName.set(name, chunk);
  }
  return { names: [...byName.keys()], assemble: (used) => assemble(chunks, byName, used) };
}

function assemble(
  chunks: readonly Chunk[],
  byName: ReadonlyMap<string, Chunk>,
  used: Iterable<string>,
): string {
  const wanted = new Set<Chunk>(chunks.slice(0, 1));
  for (const name of used) {
    const chunk = byName.get(name);
    if (chunk === undefined) throw new Error(`the prelude has no ${name}`);
    wanted.add(chunk);
  }
  const placed = new Set<Chunk>();
  const place = (chunk: Chunk): void => {
    if (placed.has(chunk)) return;
    placed.add(chunk);
    for (const name of chunk.mentions) {
      const needed = byName.get(name);
      if (needed !== undefined && needed !== chunk && !placed.has(needed)) place(needed);
    }
    order.push(chunk.text);
  };
  const order: string[] = [];
  for (const chunk of chunks) if (wanted.has(chunk)) place(chunk);
  return `#ifndef TW_PRELUDE\n#define TW_PRELUDE\n${order.join("\n")}\n#endif\n`;
}
