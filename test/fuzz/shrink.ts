/** [test/fuzz] Makes a failing program smaller while it still fails in the same way. Runs nothing itself. */
import type { Body, Code, Program, Step, Value } from "./program.ts";
import { isFloatType, within } from "./ranges.ts";
import { sameType } from "./scope.ts";

/** Rounds after which the smallest program so far will do. */
const MOST_ROUNDS = 60;

type Rename = (id: number) => number;

function renamedStep(step: Step, rename: Rename): Step {
  const code = ({ text, args }: Code): Code => ({ text, args: args.map(rename) });
  return {
    ...step,
    code: code(step.code),
    ...(step.simpler === undefined ? {} : { simpler: code(step.simpler) }),
    ...(step.starts === undefined ? {} : { starts: step.starts.map(rename) }),
    ...(step.bodies === undefined
      ? {}
      : {
          bodies: step.bodies.map(({ steps, yields }) => ({
            steps: steps.map((own) => renamedStep(own, rename)),
            yields: yields.map(rename),
          })),
        }),
  };
}

/** Every use of `from` becomes one of `to`. */
function substituted(program: Program, from: Value, to: number): Program {
  const rename: Rename = (id) => (id === from.id ? to : id);
  return {
    ...program,
    steps: program.steps.map((step) => renamedStep(step, rename)),
    outputs: program.outputs.map((value) => ({ ...value, id: rename(value.id) })),
    masks: program.masks.map((mask) => mask && { ...mask, id: rename(mask.id) }),
    counted: program.counted.map((count) => ({
      ...count,
      value: { ...count.value, id: rename(count.value.id) },
    })),
  };
}

function usedBy(step: Step): readonly number[] {
  const inBodies = (step.bodies ?? []).flatMap(({ steps, yields }) => [
    ...steps.flatMap(usedBy),
    ...yields,
  ]);
  return [...step.code.args, ...(step.starts ?? []), ...inBodies];
}

function liveSteps(steps: readonly Step[], wanted: ReadonlySet<number>): readonly Step[] {
  const used = new Set(wanted);
  const kept: Step[] = [];
  for (const step of [...steps].reverse()) {
    if (!step.results.some(({ id }) => used.has(id))) continue;
    const bodies = step.bodies?.map(
      (body): Body => ({
        ...body,
        steps: liveSteps(body.steps, new Set(body.yields)),
      }),
    );
    const live = bodies === undefined ? step : { ...step, bodies };
    for (const id of usedBy(live)) used.add(id);
    kept.unshift(live);
  }
  return kept;
}

/** What the program stores, or decides by where it stores. */
function valuesOf({ outputs, masks, counted }: Program): readonly Value[] {
  const chosen = masks.flatMap((mask, i) =>
    mask === undefined || i >= outputs.length ? [] : [mask],
  );
  return [...outputs, ...chosen, ...counted.map(({ value }) => value)];
}

/** Without steps and inputs that no output needs. */
function tidied(program: Program): Program {
  const wanted = valuesOf(program).map(({ id }) => id);
  const steps = liveSteps(program.steps, new Set(wanted));
  const texts = allSteps(steps).map(({ code }) => code.text);
  const isRead = (name: string): boolean => texts.some((text) => text.includes(`load(${name},`));
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const axes = new Set([
    ...allSteps(steps).flatMap(({ results }) => results.flatMap(({ type }) => type.axes)),
    ...["BM", "BN"],
  ]);
  return {
    ...program,
    steps,
    // M and N are bound by the first input, whether it is read or not.
    inputs: program.inputs.filter(({ name }, i) => i === 0 || isRead(name)),
    config: Object.fromEntries(
      Object.entries(program.config).filter(([name]) => axes.has(name) || words.has(name)),
    ),
  };
}

function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [
    step,
    ...(step.bodies ?? []).flatMap((body) => allSteps(body.steps)),
  ]);
}

/** The program with the step that gives `id` put in another form, wherever it stands. */
function replaced(program: Program, id: number, by: (step: Step) => readonly Step[]): Program {
  const walk = (steps: readonly Step[]): readonly Step[] =>
    steps.flatMap((step) => {
      if (step.results[0]?.id === id) return by(step);
      if (step.bodies === undefined) return [step];
      return [
        { ...step, bodies: step.bodies.map((body) => ({ ...body, steps: walk(body.steps) })) },
      ];
    });
  return { ...program, steps: walk(program.steps) };
}

