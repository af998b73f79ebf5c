import { describe, expect, it, test } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { listToSee } from "@/lib/engine/approvals/view-parts";
import { getViewingPath, type Viewing } from "@/lib/engine/approvals/viewing";
import { atGate, decision, getCode, openGate, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";

const toSeeAt = (run: TestRun): number => listToSee(buildApprovalView(run.published, run.state(), openGate(run), "pii")).length;

const decideWith = (run: TestRun, viewing: Viewing, choice: "approve" | "reject" = "approve") =>
  run.propose(user(REVIEWER), { ...decision(run, user(REVIEWER), choice), viewing });

describe("what a reviewer had seen", () => {
  it("is a cell of the decision's record, with the number of signals shown", () => {
    const run = atGate();
    const [toSee, { gate }] = [toSeeAt(run), openGate(run)];
    const { signals } = buildApprovalView(run.published, run.state(), openGate(run), "pii");
    expect(toSee).toBeGreaterThan(0);
    expect(getCode(decideWith(run, { open_ms: 5_000, opened: toSee - 1, unopened: 1 }))).toBe("accepted");
    const record = run.records().findLast((one) => one.record.control.some(({ type }) => type === "decision_made"))?.record;
    const at = record?.writes.findIndex(({ path }) => path === getViewingPath(gate.id)) ?? -1;
    const value = run.values()[record?.seq ?? -1]?.[at];
    expect(value).toEqual({ open_ms: 5_000, opened: toSee - 1, unopened: 1, signals: signals.length });
    expect(record?.writes[at]?.label).toEqual({ integrity: "trusted", confidentiality: "internal", provenance: [`user:${REVIEWER}`] });
  });

  it("adds nothing to the event, whose form earlier verifiers know", () => {
    const run = atGate();
    decideWith(run, { open_ms: 0, opened: toSeeAt(run), unopened: 0 });
    const made = run.records().flatMap(({ record }) => record.control.filter(({ type }) => type === "decision_made"))[0];
    expect(Object.keys(made ?? {}).toSorted()).toEqual(["approval_id", "decision", "type", "user", "view_digest"]);
  });

  test.each([-1, 1])("must add up to the values of the view (%d)", (by) => {
    const run = atGate();
    expect(getCode(decideWith(run, { open_ms: 0, opened: 0, unopened: toSeeAt(run) + by }))).toBe("view_mismatch");
  });

  it("is not part of a rejection", () => {
    const run = atGate();
    expect(getCode(decideWith(run, { open_ms: 0, opened: toSeeAt(run), unopened: 0 }, "reject"))).toBe("view_mismatch");
  });

  it("need not be told by programs, and then leaves no cell", () => {
    const run = atGate();
    run.propose(user(REVIEWER), decision(run, user(REVIEWER)));
    expect(run.state().aside.some(({ path }) => path.startsWith("$viewing."))).toBe(false);
  });
});
