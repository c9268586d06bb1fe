/** [test/unit/codegen/protocol] A fault of each kind, planted in products by roles, by clusters and by groups of copies, is caught with its message. */
import { describe, expect, it } from "vitest";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { checkProtocol } from "../../../../codegen/passes/check-protocol.ts";
import { InternalError } from "../../../../dsl/index.ts";
import { contextOf } from "../passes/run-pass.ts";
import {
  doubleLine,
  dropLine,
  type Edit,
  editedKernel,
  moveLine,
  replace,
  scheduledText,
  withValue,
} from "./edit-protocol.ts";

const ROLES = "product-in-roles";
const GROUPS = "product-by-groups";
const CLUSTERS = "product-in-clusters";
const HALVES = "product-in-halves";
const LATE = "product-added-late";

/** Slot of the trip before, as the consumer's ring carries it. */
const LAST = /(%last\.\d+): i32 = %zero/;

/** Name, kernel, code, edit. */
const FAULTS: readonly (readonly [string, string, string, Edit])[] = [
  ["no wait for full", ROLES, "TW2102", dropLine(/mbarrier_wait full/)],
  ["no wait for empty", ROLES, "TW2103", dropLine(/mbarrier_wait empty/)],
  ["no arrival in the loop", ROLES, "TW2101", dropLine(/mbarrier_arrive empty/)],
  ["no arrival behind the loop", ROLES, "TW2101", dropLine(/mbarrier_arrive empty/, -1)],
  [
    "the other parity for full",
    ROLES,
    "TW2102",
    (text) =>
      text.replace(
        /^( *)(mbarrier_wait full\[%slot\.\d+\] parity )(%parity\.\d+)/m,
        "$1%bit.900: i32 = const 1\n$1%other.901: i32 = xor $3, %bit.900\n$1$2%other.901",
      ),
  ],
  [
    "the other parity for empty",
    ROLES,
    "TW2101",
    withValue(/xor (%parity\.\d+), %one/, (parity) =>
      replace(/(mbarrier_wait empty.* parity )%free\.\d+/, `$1${parity}`),
    ),
  ],
  [
    "a parity that never turns",
    ROLES,
    "TW2103",
    replace(/(%parity\.\d+: i32 = select %wraps\.\d+, )%parity\.\d+, (%parity\.\d+)/, "$1$2, $2"),
  ],
  ["too few bytes", ROLES, "TW2104", replace(/bytes 32768/, "bytes 16384")],
  ["too many bytes", ROLES, "TW2104", replace(/bytes 32768/, "bytes 32784")],
  ["no expected bytes", ROLES, "TW2101", dropLine(/mbarrier_expect/)],
  ["a copy without a partner", ROLES, "TW2104", dropLine(/copy b\[/)],
  ["an arrival before the dot_wait", ROLES, "TW2103", replace(/dot_wait 1 /, "dot_wait 2 ")],
  [
    "the wrong slot given back",
    ROLES,
    "TW2105",
    withValue(/mbarrier_wait full\[(%slot\.\d+)\]/, (slot) =>
      replace(/mbarrier_arrive empty\[%last\.\d+\]/, `mbarrier_arrive empty[${slot}]`),
    ),
  ],
  ["an arrival twice", ROLES, "TW2105", doubleLine(/mbarrier_arrive empty/)],
  ["too few arrivals", ROLES, "TW2105", replace(/init empty arrivals 2/, "init empty arrivals 1")],
  ["too many arrivals", ROLES, "TW2101", replace(/init empty arrivals 2/, "init empty arrivals 3")],
  [
    "a slot of the trip before",
    ROLES,
    "TW2111",
    withValue(LAST, (last) => replace(/shared b\[%slot\.\d+\]/, `shared b[${last}]`)),
  ],
  [
    "copies that signal another slot",
    ROLES,
    "TW2104",
    (text) => text.replace(/(copy b.*signal full)\[%slot\.\d+\]/, "$1"),
  ],
  ["one slot too few", ROLES, "TW2109", replace(/( {2}a: .*) stages 3 /, "$1 stages 2 ")],
  ["no init", ROLES, "TW2108", dropLine(/mbarrier_init full/)],
  ["no barrier after the init", ROLES, "TW2108", dropLine(/^ {2}barrier/)],
  ["an init behind the barrier", ROLES, "TW2108", moveLine(/^ {2}barrier/, /mbarrier_init empty/)],
  ["no dot_wait before the store", ROLES, "TW2107", dropLine(/dot_wait 0/)],
  [
    "accumulators that are not done",
    ROLES,
    "TW2107",
    replace(/dot_wait 0 done %acc\.\d+/, "dot_wait 0"),
  ],
  [
    "a ring that begins anew with each program",
    ROLES,
    "TW2103",
    replace(
      /yield (%slot\.\d+), (%parity\.\d+)\n {4}\}\n {2}\} consumer/,
      "yield %zero.41, %zero.41\n    }\n  } consumer",
    ),
  ],
  ["an arrival in one block alone", CLUSTERS, "TW2101", replace(/ everywhere/, "")],
  [
    "slots given back in one block alone",
    CLUSTERS,
    "TW2103",
    (text) =>
      text.replaceAll(" everywhere", "").replace("init empty arrivals 4", "init empty arrivals 2"),
  ],
  [
    "an init that the other block does not wait for",
    CLUSTERS,
    "TW2108",
    replace(/cluster_barrier/, "barrier"),
  ],
  ["a block that ends before the other", CLUSTERS, "TW2111", dropLine(/cluster_barrier/, -1)],
  ["no wait for copies", GROUPS, "TW2102", dropLine(/^ {4}wait/)],
  ["no barrier behind the wait", GROUPS, "TW2102", dropLine(/^ {4}barrier/)],
  ["a group too many under way", GROUPS, "TW2102", replace(/ {4}wait 1/, "    wait 2")],
  ["a group that is not closed", GROUPS, "TW2102", dropLine(/^ {2}commit/)],
  [
    "a copy to the slot that is read",
    GROUPS,
    "TW2102",
    withValue(/dot shared a\[(%slot\.\d+)\]/, (slot) =>
      replace(/copy a\[%fill\.\d+\]/, `copy a[${slot}]`),
    ),
  ],
  ["sums read before they are sent", HALVES, "TW2102", dropLine(/mbarrier_wait sent/)],
  ["sums sent over those of before", HALVES, "TW2105", dropLine(/mbarrier_wait taken/)],
  ["sums that nobody says are there", HALVES, "TW2101", dropLine(/mbarrier_arrive sent/)],
  ["places that are not given back", HALVES, "TW2101", dropLine(/mbarrier_arrive taken/)],
  [
    "a product given back while it runs",
    LATE,
    "TW2103",
    replace(/dot_wait 1 done/, "dot_wait 2 done"),
  ],
  [
    "the slot of the product that runs given back",
    LATE,
    "TW2105",
    (text) => {
      const [first, second] = [...text.matchAll(/mbarrier_arrive empty\[(%slot\.\d+)\]/g)];
      return text.replace(`${first?.[0]}`, `mbarrier_arrive empty[${second?.[1]}]`);
    },
  ],
  ["the last product not waited for", LATE, "TW2107", dropLine(/dot_wait 0/)],
  ["scratch in the ring's bytes without a barrier", GROUPS, "TW2103", dropLine(/^ {2}barrier/)],
];