/** A tile of ones, for values that may be one. */
function constantFor(value: Value): Code | undefined {
  const { dtype, axes } = value.type;
  if (dtype === "bool" || axes.length === 0 || value.range.bits < 0) return undefined;
  const one = isFloatType(dtype) && value.range.grain > 0 ? 0.5 : 1;
  return { text: `full("${dtype}", ${one}, ${axes.join(", ")})`, args: [] };
}

function smallerStep(program: Program, step: Step, known: ReadonlyMap<number, Value>): Program[] {
  const found: Program[] = [];
  const [first] = step.results;
  if (first === undefined) return [];
  for (const result of step.results) {
    const operands = [...(step.starts ?? []), ...(step.kind === "value" ? step.code.args : [])];
    for (const id of new Set(operands)) {
      const operand = known.get(id);
      if (operand === undefined || !sameType(operand.type, result.type)) continue;
      if (within(operand.range, result.range)) found.push(substituted(program, result, id));
    }
  }
  if (step.kind === "if")
    for (const { steps, yields } of step.bodies ?? [])
      found.push(
        substituted(
          replaced(program, first.id, () => steps),
          first,
          yields[0] ?? first.id,
        ),
      );
  const { simpler } = step;
  if (simpler !== undefined && simpler.text !== step.code.text)
    found.push(replaced(program, first.id, () => [{ ...step, code: simpler }]));
  const constant = step.kind === "value" ? constantFor(first) : undefined;
  if (constant !== undefined && !step.code.text.startsWith("full("))
    found.push(replaced(program, first.id, () => [{ ...step, code: constant }]));
  return found;
}

function smallerSizes(program: Program): Program[] {
  const found: Program[] = [];
  const { dims, config, n } = program;
  for (const [dim, size] of Object.entries(dims))
    for (const less of new Set([1, size >> 1, size - 1]))
      if (less > 0 && less < size) found.push({ ...program, dims: { ...dims, [dim]: less } });
  // Axes that were renamed, split or fused change together or not at all: the front end refuses the rest.
  for (const size of new Set(Object.values(config))) {
    const halve = ([name, own]: readonly [string, number]) =>
      [name, own === size ? Math.max(1, size >> 1) : own] as const;
    if (size > 1)
      found.push({ ...program, config: Object.fromEntries(Object.entries(config).map(halve)) });
  }
  for (const [name, size] of Object.entries(config))
    if (size > 1) found.push({ ...program, config: { ...config, [name]: size >> 1 } });
  if (n > 0) found.push({ ...program, n: n - 1 });
  if (program.masks.some((mask) => mask !== undefined)) found.push({ ...program, masks: [] });
  if (program.inputs.some(({ packed }) => packed === true))
    found.push({
      ...program,
      inputs: program.inputs.map(({ packed: _, ...input }) => input),
    });
  if (program.specialize.length > 0) found.push({ ...program, specialize: [] });
  return found;
}

/** Programs that are a little smaller, the boldest steps first. */
export function smallerPrograms(program: Program): readonly Program[] {
  const found: Program[] = [];
  if (program.outputs.length + program.counted.length > 1) {
    for (const [i, value] of program.outputs.entries())
      found.push({ ...program, outputs: [value], masks: [program.masks[i]], counted: [] });
    if (program.counted.length > 0) found.push({ ...program, outputs: [], masks: [] });
  }
  const steps = allSteps(program.steps);
  const known = new Map(
    steps.flatMap(({ results }) => results.map((value) => [value.id, value] as const)),
  );
  for (const step of [...steps].reverse()) found.push(...smallerStep(program, step, known));
  found.push(...smallerSizes(program));
  return found.map(tidied);
}

/**
 * @param failing for each program whether it fails as the first one did
 * @returns a program none of whose smaller ones fails, or what was reached after many rounds
 */
export async function shrink(
  program: Program,
  failing: (programs: readonly Program[]) => Promise<readonly boolean[]>,
  batch: number,
): Promise<Program> {
  let best = program;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const smaller = smallerPrograms(best);
    let found: Program | undefined;
    for (let at = 0; at < smaller.length && found === undefined; at += batch) {
      const group = smaller.slice(at, at + batch);
      const verdicts = await failing(group);
      found = group.find((_, i) => verdicts[i] === true);
    }
    if (found === undefined) return best;
    best = found;
  }
  return best;
}
