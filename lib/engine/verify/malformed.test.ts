import { describe, expect, it } from "vitest";
import type { ProposalBody } from "@/lib/engine/proposal";
import { atParse, getCode, executor } from "@/lib/engine/testing/run";

const LONE = "\ud800";

describe("a malformed body", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["text", "node_result"],
    ["without a kind", {}],
    ["with a kind that is no text", { kind: 7 }],
    ["with an unknown kind", { kind: "x".repeat(300) }],
    ["with half a character for a kind", { kind: LONE }],
    [
      "with half a character in a call's id",
      { kind: "effect_intent", activation: 0, call_id: LONE, server: "docs", tool: "read", arguments: {}, availability: "ok" },
    ],
    [
      "with half a character in a failure's code",
      { kind: "node_failure", activation: 0, code: LONE, retryable: false, detail: "", jitter: 0, retry_after_ms: null },
    ],
  ])("%s, is refused on record without crashing", (_what, body) => {
    const run = atParse();
    const records = run.records().length;
    // Foreign programs bypass types.
    expect(getCode(run.propose(executor("parse"), body as ProposalBody))).toBe("malformed");
    expect(run.records()).toHaveLength(records + 1);
    expect(run.records().at(-1)?.record.refusal?.code).toBe("malformed");
  });
});