function messageOf(
  kernel: string,
  edit: Edit,
): { readonly code: string; readonly message: string } {
  try {
    checkProtocol(editedKernel(kernel, edit), contextOf());
  } catch (error) {
    if (error instanceof InternalError) return error;
    throw error;
  }
  return { code: "none", message: "the protocol holds" };
}

describe("check-protocol", () => {
  it.each([
    [ROLES, "the protocol holds for 0 to 5 trips, 0 to 3 programs a block"],
    [CLUSTERS, "the protocol holds for 0 to 5 trips, 0 to 3 programs a block"],
    [HALVES, "the protocol holds for 0 to 5 trips, 0 to 3 programs a block"],
    [LATE, "the protocol holds for 0 to 5 trips, 0 to 3 programs a block"],
    ["product-held-back", "the protocol holds for 0 to 5 trips, 0 to 3 programs a block"],
    [GROUPS, "the protocol holds for 0 to 5 trips"],
  ])("lets %s pass", (name, remark) => {
    const context = contextOf();
    const kernel = parseScheduled(scheduledText(name));
    expect(checkProtocol(kernel, context)).toBe(kernel);
    expect(context.remarks.map(({ message }) => message)).toEqual([remark]);
  });

  it.each(FAULTS)("catches %s (%s)", async (name, kernel, code, edit) => {
    const found = messageOf(kernel, edit);
    expect(found.code, found.message).toBe(code);
    const file = `${kernel} ${name}`.replaceAll(" ", "-").replaceAll("'", "");
    await expect(`${found.message}\n`).toMatchFileSnapshot(`messages/${file}.txt`);
  });
});
