/** [test/unit/engine] Names of page contents: equal only where all that keys and values depend on is equal. */
import { describe, expect, it } from "vitest";
import { BlockHasher, type CacheScope } from "../../../engine/kv/block-hash.ts";

const hasher = new BlockHasher(4, Buffer.alloc(32, 7));
const tokens = Int32Array.of(1, 2, 3, 4);
const first = (scope: CacheScope, by = hasher) => by.next(undefined, tokens, 0, scope);

describe("names of pages", () => {
  it("are the same for the same tokens after the same page", () => {
    expect(first({})).toBe(first({}));
    const parent = first({});
    expect(hasher.next(parent, tokens, 1, {})).toBe(hasher.next(parent, tokens, 1, {}));
    expect(hasher.next(parent, tokens, 1, {})).not.toBe(first({}));
  });

  it("differ by a token anywhere, and by every page before", () => {
    const other = hasher.next(undefined, Int32Array.of(1, 2, 3, 5), 0, {});
    expect(other).not.toBe(first({}));
    expect(hasher.next(other, tokens, 1, {})).not.toBe(hasher.next(first({}), tokens, 1, {}));
  });

  it("bug class 4, names that can be foretold: each process has a root of its own", () => {
    expect(first({}, new BlockHasher(4))).not.toBe(first({}, new BlockHasher(4)));
  });

  it("bug class 5, a salt taken for an adapter: equal texts of two kinds differ", () => {
    const names = [{}, { salt: "a" }, { adapter: "a" }, { salt: "b" }, { salt: "a", adapter: "a" }];
    expect(new Set(names.map((scope) => first(scope))).size).toBe(names.length);
  });

  it("carry salt and adapter through the chain", () => {
    const [red, blue] = [first({ salt: "red" }), first({ salt: "blue" })];
    expect(hasher.next(red, tokens, 1, { salt: "red" })).not.toBe(
      hasher.next(blue, tokens, 1, { salt: "blue" }),
    );
  });

  it("know an image in the pages that it touches, by its place there", () => {
    const at = (position: number, hash = "cat") => ({ media: [{ hash, position, length: 3 }] });
    expect(first(at(4))).toBe(first({})); // it begins behind this page
    expect(first(at(2))).not.toBe(first({}));
    expect(first(at(2))).not.toBe(first(at(1)));
    expect(first(at(2))).not.toBe(first(at(2, "dog")));
    const parent = first({});
    expect(hasher.next(parent, tokens, 1, at(2))).not.toBe(hasher.next(parent, tokens, 1, {}));
  });
});
