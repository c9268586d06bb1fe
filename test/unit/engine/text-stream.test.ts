/** [test/unit/engine] Tokens and text of a stream, together: stop strings, least tokens, random ids of the tokenizers of fixtures. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SAMPLING, type SamplingParams } from "../../../engine/core.ts";
import { StopStrings } from "../../../engine/stop-strings.ts";
import { TextStream } from "../../../engine/text-stream.ts";
import { Detokenizer } from "../../../engine/tokenizer/detokenizer.ts";
import {
  type TokenBytes,
  type TokenizerJson,
  tokenBytes,
} from "../../../engine/tokenizer/token-bytes.ts";
import { Tokenizer } from "../../../engine/tokenizer/tokenizer.ts";
import { readJson, sharedFolder } from "../../support/shared-models.ts";
import { FIRST_BYTE, writeTinyModel } from "../../support/tiny-model.ts";

const bytes = Tokenizer.load(writeTinyModel());
const idsOf = (text: string) => [...new TextEncoder().encode(text)].map((b) => FIRST_BYTE + b);

function streamOf(params: Partial<SamplingParams>, tokenizer = bytes): TextStream {
  const all = { ...DEFAULT_SAMPLING, ...params };
  return new TextStream(tokenizer.detokenizer([], all.skipSpecialTokens), all);
}

/** Tokens and text after each push, then at the end. */
function run(
  text: string,
  params: Partial<SamplingParams>,
): readonly (readonly [number, string])[] {
  const stream = streamOf(params);
  const seen: [number, string][] = [];
  for (const id of idsOf(text)) {
    stream.push(id);
    seen.push([stream.numTokens, stream.text]);
    if (stream.found !== undefined) return seen;
  }
  stream.finish();
  return [...seen, [stream.numTokens, stream.text]];
}

describe("text and tokens", () => {
  it("come one by one without stop strings, a character with its last byte", () => {
    expect(run("aé", {})).toEqual([
      [1, "a"],
      [2, "a"],
      [3, "aé"],
      [3, "aé"],
    ]);
  });

  it("bug class 13, part of a stop string is streamed: what may become one waits with its tokens", () => {
    expect(run("a<ex<end", { stop: ["<end>"] })).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
      [0, ""],
      [1, "a"],
      [2, "a<"],
      [3, "a<e"],
      [4, "a<ex"],
      [8, "a<ex<end"],
    ]);
    expect(run("ab<end>more", { stop: ["<end>"] }).at(-1)).toEqual([7, "ab"]);
  });

  it("keep the stop string where asked", () => {
    const params = { stop: ["<end>"], includeStopStrInOutput: true };
    expect(run("ab<end>more", params).at(-1)).toEqual([7, "ab<end>"]);
  });

  it("leave out the token that ends the request, or keep it", () => {
    for (const [includeStopStrInOutput, text] of [
      [false, "a"],
      [true, "ab"],
    ] as const) {
      const stream = streamOf({ includeStopStrInOutput });
      const [a = 0, b = 0] = idsOf("ab");
      stream.push(a);
      stream.push(b, true);
      stream.finish();
      expect([stream.numTokens, stream.text]).toEqual([2, text]);
    }
  });

  it("bug class 27, min_tokens: a stop string may end behind the least number of tokens only", () => {
    expect(run("xx.xx.", { stop: ["x."], minTokens: 3 }).at(-1)).toEqual([6, "xx.x"]);
    expect(run("xx.xx.", { stop: ["x."], minTokens: 2 }).at(-1)).toEqual([3, "x"]);
    expect(run("xx.xx.", { stop: ["x."], minTokens: 6 }).at(-1)).toEqual([6, "xx.xx."]);
    const cut = (minTokens: number) => {
      const stream = streamOf({ stop: ["\uFFFD"], minTokens });
      for (const id of idsOf("aé").slice(0, 2)) stream.push(id);
      stream.finish();
      return [stream.text, stream.found];
    };
    expect(cut(1)).toEqual(["a", "\uFFFD"]);
    expect(cut(2)).toEqual(["a\uFFFD", undefined]);
  });

  it("counts a stop that begins in text that may not stop, and ends behind it", () => {
    const stops = new StopStrings(["abc"]);
    expect([stops.push("xab", false), stops.push("c"), stops.found]).toEqual(["x", "", "abc"]);
  });
});

const STORIES = sharedFolder("random ids of stories260k", "models/stories260k");

