import { describe, expect, test } from "vitest";
import type { GateState } from "@/lib/engine/state";
import { createRunState } from "@/lib/engine/state";
import { canDecide, explainBar } from "./can-decide";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const hash = "a".repeat(64);
const REVIEWER = { id: id(1), role: "reviewer" } as const;
const NOW_MS = 1_000;

const state = {
  ...createRunState(id(8), id(9), hash, hash),
  start: {
    type: "run_started",
    graph_id: "desk",
    initiator: id(2),
    author: id(3),
    model: "scripted:honest",
    max_iterations: 1,
    max_execution_time_ms: 1,
    max_token_budget: null,
    budget_micro_usd: null,
  },
} as const;

const gateState = (changes: Partial<GateState["gate"]> = {}, rest: Partial<GateState> = {}): GateState => ({
  gate: {
    id: id(4),
    node: "approve",
    reason: "approval_node",
    prompt: "?",
    transition: {
      workspace: id(8),
      run: id(9),
      graph_hash: hash,
      policy_hash: hash,
      node: "write",
      proposal_digest: hash,
      reads: [],
      overwrites: [],
      effect: null,
    },
    transition_digest: hash,
    review_keys: [],
    role: "reviewer",
    quorum: 1,
    nonce: id(5),
    opened_at: 0,
    expires_at: NOW_MS + 1,
    ...changes,
  },
  status: "open",
  decisions: [],
  receipt: null,
  usedBy: null,
  ...rest,
});

const codeFor = (viewer: Parameters<typeof canDecide>[2], gate = gateState(), nowMs = NOW_MS) => {
  const answer = canDecide(state, gate, viewer, nowMs);

  return answer.ok ? "ok" : answer.code;
};

describe("who may decide", () => {
  test("is a reviewer uninvolved in the run", () => {
    expect(codeFor(REVIEWER)).toBe("ok");
  });

  test.each([
    ["the run's starter", { ...REVIEWER, id: id(2) }, gateState(), "own_run"],
    ["the version's author alone", { ...REVIEWER, id: id(3) }, gateState(), "own_version"],
    ["a builder", { id: id(1), role: "builder" }, gateState(), "role_missing"],
    ["an admin", { id: id(1), role: "admin" }, gateState(), "role_missing"],
    ["anybody when it is resolved", REVIEWER, gateState({}, { status: "void" }), "approval_closed"],
    ["anybody when it has expired", REVIEWER, gateState({ expires_at: NOW_MS }), "approval_expired"],
    [
      "a reviewer who has decided",
      REVIEWER,
      gateState(
        { quorum: 2 },
        { decisions: [{ type: "decision_made", approval_id: id(4), user: id(1), decision: "approve", view_digest: hash }] },
      ),
      "duplicate_decision",
    ],
  ] as const)("is not %s", (_, viewer, gate, code) => {
    expect(codeFor(viewer, gate)).toBe(code);
  });

  test("excludes the driving token's owner, and reviewers who have not opened sealed values", () => {
    const answer = (drivers: readonly string[], sealed: number) =>
      canDecide({ ...state, drivers }, gateState(), REVIEWER, NOW_MS, { sealed });
    expect(answer([REVIEWER.id], 0)).toMatchObject({ ok: false, code: "own_run" });
    expect(answer([], 2)).toMatchObject({ ok: false, reason: "Open the sealed values before you decide." });
    expect(answer([], 0)).toEqual({ ok: true });
  });

  test("includes the version's author with a second decider", () => {
    const [author, two] = [{ ...REVIEWER, id: id(3) }, { quorum: 2 }];
    expect(codeFor(author, gateState(two))).toBe("ok");
    expect(explainBar(state, gateState(two), author)).toBeNull();
  });

  test("excludes the version's author where a rule says so, with the reason for the inbox", () => {
    const [author, gate] = [{ ...REVIEWER, id: id(3) }, gateState({ quorum: 2, not_publisher: true })];
    expect(codeFor(author, gate)).toBe("own_version");
    expect(explainBar(state, gate, author)).toBe("You published this graph version. Someone else must decide.");
    expect(explainBar(state, gate, REVIEWER)).toBeNull();
    const edited = gateState({ editors: [REVIEWER.id], demands: [{ groups: ["Finance"], people: [], count: 1 }] });
    expect(explainBar(state, edited, REVIEWER)).toBe("You edited this proposal. Someone else must decide.");
  });
});
