import { describe, expect, test } from "vitest";
import { parseEntries } from "@/components/runs/entries";
import { ID_NAMES } from "@/components/runs/node-names";
import { toBatch, type TestRecord } from "@/components/runs/testing";
import { refuse } from "@/lib/refusal";
import { atGate, openGate } from "@/lib/engine/testing/run";
import { listAttempts } from "./attempts";

const refusedAt = (node: string | null, code: Parameters<typeof refuse>[0]): TestRecord => ({
  node,
  refusal: refuse(code, ["is_admin"], ["update_memory:note"]),
});
const attemptsOf = (records: readonly TestRecord[]) => listAttempts(parseEntries(toBatch(records)), ID_NAMES);

describe("refused proposals", () => {
  test("groups refusals by node and rule, ordered by the first attempt", () => {
    const { refused } = attemptsOf([
      refusedAt("parse", "write_not_granted"),
      refusedAt("send", "tool_not_granted"),
      { node: "parse" },
      refusedAt("parse", "write_not_granted"),
      refusedAt(null, "role_missing"),
    ]);

    expect(refused.map(({ title, code, attempts }) => [title, code, attempts.map(({ seq }) => seq)])).toEqual([
      ["parse", "write_not_granted", [0, 3]],
      ["send", "tool_not_granted", [1]],
      ["Run", "role_missing", [4]],
    ]);
    expect(refused[0]?.attempts[0]?.refusal).toEqual({ code: "write_not_granted", ids: ["is_admin"], legal: ["update_memory:note"] });
  });

  test("includes rejected and expired gates, and excludes approved ones", () => {
    const { gate } = openGate(atGate());
    const opened: TestRecord = { control: [{ type: "gate_opened", gate }] };
    const resolved = (outcome: "approved" | "rejected" | "expired"): TestRecord => ({
      control: [{ type: "gate_resolved", approval_id: gate.id, outcome, receipt: null }],
    });

    expect(attemptsOf([opened, resolved("rejected")]).denied).toMatchObject([
      { seq: 1, askedAt: 0, title: gate.transition.node, outcome: "rejected" },
    ]);
    expect(attemptsOf([opened, resolved("expired")]).denied).toHaveLength(1);
    expect(attemptsOf([opened, resolved("approved")]).denied).toEqual([]);
  });
});
