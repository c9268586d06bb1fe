/** [runtime/bench] Chooses among a vendor's implementations the fastest right one, for each way of timing by itself. */
import type { CheckResult, Contender } from "./contender.ts";
import type { Meter, TimingMode } from "./measure.ts";
import { median } from "./statistics.ts";

/** The vendor's side of a comparison: what is fastest in each mode, of those that passed the check. */
export interface VendorChoice {
  readonly name: string;
  readonly best: Readonly<Record<TimingMode, Contender>>;
  readonly check: CheckResult | undefined;
}

/** An implementation that does not run here or gives something else. */
export interface Refused {
  readonly contender: Contender;
  readonly check: CheckResult;
}

const COLD = { warmupMs: 5, repeatMs: 15 };
const COLD_PASSES = 2;
/** Below this a launch does not heat the chip, and the order of cold launches stands. */
const SUSTAINED_FROM_US = 50;
/** The best of the cold launches, tried again under load. */
const SUSTAINED_TRIED = 3;
const SUSTAINED = { rounds: 3, sustainedMs: 80 };
const LAYERS = { rounds: 2, layersMs: 10 };

/**
 * @param offers implementations; those of one name compete with each other
 * @param check of one implementation; undefined where nothing is checked
 * @returns a choice for each name, in the order of the offers, none where all of a name fail; and those that failed
 */
export async function chooseVendor(
  meter: Meter,
  offers: readonly Contender[],
  modes: readonly TimingMode[],
  numSets: number,
  check: (contender: Contender) => Promise<CheckResult | undefined>,
): Promise<{ readonly choices: readonly VendorChoice[]; readonly refused: readonly Refused[] }> {
  const choices: VendorChoice[] = [];
  const refused: Refused[] = [];
  for (const name of new Set(offers.map((offer) => offer.name))) {
    const right: { readonly contender: Contender; readonly result: CheckResult | undefined }[] = [];
    for (const contender of offers.filter((offer) => offer.name === name)) {
      const result = await check(contender);
      if (result === undefined || result.passed) right.push({ contender, result });
      else refused.push({ contender, check: result });
    }
    const ranked = await rankCold(
      meter,
      right.map(({ contender }) => contender),
      numSets,
    );
    const [first] = ranked;
    if (first === undefined) continue;
    const cold = first.contender;
    const sustained =
      modes.includes("sustained") && first.us >= SUSTAINED_FROM_US
        ? await bestSustained(
            meter,
            ranked.map(({ contender }) => contender),
            numSets,
          )
        : cold;
    const layers = modes.includes("layers")
      ? await bestLayers(
          meter,
          ranked.map(({ contender }) => contender),
          numSets,
        )
      : cold;
    const result = right.find(({ contender }) => contender === cold)?.result;
    choices.push({ name, best: { cold, sustained, layers }, check: result });
  }
  return { choices, refused };
}

interface Ranked {
  readonly contender: Contender;
  readonly us: number;
}

async function rankCold(
  meter: Meter,
  contenders: readonly Contender[],
  numSets: number,
): Promise<readonly Ranked[]> {
  if (contenders.length === 1)
    return contenders.map((contender) => ({ contender, us: SUSTAINED_FROM_US }));
  const times = contenders.map((contender) => ({ contender, us: Number.POSITIVE_INFINITY }));
  for (let pass = 0; pass < COLD_PASSES; pass++) {
    for (const entry of pass % 2 === 0 ? times : [...times].reverse()) {
      const us = median(await meter.coldSamples(entry.contender, numSets, COLD));
      entry.us = Math.min(entry.us, us);
    }
  }
  return times.sort((a, b) => a.us - b.us);
}

async function bestSustained(
  meter: Meter,
  ranked: readonly Contender[],
  numSets: number,
): Promise<Contender> {
  const tried = ranked.slice(0, SUSTAINED_TRIED);
  const measured = await meter.sustained(tried, numSets, SUSTAINED);
  return fastest(
    tried,
    measured.map(({ rounds }) => median(rounds)),
  );
}

async function bestLayers(
  meter: Meter,
  ranked: readonly Contender[],
  numSets: number,
): Promise<Contender> {
  const times: number[] = [];
  for (const contender of ranked) {
    const measured = await meter.layers([contender], numSets, LAYERS);
    times.push(median(measured?.[0]?.rounds ?? []));
  }
  return fastest(ranked, times);
}

function fastest(contenders: readonly Contender[], us: readonly number[]): Contender {
  let best = 0;
  for (let i = 1; i < us.length; i++) if ((us[i] ?? Infinity) < (us[best] ?? Infinity)) best = i;
  const contender = contenders[best];
  if (contender === undefined) throw new RangeError("nothing to choose among");
  return contender;
}