/** A byte-level vocabulary: every byte alone, then pieces that cut through characters anywhere, a special token and a literal one. */
function byteLevel(): TokenBytes {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  const alphabet = Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(printable(byte) ? byte : next++),
  );
  const spell = (part: Uint8Array) => [...part].map((byte) => alphabet[byte] ?? "").join("");
  const source = new TextEncoder().encode("héllo 🙂🙃 日本 \u00a0<end> ë\u0301");
  const pieces = new Set(alphabet);
  for (let size = 2; size <= 5; size++)
    for (let at = 0; at + size <= source.length; at++)
      pieces.add(spell(source.subarray(at, at + size)));
  const vocab = Object.fromEntries([...pieces].map((piece, id) => [piece, id]));
  return tokenBytes({
    decoder: { type: "ByteLevel" },
    model: { vocab },
    added_tokens: [
      { id: pieces.size, content: "<|special|>", special: true },
      { id: pieces.size + 1, content: "<tool é>", special: false },
    ],
  });
}

const VOCABULARIES: readonly { readonly name: string; readonly tokens: TokenBytes }[] = [
  { name: "byte-level pieces", tokens: byteLevel() },
  ...(STORIES === undefined
    ? []
    : [
        {
          name: "stories260k, SentencePiece with bytes",
          tokens: tokenBytes(readJson<TokenizerJson>(STORIES, "tokenizer.json")),
        },
      ]),
];

/** Decoded at once: what the parts must add up to. */
function wholeText(tokens: TokenBytes, ids: readonly number[], skips: boolean): string {
  const shown = ids.filter((id) => !(skips && tokens.specialIds.has(id)));
  const all = Buffer.concat(shown.map((id) => tokens.bytes[id] ?? new Uint8Array(0)));
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all);
  return tokens.stripsLeadingSpace && text.startsWith(" ") ? text.slice(1) : text;
}

describe.each(VOCABULARIES)("random ids of $name", ({ tokens }) => {
  const ids = fc.array(fc.integer({ min: 0, max: tokens.bytes.length - 1 }), { maxLength: 40 });
  const stops = fc.array(fc.constantFrom("e", "ll", "🙂", "<end>", "\uFFFD", "t", "日", "<0x"), {
    maxLength: 3,
  });

  it("bug class 12, characters arrive as U+FFFD: parts add up to the bytes, none is taken back", () => {
    fc.assert(
      fc.property(ids, fc.boolean(), (list, skips) => {
        const expected = wholeText(tokens, list, skips);
        const detokenizer = new Detokenizer(tokens, [], skips);
        let text = "";
        for (const id of list) {
          text += detokenizer.push(id);
          expect(expected.startsWith(text)).toBe(true);
        }
        expect(text + detokenizer.flush()).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("bug class 14, text and ids disagree: each report's text is that of its tokens", () => {
    fc.assert(
      fc.property(ids, stops, fc.nat(8), fc.boolean(), (list, stop, minTokens, keeps) => {
        const params = { ...DEFAULT_SAMPLING, stop, minTokens, includeStopStrInOutput: keeps };
        const stream = new TextStream(new Detokenizer(tokens, [], true), params);
        const reports: (readonly [number, string])[] = [];
        let pushed = 0;
        for (const id of list) {
          stream.push(id);
          pushed++;
          if (stream.found !== undefined) break;
          reports.push([stream.numTokens, stream.text]);
        }
        stream.finish();
        expect(stream.numTokens).toBe(pushed);
        const alone = (count: number) => {
          const detokenizer = new Detokenizer(tokens, [], true);
          return list
            .slice(0, count)
            .map((id) => detokenizer.push(id))
            .join("");
        };
        for (const [count, text] of reports) {
          expect(text).toBe(alone(count));
          expect(stream.text.startsWith(text)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("bug class 13: nothing given out is followed by the rest of a stop string", () => {
    fc.assert(
      fc.property(ids, stops, (list, stop) => {
        const stream = new TextStream(new Detokenizer(tokens, [], true), {
          ...DEFAULT_SAMPLING,
          stop,
        });
        for (const id of list) {
          stream.push(id);
          if (stream.found !== undefined) break;
        }
        if (stream.found === undefined) return;
        const pieces = new Detokenizer(tokens, [], true);
        const all = list
          .slice(0, stream.numTokens)
          .map((id) => pieces.push(id))
          .join("");
        expect(all.startsWith(stream.text + stream.found)).toBe(true);
        for (const one of stop) expect(stream.text).not.toContain(one);
      }),
      { numRuns: 300 },
    );
  });

  it("bug class 11, text of the prompt leaks into output that ends mid-character", () => {
    fc.assert(
      fc.property(ids, ids, (prompt, list) => {
        const after = new Detokenizer(tokens, prompt, true);
        const text = list.map((id) => after.push(id)).join("") + after.flush();
        const spelled = Buffer.concat(
          list.map((id) =>
            tokens.specialIds.has(id) ? new Uint8Array(0) : (tokens.bytes[id] ?? new Uint8Array(0)),
          ),
        );
        const own = new TextDecoder("utf-8", { ignoreBOM: true }).decode(spelled);
        expect([own, own.replace(/^ /, "")]).toContain(text);
      }),
      { numRuns: 200 },
    );
  });
});
