import { describe, expect, test } from "vitest";
import { CLEAN } from "@/lib/graph/label";
import { refuse } from "@/lib/refusal";
import { parseEntries } from "./entries";
import { summarizeAll, type RecordSummary } from "./record-summary";
import { toBatch, type TestRecord } from "./testing";

const RESERVATION = "00000000-0000-4000-8000-000000000003";

const summaryOf = (record: TestRecord): RecordSummary => {
  const [row] = summarizeAll(parseEntries(toBatch([record])));
  if (!row) throw new Error("no row");

  return row;
};

describe("summarize", () => {
  test("shows code, message and ids of a refusal", () => {
    expect(summaryOf({ refusal: refuse("key_protected", ["is_admin"]) })).toMatchObject({
      marker: "refusal",
      title: "key_protected",
      detail: "The key is protected, and this node may not change it. (is_admin)",
      integrity: null,
    });
  });

  test("shows tokens and cost of a model call", () => {
    const usage = { model: "scripted:honest", input_tokens: 20, output_tokens: 3, cost_micro_usd: 150, price_source: "scripted" };

    expect(
      summaryOf({
        control: [{ type: "model_called", node: "parse", activation: 1, task: "", step: 0, reservation_id: RESERVATION, usage }],
      }),
    ).toMatchObject({
      marker: "model",
      tokens: 23,
      costMicroUsd: 150,
    });
  });

  test("shows the event with the highest priority and mentions the others", () => {
    const usage = { model: "scripted:honest", input_tokens: 20, output_tokens: 3, cost_micro_usd: 150, price_source: "scripted" };
    const row = summaryOf({
      control: [
        { type: "budget_threshold", scope: "run", measure: "tokens", percent: 75 },
        { type: "model_called", node: "parse", activation: 1, task: "", step: 0, reservation_id: RESERVATION, usage },
      ],
    });

    expect(row).toMatchObject({ marker: "model", title: "Model call", detail: "scripted:honest · 75% of the token budget used" });
  });

  test("says where the decision was made that closed a request", () => {
    const approval = "00000000-0000-4000-8000-000000000004";
    const row = summaryOf({
      control: [
        {
          type: "decision_made",
          approval_id: approval,
          user: "00000000-0000-4000-8000-000000000005",
          decision: "reject",
          view_digest: "0".repeat(64),
          via: "mail",
        },
        { type: "gate_resolved", approval_id: approval, outcome: "rejected", receipt: null },
      ],
    });

    expect(row.detail).toBe("From e-mail");
  });

  test("makes a reservation a minor row, unless the record has other events", () => {
    const reserved = {
      type: "budget_reserved",
      reservation_id: RESERVATION,
      node: "parse",
      activation: 1,
      task: "voter.1",
      epoch: 1,
    } as const;
    const control = [{ ...reserved, tokens: 500, cost_micro_usd: 0 }];

    expect(summaryOf({ control })).toMatchObject({ isMinor: true, detail: "up to 500 tokens, $0.00 · voter.1" });
    expect(summaryOf({ control: [...control, { type: "status_changed", to: "failed", reason: null }] }).isMinor).toBe(false);
  });

  test("distinguishes a rollback from the effect it rolls back", () => {
    const settled = (outcome: "done" | "declined") =>
      summaryOf({ control: [{ type: "compensation_settled", effect_id: RESERVATION, outcome }] });

    expect(settled("done")).toMatchObject({ marker: "effect", title: "Rolled back" });
    expect(settled("declined")).toMatchObject({ marker: "rejected", title: "Not rolled back" });
  });

  test("shows the least trusted label of the writes", () => {
    const tainted = { ...CLEAN, integrity: "untrusted" } as const;
    const writes = [
      { path: "a", value: 1, label: CLEAN },
      { path: "b", value: 1, label: tainted },
    ];

    expect(summaryOf({ writes }).integrity).toBe("untrusted");
  });

  test("marks unreadable records", () => {
    const { records, cells } = toBatch([{}]);
    const [row] = summarizeAll(parseEntries({ cells, records: records.map((record) => ({ ...record, body: '{"v":2}' })) }));

    expect(row?.marker).toBe("malformed");
  });
});
