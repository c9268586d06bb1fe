/** [test/unit/engine] The page pool never loses, leaks or doubles a page. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PagePool, RESERVED_PAGE } from "../../../engine/kv/page-pool.ts";

describe("page pool", () => {
  it("never gives out the reserved page", () => {
    const pool = new PagePool(5, 16);
    expect(pool.take(4).sort()).toEqual([1, 2, 3, 4]);
    expect(pool.canTake(1)).toBe(false);
    expect(() => pool.release([RESERVED_PAGE])).toThrow("released without a holder");
  });

  it("frees the end of a sequence before its beginning", () => {
    const pool = new PagePool(5, 16);
    const pages = pool.take(4);
    pool.release(pages);
    expect(pool.take(4)).toEqual([...pages].reverse());
  });

  it("keeps a shared page until its last holder leaves", () => {
    const pool = new PagePool(3, 16);
    const pages = pool.take(1);
    pool.share(pages);
    pool.release(pages);
    expect(pool.numFree).toBe(1);
    pool.release(pages);
    expect(pool.numFree).toBe(2);
    expect(() => pool.release(pages)).toThrow("TW9002");
    pool.share(pages);
    expect([pool.numFree, pool.references(pages[0] ?? 0)]).toEqual([1, 1]);
    pool.release(pages);
    expect(() => pool.release(pages)).toThrow("TW9002");
  });

  it("stays whole under any order of takes, shares and releases", () => {
    const actions = fc.array(
      fc.record({ kind: fc.constantFrom("take", "share", "release"), n: fc.nat(6) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(actions, (list) => {
        const pool = new PagePool(9, 4);
        const held: number[][] = [];
        for (const { kind, n } of list) {
          if (kind === "take" && pool.canTake(n)) held.push(pool.take(n));
          const pages = held[n % Math.max(1, held.length)];
          if (kind === "share" && pages !== undefined) {
            pool.share(pages);
            held.push([...pages]);
          }
          if (kind === "release" && pages !== undefined) {
            pool.release(pages);
            held.splice(held.indexOf(pages), 1);
          }
          pool.checkIntegrity(held);
        }
        const distinct = new Set(held.flat());
        expect(pool.numFree).toBe(8 - distinct.size);
      }),
    );
  });
});
