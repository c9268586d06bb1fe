/** [runtime/bench] The order in which contenders are measured: alternating rounds in which each stands equally often in each place. Pure. */

/**
 * Rounds of an order of contenders. Round r starts with contender r, and every second cycle runs backwards, so that each stands equally
 * often in each place and does not always follow the same neighbour.
 * @param contenders how many
 * @param least rounds at least; rounded up to a multiple of `contenders`
 * @returns for each round the indices of all contenders in the order in which they are measured
 */
export function alternatingRounds(
  contenders: number,
  least: number,
): readonly (readonly number[])[] {
  if (contenders === 0) return [];
  const count = Math.max(1, Math.ceil(least / contenders)) * contenders;
  return Array.from({ length: count }, (_, round) => {
    const order = Array.from({ length: contenders }, (_, i) => (i + round) % contenders);
    return Math.floor(round / contenders) % 2 === 0 ? order : order.reverse();
  });
}

/**
 * Runs `measure` for every contender in every round.
 * @returns by contender, its results in the order of the rounds
 */
export async function measureInRounds<T>(
  contenders: number,
  least: number,
  measure: (contender: number, round: number) => Promise<T>,
): Promise<readonly (readonly T[])[]> {
  const results: T[][] = Array.from({ length: contenders }, () => []);
  for (const [round, order] of alternatingRounds(contenders, least).entries())
    for (const contender of order) results[contender]?.push(await measure(contender, round));
  return results;
}
