/** [dsl/kernels] How far a loop over quantized columns goes in one trip, so that it never cuts a group of scales. No kernel is defined here. */

/** Groups of these many columns and their multiples fit some trip; a tensor core takes no shorter one. */
export const SHORTEST_TRIP = 16;

/**
 * Columns of a trip: `wanted`, where a group holds whole trips or a trip whole groups, else the largest of 64, 32 and 16 below it that
 * divides a group. Evaluated at compile time.
 * @param size columns of a group
 * @param wanted BK of the config, a power of two
 * @returns a fitting length; SHORTEST_TRIP, which does not fit, where none does
 */
export function groupTrip(size: number, wanted: number): number {
  return size % wanted === 0 || wanted % size === 0
    ? wanted
    : size % 64 === 0 && wanted > 64
      ? 64
      : size % 32 === 0 && wanted > 32
        ? 32
        : SHORTEST_TRIP;
}
