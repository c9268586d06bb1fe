/** [codegen/analysis] How much memory traffic a layout wastes: sectors that a warp-wide access touches against those that it needs. */
import { coordinatesOf } from "../layout/apply-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { extentOf } from "../layout/register-layout.ts";

/** Bytes that memory moves at the least. @source CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory" */
const SECTOR_BYTES = 32;
const WARP = 32;

/**
 * @param fast the axis along which neighbours lie side by side in memory
 * @param width elements that a thread accesses at once
 * @returns 1 where every byte of every sector is used
 */
export function sectorWaste(
  layout: RegisterLayout,
  fast: string,
  width: number,
  elementBytes: number,
): number {
  const lanes = extentOf(layout.lane);
  const threads = Math.min(WARP, lanes * extentOf(layout.warp));
  const sectors = new Set<string>();
  const elements = new Set<string>();
  for (let thread = 0; thread < threads; thread++) {
    const at = { reg: 0, lane: thread % lanes, warp: Math.floor(thread / lanes) };
    const coordinates = coordinatesOf(layout, at);
    const row = coordinates.filter((_, i) => layout.axes[i]?.name !== fast).join();
    const column = coordinates[layout.axes.findIndex((axis) => axis.name === fast)] ?? 0;
    elements.add(`${row} ${column}`);
    const [first, last] = [column * elementBytes, (column + width) * elementBytes - 1];
    for (let sector = Math.floor(first / SECTOR_BYTES); sector * SECTOR_BYTES <= last; sector++)
      sectors.add(`${row} ${sector}`);
  }
  const needed = Math.ceil((elements.size * width * elementBytes) / SECTOR_BYTES);
  return sectors.size / needed;
}
