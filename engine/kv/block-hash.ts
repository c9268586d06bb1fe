/** [engine/kv] Names of page contents: a sha256 chain over token ids and all else that keys and values depend on. No pages. */
import { hash, randomBytes } from "node:crypto";

/** What makes equal tokens differ: an adapter in force, an image in their place, a tenant that shares with nobody else. */
export interface CacheScope {
  /** The loaded instance of an adapter; a reload under the same name is another instance. */
  readonly adapter?: string;
  /** Content hashes of images and the position at which each begins. */
  readonly media?: readonly {
    readonly hash: string;
    readonly position: number;
    readonly length: number;
  }[];
  /** Requests share pages only with those of the same salt. */
  readonly salt?: string;
}

/** Tags of the parts of a block's name: equal values of different kinds must not meet. */
const TAG = { root: 0, parent: 1, tokens: 2, adapter: 3, media: 4, salt: 5 } as const;

/** A tag, a length, the bytes: no two lists of parts have the same bytes. */
function part(tag: number, bytes: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const head = new Uint8Array(5);
  head[0] = tag;
  new DataView(head.buffer).setUint32(1, bytes.byteLength, true);
  return [head, bytes];
}

/** Names of full pages. The root is random, so that nobody outside of the process can make two contents meet. */
export class BlockHasher {
  readonly #pageSize: number;
  readonly #root: Buffer;

  /** @param root 32 random bytes unless given */
  constructor(pageSize: number, root: Buffer = randomBytes(32)) {
    this.#pageSize = pageSize;
    this.#root = root;
  }

  /**
   * Name of the page after `parent`.
   * @param parent name of the page before; undefined for the first
   * @param tokens ids of this page, exactly a page of them
   * @param index which page of the sequence it is
   */
  next(parent: string | undefined, tokens: Int32Array, index: number, scope: CacheScope): string {
    const before = parent === undefined ? this.#root : Buffer.from(parent, "latin1");
    const ids = new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength);
    const parts = [
      part(parent === undefined ? TAG.root : TAG.parent, before),
      part(TAG.tokens, ids),
      ...this.#extras(index, scope).map(([tag, text]) => part(tag, Buffer.from(text, "utf8"))),
    ];
    return hash("sha256", Buffer.concat(parts.flat()), "binary");
  }

  /** The salt and the adapter go into the first page's name, and through the chain into all others; an image into those that it touches. */
  #extras(index: number, scope: CacheScope): readonly (readonly [number, string])[] {
    const first = index * this.#pageSize;
    if (index > 0 && scope.media === undefined) return [];
    const media = (scope.media ?? [])
      .filter(
        ({ position, length }) => position < first + this.#pageSize && position + length > first,
      )
      .map((one) => [TAG.media, `${one.position - first} ${one.hash}`] as const);
    const { adapter, salt } = scope;
    const whole = [
      [TAG.adapter, adapter],
      [TAG.salt, salt],
    ] as const;
    const named = whole.flatMap(([tag, text]) =>
      index === 0 && text !== undefined ? [[tag, text] as const] : [],
    );
    return [...named, ...media];
  }
}
