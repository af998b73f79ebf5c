import { describe, expect, test } from "vitest";
import { traceOrigins } from "@/lib/engine/labels/origins";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { recordsOf } from "@/lib/engine/testing/entries";
import { atGate, atTriage, REVIEWER, STARTER } from "@/lib/engine/testing/run";

const opening = (records: readonly LedgerRecord[]): LedgerRecord => {
  const found = records.find(({ control }) => control.some(({ type }) => type === "gate_opened"));
  if (!found) throw new Error("no gate was opened");

  return found;
};

const settled = (records: readonly LedgerRecord[]): readonly number[] =>
  records.filter(({ control }) => control.some(({ type }) => type === "effect_settled")).map(({ seq }) => seq);

describe("origins of a gate's content", () => {
  test("are a tool's answers, and the starting record for the initiator", () => {
    const records = recordsOf(atGate());
    const gate = opening(records);
    const sources = [...new Set(records.flatMap(({ writes }) => writes.flatMap(({ label }) => label.provenance)))];
    const origins = traceOrigins(records, [gate.seq], sources);
    const tool = sources.find((source) => source.startsWith("mcp:")) ?? "";

    expect(origins[tool]).toMatchObject({ integrity: "untrusted", records: settled(records).toReversed().slice(0, 3) });
    expect(origins[`user:${STARTER}`]).toMatchObject({ records: [0] });
  });

  test("are unknown for sources that no dependency names", () => {
    const records = recordsOf(atGate());
    const origins = traceOrigins(records, [opening(records).seq], [`user:${REVIEWER}`, "mcp:missing/nothing", "toString"]);

    expect(origins).toEqual({});
  });

  test("exclude answers that the content does not rest on", () => {
    const records = recordsOf(atTriage());
    const [answer = -1] = settled(records);
    const tool =
      records.flatMap(({ writes }) => writes.flatMap(({ label }) => label.provenance)).find((from) => from.startsWith("mcp:")) ?? "";

    expect(traceOrigins(records, [answer], [tool])).toHaveProperty([tool]);
    expect(traceOrigins(records, [0], [tool])).toEqual({});
  });
});
