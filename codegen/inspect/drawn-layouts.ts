/** [codegen/inspect] The register layouts of a scheduled kernel, element by element: who holds what. Data only. */
import { formatType } from "../../dsl/index.ts";
import { formatRegisterLayout, namedLayouts } from "../ir/print-scheduled.ts";
import type { SBlock, ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledRegions, scheduledResults } from "../ir/visit-scheduled.ts";
import { type Holder, holdersOf } from "../layout/apply-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { extentOf, layoutKey, registerCount, replicationOf } from "../layout/register-layout.ts";
import type { SourcePlace } from "./located-lines.ts";
import { tileWindow } from "./tile-window.ts";

/** A value or a copy that lies so. */
export interface LayoutUser {
  readonly name: string;
  readonly place?: SourcePlace;
}

/** A cell of a drawing: the first place that holds the element. */
export interface LayoutCell extends Holder {
  /** Coordinates in the order of the layout's axes. */
  readonly at: readonly number[];
}

export interface DrawnLayout {
  /** As in the text of the scheduled IR: `L0`. */
  readonly name: string;
  readonly text: string;
  readonly users: readonly LayoutUser[];
  readonly registers: number;
  readonly lanes: number;
  readonly warps: number;
  /** Threads that hold each element. */
  readonly replication: number;
  readonly caption: string;
  readonly rows: readonly (readonly LayoutCell[])[];
}

function nameOf(value: SValue): string {
  const name = value.name === "" ? `%${value.id}` : `%${value.name}.${value.id}`;
  return `${name}: ${formatType(value.type)}`;
}

function placeOf(op: SOp): { readonly place?: SourcePlace } {
  const { file, line } = op.loc.span;
  return line < 1 ? {} : { place: { file, line } };
}

/** Users of layouts by the layout's key, in the order of the text. */
function findUsers(kernel: ScheduledKernel): ReadonlyMap<string, readonly LayoutUser[]> {
  const found = new Map<string, LayoutUser[]>();
  const add = (layout: RegisterLayout | undefined, user: LayoutUser): void => {
    if (layout === undefined) return;
    const key = layoutKey(layout);
    found.set(key, [...(found.get(key) ?? []), user]);
  };
  const enter = (block: SBlock): void => {
    for (const op of block.ops) {
      const place = placeOf(op);
      for (const value of scheduledResults(op))
        add(value.layout, { name: nameOf(value), ...place });
      if (op.kind === "copy") add(op.layout, { name: `copy into ${op.into.buffer}`, ...place });
      for (const region of scheduledRegions(op)) {
        for (const value of region.params) add(value.layout, { name: nameOf(value), ...place });
        enter(region);
      }
    }
  };
  enter(kernel.body);
  return found;
}

/** Every layout of the kernel's text, in the order of its names. */
export function drawnLayouts(kernel: ScheduledKernel): readonly DrawnLayout[] {
  const users = findUsers(kernel);
  return [...namedLayouts(kernel)].map(([name, layout]) => {
    const window = tileWindow(layout.axes);
    return {
      name,
      text: formatRegisterLayout(layout),
      users: users.get(layoutKey(layout)) ?? [],
      registers: registerCount(layout),
      lanes: extentOf(layout.lane),
      warps: extentOf(layout.warp),
      replication: replicationOf(layout),
      caption: window.caption,
      rows: window.rows.map((row) => row.map((at) => ({ at, ...firstHolder(layout, at) }))),
    };
  });
}

function firstHolder(layout: RegisterLayout, at: readonly number[]): Holder {
  return holdersOf(layout, at)[0] ?? { reg: 0, lane: 0, warp: 0 };
}
