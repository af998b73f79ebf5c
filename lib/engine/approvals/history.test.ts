import { describe, expect, it, test } from "vitest";
import { buildApprovalView, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import {
  compareWithHistory,
  findHistoryQuestion,
  getHistoryPath,
  historySchema,
  labelHistory,
  type PastCall,
} from "@/lib/engine/approvals/history";
import { decide } from "@/lib/engine/decide";
import { publishWith } from "@/lib/engine/testing/graph";
import { atParse, decideAs, intent, newRun, openGate, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";
import { getKnownValue } from "@/lib/engine/state";
import { CLEAN, type Classification, type Label } from "@/lib/graph/label";
import type { JsonObject } from "@/lib/json";

const past = (args: JsonObject, confidentiality: Classification = "internal"): PastCall => ({ args, label: { confidentiality } });

const NONE = { days: 90, amounts: [], counts: [], firsts: [] };

describe("the comparison with approved calls", () => {
  it("knows nothing without them but that this is the first", () => {
    expect(compareWithHistory({ credit_cents: 1_000_000, to: "a@b.example" }, [])).toEqual({ ...NONE, calls: 0 });
  });

  it("finds nothing outside in a call like the others", () => {
    const args = { credit_cents: 2_500, to: ["a@b.example"] };
    expect(compareWithHistory(args, [past(args), past({ credit_cents: 100 })])).toEqual({ ...NONE, calls: 2 });
  });

  test.each([
    ["a number", { credit_cents: 1_000_000 }, 1_000_000],
    ["a number sent as text", { credit_cents: "1000000" }, 1_000_000],
    ["a negative number", { credit_cents: -1_000_000 }, -1_000_000],
  ])("finds an amount above the largest: %s", (_what, args, value) => {
    expect(compareWithHistory(args, [past({ credit_cents: 25_000 }), past({ credit_cents: 100 })]).amounts).toEqual([
      { name: "credit_cents", value, largest: 25_000 },
    ]);
  });

  it("compares a nested amount with that of the same place in any item", () => {
    const items = (...cents: number[]) => ({ items: cents.map((price_cents) => ({ price_cents })) });
    expect(compareWithHistory(items(5, 900), [past(items(10, 20))]).amounts).toEqual([{ name: "items", value: 900, largest: 20 }]);
    expect(compareWithHistory({ other: { price_cents: 15 } }, [past(items(20))]).amounts).toHaveLength(1);
  });

  it("counts neither numbers that are no amounts nor an argument without history twice", () => {
    expect(compareWithHistory({ page: 9 }, [past({ page: 1 })]).amounts).toEqual([]);
  });

  it("finds a list longer than any", () => {
    const to = (count: number) => ({ to: Array.from({ length: count }, () => "a@b.example") });
    expect(compareWithHistory(to(40), [past(to(2))]).counts).toEqual([{ name: "to", value: 40, largest: 2 }]);
    expect(compareWithHistory(to(2), [past(to(2))]).counts).toEqual([]);
  });

  test.each([
    ["known, written otherwise", "A@b.example ", []],
    ["of a known domain", "z@b.example", [{ name: "to", domain: false }]],
    ["of a new domain", "a@b.example.evil.example", [{ name: "to", domain: true }]],
  ])("finds an address: %s", (_what, to, firsts) => {
    expect(compareWithHistory({ to }, [past({ cc: ["a@b.example"] })]).firsts).toEqual(firsts);
  });

  it("lets a new domain speak for its argument, and keeps to a bound", () => {
    const many = { to: ["z@b.example", "eve@evil.example"] };
    expect(compareWithHistory(many, [past({ to: "a@b.example" })]).firsts).toEqual([{ name: "to", domain: true }]);
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_none, index) => [`to${index}_email`, `e${index}@evil.example`]));
    expect(compareWithHistory(wide, [past({ to: "a@b.example" })]).firsts).toHaveLength(20);
  });

  it("is as confidential as the most confidential call in it", () => {
    const label: Label = { ...CLEAN, confidentiality: "public" };
    expect(labelHistory(label, [past({}, "internal"), past({}, "pii")]).confidentiality).toBe("pii");
    expect(labelHistory(label, []).confidentiality).toBe("public");
  });
});

