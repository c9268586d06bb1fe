/** [codegen/inspect] The drawings of a kernel's page: register layouts and shared memory as coloured tiles. HTML parts only. */

import { BANKS } from "../layout/shared-layout.ts";
import type { BankAccess, BankCell, DrawnBuffer } from "./drawn-buffers.ts";
import type { DrawnLayout, LayoutCell } from "./drawn-layouts.ts";
import { type Cell, escapeHtml, placeKey, tileHtml } from "./html.ts";
import type { SourcePlace } from "./located-lines.ts";

const LIGHTEST = 88;
const LIGHTNESS_STEP = 8;
const LIGHTNESS_STEPS = 4;

function placeText(place: SourcePlace | undefined): string {
  return place === undefined ? "" : placeKey(place);
}

/** Hue by lane, lightness by warp; without lanes that shuffle, hue by thread. */
function layoutCell({ lanes, warps }: DrawnLayout, cell: LayoutCell): Cell {
  const { at, lane, reg, warp } = cell;
  const turn = lanes > 1 ? lane / lanes : warp / warps;
  const step = lanes > 1 ? warp % LIGHTNESS_STEPS : 0;
  const who = lanes > 1 ? `warp ${warp}, lane ${lane}` : `thread ${warp}`;
  return {
    label: `${lanes > 1 ? lane : warp}:${reg}`,
    hue: Math.round(turn * 360),
    lightness: LIGHTEST - LIGHTNESS_STEP * step,
    title: `(${at.join(", ")}): ${who}, register ${reg}`,
    key: `${warp}:${lane}`,
  };
}

function layoutCard(layout: DrawnLayout): string {
  const { name, text, users, registers, lanes, warps, replication, caption, rows } = layout;
  const unit = lanes > 1 ? `${lanes} lanes, ${warps} warps` : `${warps} threads`;
  const copies =
    replication === 1 ? "" : `, each element in ${replication} threads (the first is shown)`;
  const legend = lanes > 1 ? "lane:register, hue by lane, darker by warp" : "thread:register";
  const lines = users.map(
    ({ name: user, place }) =>
      `<tr><td>${escapeHtml(user)}</td><td>${escapeHtml(placeText(place))}</td></tr>`,
  );
  return [
    `<section class="card" id="layout-${name}">`,
    `<h3>${name}: <code>${escapeHtml(text)}</code></h3>`,
    `<p class="facts">${registers} registers a thread, ${unit}${copies}. ${escapeHtml(caption)}. ${legend}.</p>`,
    tileHtml(rows.map((row) => row.map((cell) => layoutCell(layout, cell)))),
    `<details><summary>${users.length} values</summary><table class="uses">${lines.join("\n")}</table></details>`,
    "</section>",
  ].join("\n");
}

export function layoutsHtml(layouts: readonly DrawnLayout[]): string {
  if (layouts.length === 0) return '<section class="card">no tiles</section>';
  return layouts.map(layoutCard).join("\n");
}

function bankCell({ at, byte, bank }: BankCell): Cell {
  return {
    label: String(bank),
    hue: Math.round((bank / BANKS) * 360),
    lightness: LIGHTEST - LIGHTNESS_STEP,
    title: `(${at.join(", ")}): byte ${byte} of the slot, bank ${bank}`,
    key: String(bank),
  };
}

function accessRow({ op, place, lanes, bytesPerLane, conflicts }: BankAccess): string {
  const extra = conflicts === 0 ? "<td>none</td>" : `<td class="bad">${conflicts} more</td>`;
  return `<tr><td>${op}</td><td>${escapeHtml(placeText(place))}</td><td>${lanes} × ${bytesPerLane} bytes</td>${extra}</tr>`;
}

function bufferCard(buffer: DrawnBuffer): string {
  const { name, dtype, stages, strides, swizzle, stageBytes, byteOffset, aliasOf, accesses } =
    buffer;
  const facts = [
    `${stages} slot${stages === 1 ? "" : "s"} of ${stageBytes} bytes`,
    ...(byteOffset === undefined ? [] : [`from byte ${byteOffset}`]),
    ...(aliasOf === undefined ? [] : [`a view of ${aliasOf}`]),
    `strides ${strides.join(", ")}`,
    swizzle === undefined
      ? "no swizzle"
      : `swizzle of ${swizzle.bits} bits at ${swizzle.base}, by those ${swizzle.shift} above`,
    buffer.caption,
  ];
  const rows = accesses.map(accessRow);
  const head = "<tr><th>access</th><th>line</th><th>lanes</th><th>conflicts</th></tr>";
  return [
    `<section class="card" id="buffer-${escapeHtml(name)}">`,
    `<h3>${escapeHtml(name)}: ${dtype}</h3>`,
    `<p class="facts">${escapeHtml(facts.join("; "))}.</p>`,
    tileHtml(buffer.rows.map((row) => row.map(bankCell))),
    ...(rows.length === 0 ? [] : [`<table class="uses">${[head, ...rows].join("\n")}</table>`]),
    "</section>",
  ].join("\n");
}

export function buffersHtml(buffers: readonly DrawnBuffer[]): string {
  if (buffers.length === 0) return '<section class="card">none</section>';
  return buffers.map(bufferCard).join("\n");
}
