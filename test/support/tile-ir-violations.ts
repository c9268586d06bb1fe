/** [test/support] Verifies a few lines of tile IR behind a fixed prelude and gives the findings as one string each. */
import { parseKernel } from "../../dsl/ir/parse.ts";
import { findViolations } from "../../dsl/ir/verify.ts";

const PRELUDE = `
  %i.0: i32 = const 1
  %f.1: f32 = const 0.5
  %b.2: bool = const true
  %x.3: f32[A=4, B=8] = const 1
  %v.4: f32[A=4] = const 1
  %n.5: i32[A=4] = const 1
  %m.6: bool[A=4] = const true
  %h.7: f16[A=4, B=8] = const 1
`;
const SIGNATURE = `kernel k(src: in f32[M, N=8], dst: out f32[M], both: inout i32[M], s: f32) dims(M) fixed(N=8)`;

/** Findings of a kernel whose body is the prelude and these lines, as "code message | seen | expected". */
export function violations(lines: string, signature = SIGNATURE): readonly string[] {
  const kernel = parseKernel(`${signature} {${PRELUDE}${lines}\n}\n`);
  return findViolations(kernel).map(
    (d) =>
      `${d.code} ${d.message.replace(/^tile IR: /, "").replace(/, in `.*`$/, "")} | ${d.seen} | ${d.expected}`,
  );
}
