import { describe, expect, test } from "vitest";
import { parseEntries, hiddenEntriesOf } from "@/lib/engine/testing/entries";
import { atGate, atParse, atTriage, decideAs, intent, result, REVIEWER, update, user, type TestRun } from "@/lib/engine/testing/run";
import { getClearance, canBeShown } from "@/lib/engine/approvals/policy";
import type { LedgerEntry } from "@/lib/engine/timeline";
import { buildStepTest } from "./step-test";

const last = (run: TestRun): number => run.state().version - 1;

const shownTo = (run: TestRun, role: "viewer" | "reviewer"): LedgerEntry[] => {
  const clearance = getClearance({ role, auditor: false });

  return parseEntries(run).map(({ signed, values }) => ({
    signed,
    values: values.map((value, index) => {
      const label = signed.record.writes[index]?.label;

      return label && canBeShown(label, clearance) ? value : undefined;
    }),
  }));
};

describe("a step test", () => {
  test("is created for every record or says why not, and always passes", () => {
    const run = atGate();
    decideAs(run, user(REVIEWER), "approve");
    const made = parseEntries(run).map((_entry, seq) => [
      run.records()[seq]?.record.proposal_kind,
      buildStepTest(run.published, parseEntries(run), seq).ok,
    ]);

    for (const kind of ["start", "begin", "effect_intent", "effect_outcome", "node_result", "decision"])
      expect(made).toContainEqual([kind, true]);
  });

  test("of a refusal names the rule, and includes the proposal only for readers who may see it", () => {
    const run = atParse();
    run.work(result(update("is_admin", "canary-Rotkehlchen-31")));
    const whole = buildStepTest(run.published, parseEntries(run), last(run));
    const shown = buildStepTest(run.published, shownTo(run, "viewer"), last(run));

    expect(whole.ok && whole.value).toContain("is refused with");
    expect(whole.ok && whole.value).toContain("The proposal is the one that was made");
    expect(whole.ok && whole.value).toContain("canary-Rotkehlchen-31");
    expect(shown.ok && shown.value).toContain("This one replaces it");
    expect(JSON.stringify(shown)).not.toContain("canary-Rotkehlchen-31");
  });

  test("is refused with a reason when it needs a hidden value, which it never contains", () => {
    const run = atTriage();
    run.work(intent("crm", "update", { plan: "canary-Zaunkoenig-77" }));
    const outcomes = run.records().map((_record, seq) => buildStepTest(run.published, hiddenEntriesOf(run), seq));

    expect(outcomes.some((outcome) => !outcome.ok && outcome.error.includes("hidden from you"))).toBe(true);
    expect(JSON.stringify(outcomes)).not.toContain("canary-Zaunkoenig-77");
    expect(JSON.stringify(outcomes)).not.toContain("hello");
  });
});