const SCHEMA = {
  type: "object",
  properties: { credit_cents: { type: "integer", format: "money-cents" }, to: { type: "array" } },
};

const PUBLISHED = publishWith();
const GRAPH = { ...PUBLISHED, tools: PUBLISHED.tools.map((tool) => (tool.tool === "update" ? { ...tool, input_schema: SCHEMA } : tool)) };

/** Decides like a runner that knows these approved calls. */
const asking = (args: JsonObject, calls: readonly PastCall[], about: (digest: string) => string = (digest) => digest): TestRun => {
  const before = atParse(GRAPH);
  const run = newRun(
    GRAPH,
    (published, state, proposal) => {
      const verdict = decide(published, state, proposal);
      const question = verdict.ok ? findHistoryQuestion(verdict) : null;
      if (!question) return verdict;
      const history = compareWithHistory(question.args, calls);
      const argumentsDigest = about(question.gate.transition.effect?.arguments_digest ?? "");

      return decide(published, state, { ...proposal, history: { argumentsDigest, history, label: labelHistory(question.label, calls) } });
    },
    before.state(),
  );
  run.work(intent("crm", "update", args, "write"));

  return run;
};

const viewOf = (run: TestRun, clearance: Classification = "pii"): ApprovalView =>
  buildApprovalView(run.published, run.state(), openGate(run), clearance);
const historyOf = (view: ApprovalView) => view.signals.filter(({ code }) => /history|first/u.test(code));

describe("signals of history", () => {
  test.each([
    [25_000, "high", "Credit is 40 times the largest approved in this graph ($250.00 in 90 days)."],
    [400_000, "medium", "Credit is 2 times the largest approved in this graph ($4,000.00 in 90 days)."],
    [900_000, "medium", "Credit is above the largest approved in this graph ($9,000.00 in 90 days)."],
    [0, "medium", "Credit is above the largest approved in this graph ($0.00 in 90 days)."],
  ])("state the comparison with the largest approved amount (%d)", (largest, risk, text) => {
    const run = asking({ credit_cents: 1_000_000 }, [past({ credit_cents: largest })]);
    expect(historyOf(viewOf(run))).toEqual([{ code: "amount_history", risk, text }]);
  });

  it("tell a longer list, a new address and a first call", () => {
    const to = Array.from({ length: 30 }, (_none, index) => `e${index}@evil.example`);
    expect(historyOf(viewOf(asking({ to }, [past({ to: ["a@b.example"] })])))).toEqual([
      { code: "count_history", risk: "high", text: "To has 30 entries; the most approved in this graph were 1 in 90 days." },
      {
        code: "first_recipient",
        risk: "medium",
        text: "To has an address in a domain that no approved call of this graph had in 90 days.",
      },
    ]);
    expect(historyOf(viewOf(asking({ to }, [])))).toEqual([
      { code: "first_tool", risk: "low", text: "First use of this tool in this graph: no approved call in 90 days." },
    ]);
  });

  it("tell no value of other runs above the reader's clearance", () => {
    const run = asking({ credit_cents: 1_000_000 }, [past({ credit_cents: 25_000 }, "secret")]);
    expect(historyOf(viewOf(run))).toEqual([
      { code: "amount_history", risk: "high", text: "An amount is above the largest approved in this graph in 90 days." },
    ]);
    expect(JSON.stringify(viewOf(run))).not.toMatch(/250\.00|25000/u);
  });

  it("are part of the view that a decision names, and a cell of the run", () => {
    const run = asking({ credit_cents: 1_000_000 }, [past({ credit_cents: 25_000 })]);
    const cell = run.state().aside.find(({ path }) => path === getHistoryPath(openGate(run).gate.id));
    expect(historySchema.parse(getKnownValue(cell)).amounts).toEqual([{ name: "credit_cents", value: 1_000_000, largest: 25_000 }]);
    expect(JSON.stringify(run.records().at(-1)?.record)).not.toContain("25000");
    expect(decideAs(run, user(REVIEWER)).ok).toBe(true);
  });

  it("of another call are not stored", () => {
    const run = asking({ credit_cents: 1_000_000 }, [past({ credit_cents: 25_000 })], () => "0".repeat(64));
    expect(historyOf(viewOf(run))).toEqual([]);
  });
});
