/** [engine] Log-probabilities of very many tokens of a row, best first, on the host: a kernel that finds them one by one would take a round each. No device. */

/** Ids take this many bits beside the 32 of a value: together what a double holds exactly. */
const ID_SPAN = 2 ** 21;
const SIGN = 0x80000000;

/**
 * @param logits one row; at most 2,097,152 tokens
 * @param count tokens that are given
 * @returns ids by descending logit, ties by lower id, and ln softmax of each
 */
export function topOfRow(
  logits: Float32Array,
  count: number,
): readonly { readonly tokenId: number; readonly logprob: number }[] {
  if (logits.length > ID_SPAN)
    throw new RangeError(`${logits.length} tokens are more than ${ID_SPAN}`);
  const bits = new Uint32Array(logits.buffer, logits.byteOffset, logits.length);
  const keys = Float64Array.from(bits, (word, id) => (2 ** 32 - 1 - rising(word)) * ID_SPAN + id);
  keys.sort();
  const ids = Array.from(keys.subarray(0, count), (key) => key % ID_SPAN);
  const most = logits[ids[0] ?? 0] ?? 0;
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - most), 0);
  const logTotal = most + Math.log(sum);
  return ids.map((tokenId) => ({
    tokenId,
    logprob: Math.fround((logits[tokenId] ?? 0) - logTotal),
  }));
}

/** A float's bits as an unsigned number that grows with the float; both zeros are one. */
function rising(word: number): number {
  if (word === SIGN) return SIGN;
  return word >= SIGN ? 2 ** 32 - 1 - word : word + SIGN;
}
