/** [test/unit/engine] Streams of text: bytes of tokens, unfinished characters, stop strings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopStrings } from "../../../engine/stop-strings.ts";
import { Detokenizer } from "../../../engine/tokenizer/detokenizer.ts";
import { tokenBytes } from "../../../engine/tokenizer/token-bytes.ts";

const SENTENCEPIECE = tokenBytes({
  decoder: {
    type: "Sequence",
    decoders: [
      { type: "Replace", pattern: { String: "▁" }, content: " " },
      { type: "ByteFallback" },
      { type: "Fuse" },
      { type: "Strip", content: " ", start: 1 },
    ],
  },
  model: {
    vocab: {
      "<s>": 0,
      "▁Hello": 1,
      "▁world": 2,
      "<0xF0>": 3,
      "<0x9F>": 4,
      "<0x99>": 5,
      "<0x82>": 6,
      é: 7,
    },
  },
  added_tokens: [{ id: 0, content: "<s>", special: true }],
});
const BYTE_LEVEL = tokenBytes({
  decoder: { type: "ByteLevel" },
  model: { vocab: { ĠHi: 0, Ã: 1, "©": 2, Ċ: 3 } },
  added_tokens: [{ id: 4, content: "<tool>", special: false }],
});

const run = (detokenizer: Detokenizer, ids: readonly number[]) => [
  ...ids.map((id) => detokenizer.push(id)),
  detokenizer.flush(),
];

describe("detokenizer", () => {
  it("strips the dummy space at the start of a text only", () => {
    expect(run(new Detokenizer(SENTENCEPIECE, [0], true), [1, 2])).toEqual(["Hello", " world", ""]);
    expect(run(new Detokenizer(SENTENCEPIECE, [0, 1], true), [2])).toEqual([" world", ""]);
  });

  it("gives out a character when its last byte is there", () => {
    expect(run(new Detokenizer(SENTENCEPIECE, [1], true), [3, 4, 5, 6, 7])).toEqual([
      "",
      "",
      "",
      "🙂",
      "é",
      "",
    ]);
  });

  it("replaces the bytes of a character that never ends", () => {
    expect(run(new Detokenizer(SENTENCEPIECE, [1], true), [3, 4]).join("")).toBe("\uFFFD");
  });

  it("leaves special tokens out, or names them when asked", () => {
    expect(run(new Detokenizer(SENTENCEPIECE, [1], true), [0]).join("")).toBe("");
    expect(run(new Detokenizer(SENTENCEPIECE, [1], false), [0]).join("")).toBe("<s>");
  });

  it("reads byte-level pieces and literal added tokens", () => {
    expect(run(new Detokenizer(BYTE_LEVEL, [], true), [0, 1, 2, 3, 4]).join("")).toBe(
      " Hié\n<tool>",
    );
  });

  it("gives no text without a tokenizer", () => {
    expect(run(new Detokenizer(undefined, [], true), [1, 2])).toEqual(["", "", ""]);
  });

  it("refuses a decoder that it does not know", () => {
    expect(() => tokenBytes({ decoder: { type: "WordPiece" }, model: { vocab: {} } })).toThrow(
      "TW4221",
    );
  });
});

/** The text up to the earliest stop that is whole when the first piece with a whole stop is there. */
function endAtStop(pieces: readonly string[], list: readonly string[]): string {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    const ends = list.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    if (ends.length > 0) return text.slice(0, Math.min(...ends));
  }
  return text;
}

describe("stop strings", () => {
  it("ends before the stop, though it comes in pieces", () => {
    const stops = new StopStrings(["END"]);
    expect([
      stops.push("one E"),
      stops.push("N"),
      stops.push("D two"),
      stops.flush(),
      stops.found,
    ]).toEqual(["one", " ", "", "", "END"]);
  });

  it("takes the earliest of several", () => {
    const stops = new StopStrings(["xyz", "b"]);
    expect([stops.push("a b xyz"), stops.found]).toEqual(["a ", "b"]);
  });

  it("loses and doubles nothing, whatever the pieces", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab🙂\n]{0,4}$/u)),
        fc.array(fc.stringMatching(/^[ab🙂]{1,3}$/u), { maxLength: 3 }),
        (pieces, list) => {
          const stops = new StopStrings(list);
          const text = pieces.map((piece) => stops.push(piece)).join("") + stops.flush();
          expect(text).toBe(endAtStop(pieces, list));
        },
      ),
    );
  });

  it("takes the stop that is whole first, though another began before it", () => {
    const stops = new StopStrings(["a", "ba🙂"]);
    expect([stops.push("ba"), stops.push("🙂"), stops.found]).toEqual(["b", "", "a"]);
  });
});
