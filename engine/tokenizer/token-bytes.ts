/** [engine/tokenizer] The bytes that each token stands for, from tokenizer.json's decoder. Exact where a library would give text with U+FFFD. */
import { ModelError } from "../../dsl/index.ts";

interface DecoderSpec {
  readonly type: string;
  readonly decoders?: readonly DecoderSpec[];
  readonly pattern?: { readonly String?: string };
  readonly content?: string;
  readonly start?: number;
  readonly replacement?: string;
  readonly prepend_scheme?: string;
}
export interface TokenizerJson {
  readonly decoder?: DecoderSpec | null;
  readonly model: {
    readonly vocab: Readonly<Record<string, number>> | readonly (readonly [string, number])[];
  };
  readonly added_tokens?: readonly {
    readonly id: number;
    readonly content: string;
    readonly special: boolean;
  }[];
}

export interface TokenBytes {
  /** One entry per id; undefined for ids that name no token. */
  readonly bytes: readonly (Uint8Array | undefined)[];
  readonly specialIds: ReadonlySet<number>;
  /** A space at the very start of a text is not part of it (SentencePiece's dummy prefix). */
  readonly stripsLeadingSpace: boolean;
}

const BYTE_TOKEN = /^<0x([0-9A-Fa-f]{2})>$/;
const encoder = new TextEncoder();

/** @throws ModelError TW4221 for a decoder that is not known */
export function tokenBytes(json: TokenizerJson): TokenBytes {
  const steps = flatten(json.decoder ?? { type: "Fuse" });
  const spell = spellingOf(steps);
  const bytes: (Uint8Array | undefined)[] = [];
  const { vocab } = json.model;
  const entries = Array.isArray(vocab)
    ? (vocab as readonly (readonly [string, number])[]).map(([piece], id) => [piece, id] as const)
    : Object.entries(vocab as Readonly<Record<string, number>>);
  for (const [piece, id] of entries) bytes[id] = spell(piece);
  const specialIds = new Set<number>();
  for (const { id, content, special } of json.added_tokens ?? []) {
    bytes[id] = encoder.encode(content);
    if (special) specialIds.add(id);
  }
  return { bytes, specialIds, stripsLeadingSpace: steps.some(stripsStart) };
}

function stripsStart(step: DecoderSpec): boolean {
  if (step.type === "Strip") return step.content === " " && (step.start ?? 0) > 0;
  return step.type === "Metaspace" && step.prepend_scheme !== "never";
}

function flatten(spec: DecoderSpec): readonly DecoderSpec[] {
  return spec.type === "Sequence" ? (spec.decoders ?? []).flatMap(flatten) : [spec];
}

function spellingOf(steps: readonly DecoderSpec[]): (piece: string) => Uint8Array {
  if (steps.some(({ type }) => type === "ByteLevel")) return byteLevel;
  const replacements: [string, string][] = [];
  let hasBytes = false;
  for (const step of steps) {
    if (step.type === "Replace" && step.pattern?.String !== undefined)
      replacements.push([step.pattern.String, step.content ?? ""]);
    else if (step.type === "Metaspace") replacements.push([step.replacement ?? "\u2581", " "]);
    else if (step.type === "ByteFallback") hasBytes = true;
    else if (step.type !== "Fuse" && step.type !== "Strip") {
      throw new ModelError({
        code: "TW4221",
        message: "tokenizer.json uses a decoder that is not known",
        seen: step.type,
        expected: "ByteLevel, Metaspace, Replace, ByteFallback, Fuse, Strip",
        remedy:
          "use a model with one of these decoders, or remove tokenizer.json to work with token ids only",
      });
    }
  }
  return (piece) => {
    const byte = hasBytes ? BYTE_TOKEN.exec(piece)?.[1] : undefined;
    if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
    return encoder.encode(
      replacements.reduce((text, [from, to]) => text.replaceAll(from, to), piece),
    );
  };
}

/** Byte-level BPE writes each byte as one printable character; this is the way back. @source GPT-2's byte encoder, as in its published code */
const BYTE_OF_CHARACTER = byteAlphabet();

function byteAlphabet(): ReadonlyMap<string, number> {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  const map = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++)
    map.set(String.fromCodePoint(printable(byte) ? byte : next++), byte);
  return map;
}

function byteLevel(piece: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of piece) {
    const byte = BYTE_OF_CHARACTER.get(character);
    if (byte === undefined)
      bytes.push(...encoder.encode(character)); // not of the alphabet: an added piece, literal
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
