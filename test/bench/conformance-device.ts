/**
 * [test/bench] The conformance suite on one device, for machines without the test runner: `tsx test/bench/conformance-device.ts DEVICE [GROUP…]`.
 * `GROUP:TEXT` runs the cases of a group whose names start with TEXT, as in `kernels:moe_`.
 */
import { openDevice } from "../../index.ts";
import {
  CONFORMANCE_GROUPS,
  type ConformanceGroup,
  runConformance,
} from "../../runtime/conformance/catalogue.ts";

const FAILURES_SHOWN = 20;
const [name = "interpreter", ...asked] = process.argv.slice(2);
const device = await openDevice(name);
const counts: Record<
  string,
  { passed: number; failed: number; unsupported: number; worst: number; seconds: number }
> = {};
const failures: string[] = [];
const reasons = new Set<string>();
for (const wanted of asked.length === 0 ? Object.keys(CONFORMANCE_GROUPS) : asked) {
  const [group = "", start = ""] = wanted.split(":");
  const count = { passed: 0, failed: 0, unsupported: 0, worst: 0, seconds: 0 };
  const startedAt = performance.now();
  const request = {
    groups: [group as ConformanceGroup],
    filter: (test: { readonly name: string }) => test.name.startsWith(start),
  };
  for await (const result of runConformance(device, request)) {
    count[result.status]++;
    count.worst = Math.max(count.worst, result.worst);
    if (result.status === "failed")
      failures.push(`${group}/${result.case.name}: ${result.message}`);
    if (result.status === "unsupported") reasons.add(result.message.split("\n")[0] ?? "");
  }
  count.seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  counts[wanted] = count;
  process.stderr.write(
    `${wanted.padEnd(14)} ${count.passed} passed, ${count.failed} failed, ${count.unsupported} unsupported, worst ${count.worst.toFixed(3)} of the tolerance, ${count.seconds} s\n`,
  );
}
for (const failure of failures.slice(0, FAILURES_SHOWN))
  process.stderr.write(`${failure.slice(0, 600)}\n`);
for (const reason of reasons) process.stderr.write(`unsupported: ${reason}\n`);
process.stdout.write(
  `${JSON.stringify({ device: name, name: device.info.name, versions: device.info.versions, counts })}\n`,
);
await device.close();
process.exit(failures.length === 0 ? 0 : 1);
