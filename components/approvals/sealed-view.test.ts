import { describe, expect, test } from "vitest";
import { computeViewDigest, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { toCanonicalJson } from "@/lib/json";
import { sealView } from "./sealed-view";

const hash = "a".repeat(64);
const transition = {
  workspace: "00000000-0000-4000-8000-000000000001",
  run: "00000000-0000-4000-8000-000000000002",
  graph_hash: hash,
  policy_hash: hash,
  node: "write_change",
  proposal_digest: hash,
  reads: [],
  overwrites: [],
  effect: { server: "customers", tool: "update_plan", definition_digest: hash, arguments_digest: hash },
};
const text = toCanonicalJson(transition);

const view: ApprovalView = {
  v: 1,
  approval_id: "00000000-0000-4000-8000-000000000003",
  transition_digest: computeTransitionDigest(transition),
  graph_hash: hash,
  policy_hash: hash,
  node: "approve_change",
  reason: "approval_node",
  prompt: "?",
  summary: "Move cus_1001 to team",
  signals: [],
  effect: "Calls update_plan on customers once.",
  authority: "No authority change.",
  lines: [
    {
      path: "customers.update_plan.credit_cents",
      op: "call",
      before: null,
      after: { hidden: false, value: 2_500 },
      changed: true,
      integrity: "untrusted",
      confidentiality: "internal",
      provenance: [],
    },
  ],
  expires_at: 1,
};

describe("sealView", () => {
  test("binds to the transition whose bytes are shown", () => {
    expect(sealView(view, text)).toMatchObject({ isBound: true, transitionDigest: view.transition_digest });
  });

  test.each([
    ["bytes of another transition", toCanonicalJson({ ...transition, node: "other" })],
    ["bytes that are not canonical", JSON.stringify(transition, null, 1)],
    ["bytes that are no transition", "{}"],
    ["no JSON at all", "…"],
  ])("rejects %s", (_, other) => {
    expect(sealView(view, other).isBound).toBe(false);
  });

  test("changes the view digest with any value", () => {
    const [line] = view.lines;
    const other = { ...view, lines: line ? [{ ...line, after: { hidden: false, value: 9_999 } as const }] : [] };

    expect(sealView(other, text).viewDigest).not.toBe(sealView(view, text).viewDigest);
  });

  test("returns the frozen view parsed from the hashed text", () => {
    const answered = structuredClone(view);
    const sealed = sealView(answered, text);
    Object.assign(answered, { effect: "Something else." });

    expect(sealed.view).not.toBe(answered);
    expect(toCanonicalJson(sealed.view)).toBe(sealed.viewText);
    expect(computeViewDigest(sealed.view)).toBe(sealed.viewDigest);
    expect(sealed.view.effect).toBe(view.effect);
    expect(() => Object.assign(sealed.view.lines[0] ?? {}, { path: "other" })).toThrow(TypeError);
  });
});
