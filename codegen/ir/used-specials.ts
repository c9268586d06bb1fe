/** [codegen/ir] Which indices of the machine a thread kernel reads. */
import type { Expr, Stmt } from "./thread.ts";
import { stmtExprs, walkExpr, walkStmts } from "./visit-thread.ts";

export type Special = Extract<Expr, { readonly kind: "special" }>["name"];

const ORDER: Readonly<Record<Special, number>> = {
  thread: 0,
  lane: 1,
  warp: 2,
  pid0: 3,
  pid1: 4,
  pid2: 5,
  programs0: 6,
  programs1: 7,
  programs2: 8,
  grid0: 9,
  grid1: 10,
  grid2: 11,
  rank: 12,
};

/** Every special that the body reads, once each, in a fixed order. */
export function usedSpecials(body: readonly Stmt[]): readonly Special[] {
  const used = new Set<Special>();
  walkStmts(body, (stmt) => {
    if (stmt.kind === "roles") {
      used.add("warp");
      used.add("thread");
    }
    stmtExprs(stmt, (expr) =>
      walkExpr(expr, (e) => {
        if (e.kind === "special") used.add(e.name);
      }),
    );
  });
  return [...used].sort((a, b) => ORDER[a] - ORDER[b]);
}
