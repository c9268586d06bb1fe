/** [codegen/ir] Reads the effects of warps with roles back from their text, which print-roles.ts writes. */
import type { Location, TokenReader } from "../../dsl/index.ts";
import type { ScheduledReader } from "./parse-scheduled-values.ts";
import type { SOp, SValue } from "./scheduled.ts";

/** Of a block in its cluster. */
function readRank(t: TokenReader): 0 | 1 {
  const rank = ([0, 1] as const).find((n) => n === t.peekNumber());
  if (rank === undefined) return t.fail("unknown rank in a cluster", "0 or 1");
  t.take();
  return rank;
}

export function readRoleEffect(r: ScheduledReader, loc: Location): SOp | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("mbarrier_init")) {
    const barrier = t.name("a buffer");
    return { kind: "mbarrier_init", barrier, arrivals: r.number("arrivals"), loc };
  }
  if (t.accept("mbarrier_wait")) {
    const on = r.ref();
    t.expect("parity");
    const parity = r.use();
    const cluster = t.accept("cluster") ? ({ cluster: true } as const) : {};
    return { kind: "mbarrier_wait", on, parity, ...cluster, loc };
  }
  if (t.accept("programs_done")) {
    t.expect("of");
    return { kind: "programs_done", blocks: r.use(), loc };
  }
  if (t.accept("post")) {
    const into = r.ref();
    const word = r.number("word");
    t.expect("=");
    return { kind: "post", into, word, value: r.use(), loc };
  }
  if (t.accept("cluster_barrier")) return { kind: "cluster_barrier", loc };
  if (t.accept("wait_previous")) return { kind: "wait_previous", loc };
  if (t.accept("mbarrier_arrive")) {
    const on = r.ref();
    const everywhere = t.accept("everywhere") ? ({ everywhere: true } as const) : {};
    const warps = t.accept("warps") ? ({ warps: true } as const) : {};
    const rank = t.accept("of") ? { rank: readRank(t) } : {};
    return { kind: "mbarrier_arrive", on, ...everywhere, ...warps, ...rank, loc };
  }
  if (t.accept("send_tile")) {
    const value = r.use();
    t.expect("into");
    const into = t.name("a buffer");
    t.expect("of");
    return { kind: "send_tile", value, into, rank: readRank(t), loc };
  }
  if (t.accept("mbarrier_expect"))
    return { kind: "mbarrier_expect", on: r.ref(), bytes: r.number("bytes"), loc };
  if (!t.accept("dot_wait")) return undefined;
  const pending = t.number("pending dots");
  const behind = t.accept("behind") ? { behind: r.use() } : {};
  const done: SValue[] = [];
  if (t.accept("done")) {
    do done.push(r.use());
    while (t.accept(","));
  }
  return { kind: "dot_wait", pending, done, ...behind, loc };
}
