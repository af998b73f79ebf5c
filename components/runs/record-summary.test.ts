import { describe, expect, test } from "vitest";
import { CLEAN } from "@/lib/graph/label";
import { refuse } from "@/lib/refusal";
import { entriesOf } from "./entries";
import { summarizeAll, type RecordSummary } from "./record-summary";
import { batchOf, type TestRecord } from "./testing";

const RESERVATION = "00000000-0000-4000-8000-000000000003";

const summaryOf = (record: TestRecord): RecordSummary => {
  const [row] = summarizeAll(entriesOf(batchOf([record])));
  if (!row) throw new Error("no row");

  return row;
};

describe("a row of the record list", () => {
  test("of a refusal carries its code, its sentence and the ids it names", () => {
    expect(summaryOf({ refusal: refuse("key_protected", ["is_admin"]) })).toMatchObject({
      marker: "refusal",
      title: "key_protected",
      detail: "The key is protected, and this node may not change it. (is_admin)",
      integrity: null,
    });
  });

  test("of a model call carries tokens and cost", () => {
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

  test("is about the most telling event, and adds what came with it", () => {
    const usage = { model: "scripted:honest", input_tokens: 20, output_tokens: 3, cost_micro_usd: 150, price_source: "scripted" };
    const row = summaryOf({
      control: [
        { type: "budget_threshold", scope: "run", measure: "tokens", percent: 75 },
        { type: "model_called", node: "parse", activation: 1, task: "", step: 0, reservation_id: RESERVATION, usage },
      ],
    });

    expect(row).toMatchObject({ marker: "model", title: "Model call", detail: "scripted:honest · 75 % of the token budget is used" });
  });

  test("of a worst case that is set aside is a small one, unless more came of it", () => {
    const reserved = {
      type: "budget_reserved",
      reservation_id: RESERVATION,
      node: "parse",
      activation: 1,
      task: "voter.1",
      epoch: 1,
    } as const;
    const control = [{ ...reserved, tokens: 500, cost_micro_usd: 0 }];

    expect(summaryOf({ control })).toMatchObject({ isMinor: true, detail: "at most 500 tokens, $0.00 · voter.1" });
    expect(summaryOf({ control: [...control, { type: "status_changed", to: "failed", reason: null }] }).isMinor).toBe(false);
  });

  test("tells an undo from the effect that it undoes", () => {
    const settled = (outcome: "done" | "declined") =>
      summaryOf({ control: [{ type: "compensation_settled", effect_id: RESERVATION, outcome }] });

    expect(settled("done")).toMatchObject({ marker: "effect", title: "Undone" });
    expect(settled("declined")).toMatchObject({ marker: "rejected", title: "Not undone" });
  });

  test("carries the least trusted label of what was written", () => {
    const tainted = { ...CLEAN, integrity: "untrusted" } as const;
    const writes = [
      { path: "a", value: 1, label: CLEAN },
      { path: "b", value: 1, label: tainted },
    ];

    expect(summaryOf({ writes }).integrity).toBe("untrusted");
  });

  test("of something that is not a record says so", () => {
    const { records, cells } = batchOf([{}]);
    const [row] = summarizeAll(entriesOf({ cells, records: records.map((record) => ({ ...record, body: '{"v":2}' })) }));

    expect(row?.marker).toBe("malformed");
  });
});
