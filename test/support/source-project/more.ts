/** [test/support/source-project] A helper that is reached through a star export only. */
export const shift = (x: number, by = 3): number => x + by;
