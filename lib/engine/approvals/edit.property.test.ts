/** Calls need enough approvers besides their author, in any order of edits. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { findAside, getKnownValue, ownEntry } from "@/lib/engine/state";
import { editAs, sendBackAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, decideAs, intent, REVIEWER, SECOND, settle, user, uuid, type TestRun } from "@/lib/engine/testing/run";

const people = [REVIEWER, SECOND, uuid(99)].map((id) => user(id));
const PLANS = ["team", "free", "a"];

type Step = (run: TestRun) => void;

const open = (run: TestRun): boolean => Object.values(run.state().gates).some(({ status }) => status === "open");

const person = fc.constantFrom(...people);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(person, fc.constantFrom(...PLANS)).map(
    ([by, plan]): Step =>
      (run) =>
        void (open(run) && editAs(run, by, { arguments: { plan } })),
  ),
  person.map(
    (by): Step =>
      (run) =>
        void (open(run) && decideAs(run, by)),
  ),
  person.map(
    (by): Step =>
      (run) =>
        void (open(run) && sendBackAs(run, by)),
  ),
  fc.constantFrom(...PLANS).map(
    (plan): Step =>
      (run) =>
        void run.work(intent("crm", "update", { plan })),
  ),
  fc.constant<Step>((run) => {
    if (Object.values(run.state().effects).some(({ outcome }) => outcome === null)) settle(run, { ok: true });
  }),
  fc.constant<Step>((run) => run.underPolicy(run.state().policyHash.replace(/^./u, (first) => (first === "0" ? "1" : "0")))),
);

test("an edit never releases anything without enough approvals besides its editor's", () => {
  const found = fc.check(
    fc.property(fc.integer({ min: 1, max: 2 }), fc.array(step, { maxLength: 14 }), (quorum, steps) => {
      const config = { prompt: "?", for_node: "write", quorum, review_keys: [] };
      const run = atGate(publishWith({ nodes: nodesWith("ask", { config }) }));
      for (const each of steps) each(run);
      const { gates, effects } = run.state();
      const used = new Set<string>();

      return Object.values(effects)
        .filter(({ effect }) => effect.tool === "update")
        .every(({ effect_id: id, approval_id: approval }) => {
          const allowed = approval === null ? undefined : ownEntry(gates, approval);
          if (!allowed || used.has(allowed.gate.id)) return false;
          used.add(allowed.gate.id);
          const approvers = allowed.decisions.filter(({ decision }) => decision === "approve").map(({ user: by }) => by);
          const alone = quorum === 1 && approvers.some((by) => allowed.gate.editors?.includes(by));
          const asked = getKnownValue(findAside(run.state(), `$pending.${allowed.gate.id}`).at(-1)) as { arguments: Json };
          const called = getKnownValue(findAside(run.state(), `$arguments.${id}`).at(-1)) ?? null;

          return new Set(approvers).size >= quorum && !alone && toCanonicalJson(asked.arguments) === toCanonicalJson(called);
        });
    }),
    { numRuns: 80 },
  );
  expect(found.counterexample).toBeNull();
});
