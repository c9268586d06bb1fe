/** [engine/layers] Which layers of a model share a page table, and which share the tensors of their caches. No pages, no tensors. */
import type { KvGroup } from "../kv/page-group.ts";
import type { MixerConfig } from "./blocks.ts";
import { cacheShapes } from "./cache-shapes.ts";

export interface PageLayout {
  /** Groups of layers, each with a page table of its own; the first of them keeps the most. */
  readonly groups: readonly KvGroup[];
  /** Of each layer: its group, and its place among the tensors. */
  readonly places: readonly LayerPlace[];
  /** What the tensors hold: a layer stands for all of that place. Those of states are by themselves beside others. */
  readonly tensors: readonly CacheTensor[];
}

export interface LayerPlace {
  readonly group: number;
  readonly tensor: number;
}

export interface CacheTensor {
  readonly layer: MixerConfig;
  /** Its first dim is a slot of a sequence, counted apart from the pages of positions. */
  readonly isOfStates: boolean;
}

/** More of them cost the host more than their pages are worth. */
const MOST_GROUPS = 8;

/** Layers that keep the same. */
interface Kind {
  readonly group: KvGroup;
  readonly layers: number[];
}

/**
 * Layers that keep keys and values of one shape are shared out to groups of one size, at most one kind of past in each: then a page
 * has one size whatever it is taken for, and what windows leave behind serves layers without one. Layer i of every group lies in the same tensors.
 * @param maxModelLen windows that no sequence leaves are none
 * @source the hybrid cache manager of vLLM, as described in its design documents
 */
export function pageLayout(layers: readonly MixerConfig[], maxModelLen: number): PageLayout {
  const kinds = kindsOf(layers, maxModelLen);
  const states = kinds.filter(({ group }) => group.kind === "state");
  const paged = kinds.filter(({ group }) => group.kind !== "state");
  const places: LayerPlace[] = [];
  const groups: KvGroup[] = [];
  const tensors: CacheTensor[] = [];
  const put = (group: KvGroup, members: readonly number[], firstTensor: number, kind: boolean) => {
    members.forEach((layer, i) => {
      places[layer] = { group: groups.length, tensor: firstTensor + i };
      const [config] = [layers[layer]];
      if (config !== undefined) tensors[firstTensor + i] ??= { layer: config, isOfStates: kind };
    });
    groups.push(group);
  };
  const size = groupSize(paged.map((kind) => kind.layers.length));
  for (const { group, layers: members } of paged)
    for (let first = 0; first < members.length; first += size)
      put(group, members.slice(first, first + size), 0, false);
  for (const { group, layers: members } of states)
    put(group, members, tensors.length, paged.length > 0);
  return { groups, places, tensors };
}

/** Kinds of past, those without a window first. Where shapes differ, all that are not states are one. */
function kindsOf(layers: readonly MixerConfig[], maxModelLen: number): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  const shapes = new Set<string>();
  layers.forEach((layer, i) => {
    const group = pastOf(layer, maxModelLen);
    const key = group.kind === "window" ? `window ${group.window}` : group.kind;
    const kind = kinds.get(key) ?? { group, layers: [] };
    kind.layers.push(i);
    kinds.set(key, kind);
    if (group.kind !== "state")
      shapes.add(JSON.stringify(cacheShapes(layer, { dtype: "f32", numPages: 1, pageSize: 1 })));
  });
  const all = [...kinds.values()].sort((a, b) => reach(b.group) - reach(a.group));
  const paged = all.filter(({ group }) => group.kind !== "state");
  const [longest] = paged;
  if (shapes.size <= 1 || longest === undefined) return all;
  const together = paged.flatMap((kind) => kind.layers).sort((a, b) => a - b);
  return [
    { group: longest.group, layers: together },
    ...all.filter(({ group }) => group.kind === "state"),
  ];
}

function pastOf(layer: MixerConfig, maxModelLen: number): KvGroup {
  switch (layer.kind) {
    case "attention": {
      const hasWindow = layer.window > 0 && layer.window < maxModelLen;
      return hasWindow ? { kind: "window", window: layer.window } : { kind: "full" };
    }
    case "latent-attention":
      return { kind: "full" };
    case "state-space":
      return { kind: "state" };
    default:
      return layer satisfies never;
  }
}

/** Positions that a group looks back; states come last. */
function reach(group: KvGroup): number {
  switch (group.kind) {
    case "full":
      return Number.POSITIVE_INFINITY;
    case "window":
      return group.window;
    case "state":
      return 0;
    default:
      return group satisfies never;
  }
}

/** Layers of a group: those of the rarest kind, unless that makes too many groups. */
function groupSize(counts: readonly number[]): number {
  let size = Math.max(1, Math.min(...counts));
  while (counts.reduce((sum, count) => sum + Math.ceil(count / size), 0) > MOST_GROUPS) size++;
  return size;
}
