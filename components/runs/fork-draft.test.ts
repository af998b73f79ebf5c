import { describe, expect, test } from "vitest";
import { EMPTY_DRAFT, FORK_FIELDS, FORK_KINDS, forkChangeOf, type ForkDraft } from "./fork-draft";

const ID = "00000000-0000-4000-8000-000000000001";
const draft = (kind: ForkDraft["kind"], subject = "", text = ""): ForkDraft => ({ kind, subject, text });

describe("forkChangeOf", () => {
  test.each([
    [EMPTY_DRAFT, { type: "none" }],
    [draft("model", " scripted:honest "), { type: "model", model: "scripted:honest" }],
    [draft("memory", "request.plan", '"team"'), { type: "memory", path: "request.plan", value: "team" }],
    [draft("input", "topic", "{}"), { type: "input", path: "topic", value: {} }],
    [draft("prompt", "parser", "Be brief. "), { type: "prompt", agent: "parser", system_prompt: "Be brief. " }],
    [draft("version", "a".repeat(64)), { type: "version", graph_hash: "a".repeat(64) }],
    [draft("strict_taint", "", "true"), { type: "strict_taint", value: true }],
    [draft("route", "free"), { type: "route", edge: "free" }],
    [draft("tool_result", ID, "null"), { type: "tool_result", effect_id: ID, result: null }],
    [draft("decision", ID, "reject"), { type: "decision", approval_id: ID, decision: "reject" }],
  ])("is exactly the filled-in change", (filled, change) => {
    expect(forkChangeOf(filled)).toEqual({ ok: true, value: change });
  });

  test.each([
    [draft("model"), "Model is missing or invalid"],
    [draft("memory", "request", "team"), "Value (JSON) is missing or invalid"],
    [draft("memory", "_status", "1"), "Path is missing or invalid"],
    [draft("decision", ID, "maybe"), "Decision is missing or invalid"],
  ])("or a sentence about the field that is wrong", (filled, sentence) => {
    expect(forkChangeOf(filled)).toEqual({ ok: false, error: sentence });
  });

  test("handles every kind of change", () => {
    expect(FORK_KINDS.map(({ value }) => value).toSorted()).toEqual(Object.keys(FORK_FIELDS).toSorted());
  });
});
