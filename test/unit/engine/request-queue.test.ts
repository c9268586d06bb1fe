/** [test/unit/engine] The queue gives its members in order, whoever left before. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Request } from "../../../engine/core.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import { RequestQueue } from "../../../engine/scheduler/request-queue.ts";

const params = resolveSampling({});

it("is a sorted list, under any order of comings and goings", () => {
  const actions = fc.array(
    fc.record({ kind: fc.constantFrom("push", "push", "pop", "leave", "again"), n: fc.nat(1000) }),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(actions, (list) => {
      const order = (a: Request, b: Request) => a.priority - b.priority || a.arrival - b.arrival;
      const queue = new RequestQueue(order);
      const members: Request[] = [];
      const gone: Request[] = [];
      for (const [i, { kind, n }] of list.entries()) {
        const member = members[n % Math.max(1, members.length)];
        if (kind === "push") {
          const request = new Request(String(i), [1], params, 0, { priority: n % 5 });
          request.arrival = i;
          queue.push(request);
          members.push(request);
        } else if (kind === "pop") {
          const first = queue.peek();
          expect(first).toBe([...members].sort(order)[0]);
          if (first !== undefined) gone.push(first);
          if (first !== undefined) expect(queue.delete(first)).toBe(true);
          if (first !== undefined) members.splice(members.indexOf(first), 1);
        } else if (kind === "leave" && member !== undefined) {
          expect(queue.delete(member)).toBe(true);
          expect(queue.delete(member)).toBe(false);
          members.splice(members.indexOf(member), 1);
          gone.push(member);
        } else if (kind === "again") {
          const back = gone.pop(); // as a request that was preempted
          if (back !== undefined) queue.push(back);
          if (back !== undefined) members.push(back);
        }
        expect(queue.length).toBe(members.length);
        expect(queue.peek()).toBe([...members].sort(order)[0]);
      }
    }),
  );
});
