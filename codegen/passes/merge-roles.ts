/**
 * [codegen/passes] `roles` where the target has none for them: one role, whose loads are copied ahead like any other's, with a remark that says why.
 * Each program gets a block of its own. Runs first; what it leaves has no shared memory and no barriers, or all of them.
 */
import {
  type Block,
  isExplicitOp,
  type Location,
  mapRegions,
  type Op,
  substitute,
  type TileKernel,
  UnsupportedError,
  type Value,
  ValueSource,
} from "../../dsl/index.ts";
import { findExplicit } from "../schedule/find-explicit.ts";
import type { PassContext } from "./pass.ts";
import { interleaveRoles, Obstacle } from "./roles/interleave-roles.ts";
import { TileBuilder } from "./tile-builder.ts";

const PASS = "merge-roles";

type WalkOp = Extract<Op, { kind: "walk" }>;

/** The program of this block, counted along axis 0 of the grid first. */
function programNumber(source: ValueSource, result: Value, loc: Location): readonly Op[] {
  const builder = new TileBuilder(source, loc);
  const at = (kind: "pid" | "num_programs", axis: 0 | 1 | 2): Value => {
    const made = builder.value(`${kind === "pid" ? "pid" : "programs"}${axis}`, "i32", []);
    builder.ops.push({ kind, result: made, axis, loc });
    return made;
  };
  const above = builder.binary("mul", at("num_programs", 1), at("pid", 2), "t");
  const row = builder.binary("add", at("pid", 1), above, "t");
  const before = builder.binary("mul", at("num_programs", 0), row, "t");
  const add: Op = { kind: "binary", fn: "add", result, a: at("pid", 0), b: before, loc };
  return [...builder.ops, add];
}

/** Loops over a block's programs as their one trip: a block for each program. */
function unwalk(block: Block, blocks: Value | undefined): Block {
  const by = new Map<number, Value>();
  const enter = (inner: Block): Block => ({
    ...inner,
    ops: inner.ops.flatMap((op): readonly Op[] => {
      if (op.kind !== "for" || op.step.id !== blocks?.id) return [mapRegions(op, enter)];
      const starts = new Map<number, Value>();
      for (const [i, param] of op.body.params.entries()) {
        const start = i === 0 ? op.lo : op.inits[i - 1];
        if (start !== undefined) starts.set(param.id, start);
      }
      const body = substitute(op.body, starts);
      for (const [i, result] of op.results.entries()) {
        const last = body.yields[i];
        if (last !== undefined) by.set(result.id, last);
      }
      return enter({ ...body, params: [], yields: [] }).ops;
    }),
  });
  const flat = enter(block);
  // What a loop gives may be what one inside of it gave.
  const last = (value: Value): Value => {
    const next = by.get(value.id);
    return next === undefined ? value : last(next);
  };
  return substitute(flat, new Map([...by].map(([id, value]) => [id, last(value)] as const)));
}

function merged(kernel: TileKernel, context: PassContext, why: string): TileKernel {
  const roles = kernel.body.ops.find((op) => op.kind === "roles");
  if (roles?.kind !== "roles") return kernel;
  const source = new ValueSource(kernel);
  const inside = interleaveRoles(kernel, roles);
  const walks = kernel.body.ops.filter((op): op is WalkOp => op.kind === "walk");
  const blocks = walks.find(({ what }) => what === "blocks")?.result;
  const ops = kernel.body.ops.flatMap((op): readonly Op[] => {
    if (op === roles) return inside;
    if (op.kind === "walk" && op.what === "first") return programNumber(source, op.result, op.loc);
    return isExplicitOp(op) ? [] : [op];
  });
  context.remark(PASS, `the roles are made one: ${why}`, roles.loc);
  return { ...kernel, body: unwalk({ ...kernel.body, ops }, blocks) };
}

/** @throws UnsupportedError TW2309 where the target has no roles for them and they cannot be shown to do the same as one */
export function mergeRoles(kernel: TileKernel, context: PassContext): TileKernel {
  const found = findExplicit(kernel, context);
  if (found === undefined || "found" in found) return kernel;
  try {
    return merged(kernel, context, found.obstacle);
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    throw new UnsupportedError({
      code: "TW2309",
      message: `the roles of ${kernel.name} can neither run side by side on ${context.target.arch ?? context.target.target} nor be made one`,
      seen: `${found.obstacle}; and ${error.why}`,
      expected:
        "roles for this target, or two roles whose loops make the same trips and whose uses are counted alike",
      remedy:
        "write the same bounds and the same count of uses in both roles, or give the target a kernel without roles()",
      location: error.op.loc,
    });
  }
}
