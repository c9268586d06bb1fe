/** [dsl/core] SHA-256 in TypeScript, for browsers: theirs cannot be called without waiting. Node's own is used where it is there. */

const WORD = 2 ** 32;
const PRIMES = firstPrimes(64);
/** @source FIPS 180-4, 4.2.2: fractional parts of the cube roots of the first 64 primes */
const ROUND = Uint32Array.from(PRIMES, (p) => fraction(Math.cbrt(p)));
/** @source FIPS 180-4, 5.3.3: fractional parts of the square roots of the first 8 primes */
const START = Uint32Array.from(PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));

/** The first 32 bits behind the point. */
function fraction(x: number): number {
  return Math.floor((x - Math.floor(x)) * WORD);
}

function firstPrimes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
}

/** Digest of bytes, or of a text in UTF-8; 64 hex digits. @source FIPS 180-4, 6.2 */
export function sha256Of(data: string | Uint8Array): string {
  const message = padded(typeof data === "string" ? new TextEncoder().encode(data) : data);
  const state = Uint32Array.from(START);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.byteLength; offset += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = message.getUint32(offset + 4 * i);
    addBlock(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a one bit, zeros, and the length in bits: whole blocks of 64 bytes. */
function padded(data: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor((data.length * 8) / WORD));
  view.setUint32(bytes.length - 4, (data.length * 8) % WORD);
  return view;
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

function addBlock(state: Uint32Array, w: Uint32Array): void {
  const at = (i: number): number => w[i] ?? 0;
  for (let i = 16; i < 64; i++) {
    const [x, y] = [at(i - 15), at(i - 2)];
    const small = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const large = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = at(i - 16) + small + at(i - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(i)) | 0;
    const second =
      ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] ?? 0) + word;
  });
}
