import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRunState } from "@/lib/engine/state";
import { applyRecord } from "@/lib/engine/reduce";
import { describeTrustEvent } from "@/lib/engine/labels/trust-event";
import { listTrustEvents } from "@/lib/engine/labels/trust-events";
import { anyVersion } from "@/lib/engine/testing/any-graph";
import { anyStep } from "@/lib/engine/testing/any-step";
import { engine, newRun, startBody, STARTER, user } from "@/lib/engine/testing/run";

const REFUSED = new Set(["access_denied", "token_refused", "opening_denied", "refused"]);

test("logs each refusal, promotion and untrusted write of a run once, and nothing else", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(anyVersion, fc.array(anyStep, { minLength: 10, maxLength: 40, size: "max" }), (published, steps) => {
      const run = newRun(published);
      run.propose(user(STARTER, "builder"), startBody(published, { topic: "plans", mail: "a", items: [1, 2], salary: 9, person: "Ada" }));
      run.propose(engine, { kind: "begin" });
      for (const step of steps) step(run);
      const { workspace, run: id, graphHash, policyHash } = run.state();
      let state = createRunState(workspace, id, graphHash, policyHash);
      for (const [index, signed] of run.records().entries()) {
        state = applyRecord(state, signed, run.values()[index] ?? []);
        const { record } = signed;
        const events = listTrustEvents(record, state);
        const of = (type: string) => events.filter((event) => event.type === type).map(({ path }) => path);
        expect(events.map((event) => event.index)).toEqual(events.map((_, place) => place));
        expect(events.filter(({ type }) => REFUSED.has(type))).toHaveLength(record.kind === "refusal" ? 1 : 0);
        expect(of("promotion")).toEqual(record.control.flatMap((event) => (event.type === "promoted" ? [event.to] : [])));
        const tainted = record.kind === "refusal" ? [] : record.writes.filter(({ label }) => label.integrity === "untrusted");
        expect(of("taint_assigned")).toEqual(tainted.map(({ path }) => path));
        expect(new Set(events.map(describeTrustEvent)).size).toBe(events.length);
        for (const { type } of events) reached.add(type);
      }
    }),
    // Reviewed writes are rare: 200 runs missed them once.
    { numRuns: 600 },
  );
  expect([...reached]).toEqual(expect.arrayContaining(["taint_assigned", "access_denied", "refused", "decision", "reviewed_assigned"]));
});
