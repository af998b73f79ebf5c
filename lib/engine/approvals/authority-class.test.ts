import { describe, expect, test } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { classifyAuthority, classifyRisk, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import type { Gate, GateReason } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { END, FETCH, fetchAs, version } from "@/lib/engine/testing/kinds";
import { atGate, atParse, intent, openGate, result, started, update, type TestRun } from "@/lib/engine/testing/run";
import type { EffectClass, PublishedGraph } from "@/lib/graph/document";

const classOf = (run: TestRun): AuthorityClass => classifyAuthority(getPublishedHere(run.published, run.state()), openGate(run).gate);
const lineOf = (run: TestRun): string => buildApprovalView(run.published, run.state(), openGate(run), "internal").authority;

const callGate = (reason: GateReason, change: Partial<Gate["transition"]> = {}): Gate => {
  const { gate } = openGate(atGate());

  return { ...gate, reason, transition: { ...gate.transition, ...change } };
};

const pinnedAs = (effect: EffectClass): PublishedGraph => {
  const published = publishWith({ nodes: nodesWith("write", { effect: "pure" }) });

  return { ...published, tools: published.tools.map((tool) => ({ ...tool, effect })) };
};

describe("the authority class of a call", () => {
  test.each(["effect", "unclear_effect", "approval_node"] as const)("is at least its tool's (%s)", (reason) => {
    const classes = (["pure", "read", "write", "irreversible"] as const).map((effect) =>
      classifyAuthority(pinnedAs(effect), callGate(reason)),
    );
    expect(classes).toEqual(["none", "read", "write", "irreversible"]);
  });

  test("is its node's if higher", () => {
    const published = publishWith({ nodes: nodesWith("write", { effect: "irreversible" }) });
    expect(classifyAuthority(published, callGate("effect"))).toBe("irreversible");
  });

  test("is write when a question could disclose data", () => {
    expect(classifyAuthority(pinnedAs("read"), callGate("tainted_effect"))).toBe("write");
    expect(classifyAuthority(pinnedAs("irreversible"), callGate("tainted_effect"))).toBe("irreversible");
  });

  test("is at least write for an undo, or its tool's if higher", () => {
    expect(classifyAuthority(pinnedAs("read"), callGate("undo"))).toBe("write");
    expect(classifyAuthority(pinnedAs("irreversible"), callGate("undo"))).toBe("irreversible");
  });

  test("is irreversible for an unknown tool", () => {
    expect(classifyAuthority({ ...pinnedAs("pure"), tools: [] }, callGate("effect"))).toBe("irreversible");
  });

  test("is that of a map's worker, on behalf of the map", () => {
    const published = version([
      FETCH,
      { id: "each", kind: "map", effect: "pure", config: { worker_node: "work", items: { value: [1] } } },
      { id: "work", kind: "tool", effect: "irreversible", config: { server: "crm", tool: "write", arguments: {} } },
      END,
    ]);
    const gate = callGate("effect", { node: "each" });
    const effect = gate.transition.effect && { ...gate.transition.effect, tool: "write" };
    expect(classifyAuthority(published, { ...gate, transition: { ...gate.transition, effect } })).toBe("irreversible");
  });
});

describe("the authority class inside the run", () => {
  test("is protected for protected memory", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    expect([openGate(run).gate.reason, classOf(run), lineOf(run)]).toEqual([
      "protected_key",
      "protected",
      "Authority may change: the memory below is protected.",
    ]);
  });

  test.each([
    [[], "none", "No authority change."],
    [[{ from: "mail", to: "clean" }], "protected", "Authority may change: approved data counts as reviewed from then on."],
  ] as const)("is what an approval node promotes: %j", (promote, expected, line) => {
    const config = { prompt: "Good?", review_keys: ["mail"], promote } as never;
    const ask: Parameters<typeof version>[0][number] = { id: "ask", kind: "approval", read_keys: ["mail"], write_keys: ["clean"], config };
    const run = started(version([FETCH, ask, END]), { topic: "plans" });
    fetchAs(run, { a: 1 });
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect([openGate(run).gate.reason, classOf(run), lineOf(run)]).toEqual(["approval_node", expected, line]);
  });

  test("is none for a route", () => {
    expect(classifyAuthority(pinnedAs("irreversible"), callGate("tainted_route", { effect: null }))).toBe("none");
  });

  test("is none for a case, also about a call: the call still needs its approval", () => {
    expect(classifyAuthority(pinnedAs("irreversible"), callGate("review", { effect: null }))).toBe("none");
    expect(classifyAuthority(pinnedAs("irreversible"), callGate("review"))).toBe("none");
  });

  test("for an external agent is what it would write as reviewed, or none", () => {
    const overwrites = [{ path: "topic", seq: null, commitment: null }];
    expect(classifyAuthority(pinnedAs("pure"), callGate("requested", { effect: null, overwrites }))).toBe("protected");
    expect(classifyAuthority(pinnedAs("pure"), callGate("requested", { effect: null, overwrites: [] }))).toBe("none");
  });
});

test("the sentence above a decision matches its class", () => {
  const run = atParse();
  run.work(intent("crm", "update", { plan: "team" }));
  expect([classOf(run), lineOf(run)]).toEqual(["write", "May change permissions: plan. Writes outside the run through crm."]);
  const erasing = atParse(publishWith({ agentTools: [{ server: "crm", tool: "erase" }] }));
  erasing.work(intent("crm", "erase", {}));
  expect([classOf(erasing), lineOf(erasing)]).toEqual(["irreversible", "Irreversible: crm.erase cannot be undone."]);
});

test("irreversible and protected are high risk, write is medium, the rest is low", () => {
  const all = ["none", "read", "write", "protected", "irreversible"] as const;
  expect(all.map(classifyRisk)).toEqual(["low", "low", "medium", "high", "high"]);
});
