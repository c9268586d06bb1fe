/** [examples] What the examples share: opening a device when one is run by hand, seeded numbers, and the comparison of results. */
import { pathToFileURL } from "node:url";
import { chooseDevice, type Device } from "../index.ts";

/** An example: it runs on any device, prints what it shows, and throws where a result is wrong. */
export type Example = (device: Device) => Promise<void>;

/**
 * Runs an example that was named on the command line, on the best device or the one of TILEWRIGHT_DEVICE; imported, it does nothing.
 * @param url `import.meta.url` of the example
 */
export async function runByHand(url: string, main: Example): Promise<void> {
  if (url !== pathToFileURL(process.argv[1] ?? "").href) return;
  const { device, reason } = await chooseDevice();
  console.log(`device: ${device.info.driver}, ${device.info.name} (${reason})`);
  try {
    await main(device);
  } finally {
    await device.close();
  }
}

/** Numbers in [-1, 1) that are the same in every run. @source Numerical Recipes, "quick and dirty" linear congruential generator */
export function noise(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/**
 * Compares every element, relative to the larger of 1 and what is expected, and prints the largest error.
 * @throws Error naming the first element that is off
 */
export function check(
  name: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance = 1e-5,
): void {
  if (got.length !== expected.length)
    throw new Error(`${name}: ${got.length} elements, expected ${expected.length}`);
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const [seen, wanted] = [got[i] ?? Number.NaN, expected[i] ?? Number.NaN];
    const error = Math.abs(seen - wanted) / Math.max(1, Math.abs(wanted));
    if (!(error <= tolerance)) throw new Error(`${name}[${i}] is ${seen}, expected ${wanted}`);
    worst = Math.max(worst, error);
  }
  console.log(`${name}: ${got.length} elements right, largest error ${worst.toExponential(1)}`);
}
