/** [codegen/ir] Which register arrays a thread kernel indexes by something else than constants. */
import type { RegSlice, Stmt } from "./thread.ts";
import { readSlices, stmtExprs, walkExpr, walkStmts, writtenSlices } from "./visit-thread.ts";

/** Names of the arrays that some expression or statement reads or writes by an index that is no constant. */
export function varyinglyIndexed(body: readonly Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  const see = ({ name, index }: RegSlice): void => {
    if (index !== undefined && index.kind !== "const") names.add(name);
  };
  walkStmts(body, (stmt) => {
    for (const { slice } of [...writtenSlices(stmt), ...readSlices(stmt)]) see(slice);
    stmtExprs(stmt, (expr) =>
      walkExpr(expr, (e) => {
        if (e.kind === "reg") see(e);
      }),
    );
  });
  return names;
}
