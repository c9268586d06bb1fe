/** [engine] Seeds of requests: from what callers give, any integer, to the 32 bits that the device takes. */

/** Both words of a 53-bit integer, as 32 bits. */
export function foldSeed(seed: number): number {
  return (seed ^ Math.floor(seed / 2 ** 32)) | 0;
}

/** The seed of a choice: seed + choice, going on from 0 behind the largest integer. */
export function choiceSeed(seed: number, choice: number): number {
  const room = Number.MAX_SAFE_INTEGER - seed;
  return choice <= room ? seed + choice : choice - room - 1;
}
