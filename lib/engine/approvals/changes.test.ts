import { describe, expect, it } from "vitest";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { findNodeById } from "@/lib/engine/decide/context";
import { getKnownValue } from "@/lib/engine/state";
import { sendBackAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  getCode,
  decideAs,
  decision,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  started,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { answer, ask, reserve } from "@/lib/engine/testing/work";
import { collectThreads } from "@/lib/engine/thread-of";
import { getContextLabel } from "@/lib/engine/view";

const reviewer = user(REVIEWER);
const THIRD = uuid(99);
const CALL = { id: "1", name: "crm__update", input: { plan: "team" } };
const asking = (change: Record<string, unknown> = {}): TestRun => {
  const run = atParse(publishWith({ nodes: nodesWith("parse", change) }));
  answer(run, reserve(run), "", { text: "", tool_calls: [CALL] });
  run.work(intent("crm", "update", CALL.input, "0//1"));

  return run;
};
const wrote = (run: TestRun) => Object.values(run.state().effects).filter(({ effect }) => effect.tool === "update").length;

describe("a call sent back", () => {
  it("is not made, leaves no receipt, and its gate gives the reason", () => {
    const run = asking();
    const { gate } = openGate(run);
    expect(getCode(sendBackAs(run, reviewer))).toBe("accepted");
    expect(run.state().gates[gate.id]).toMatchObject({ status: "changes_requested", receipt: null });
    expect(run.state()).toMatchObject({ status: "running", currentNode: "parse" });
    const refused = run.work(intent("crm", "update", CALL.input, "0//1"));
    expect(getCode(refused)).toBe("changes_requested");
    expect(refused.ok ? [] : refused.refusal.ids).toContain(gate.id);
    expect(wrote(run)).toBe(0);
  });

  it("can be proposed again, and the new gate names the old one", () => {
    const run = asking();
    const { gate } = openGate(run);
    sendBackAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "free" }, "0//2"));
    expect(openGate(run).gate.supersedes).toBe(gate.id);
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "free" }, "0//2"));
    expect(wrote(run)).toBe(1);
  });

  it("uses one of the visit's attempts", () => {
    const run = asking({ failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 100 } });
    expect(getCode(sendBackAs(run, reviewer))).toBe("accepted");
    run.work(intent("crm", "update", { plan: "free" }, "0//2"));
    expect(getCode(sendBackAs(run, reviewer))).toBe("changes_limit");
    expect(getCode(sendBackAs(asking({ failure_policy: { attempts: 1, backoff: "fixed", backoff_ms: 100 } }), reviewer))).toBe(
      "changes_limit",
    );
  });

  it("comes back with a person's note, which influences everything said afterwards", () => {
    const run = asking();
    sendBackAs(run, reviewer, "Ask for less.");
    const cell = run.state().aside.findLast(({ path }) => path.startsWith("$changes."));
    expect(getKnownValue(cell)).toMatchObject({ text: "Ask for less." });
    expect(cell?.label).toEqual({ integrity: "trusted", confidentiality: "internal", provenance: [`user:${REVIEWER}`] });
    const node = findNodeById(run.published, "parse");
    expect(node && getContextLabel(run.published, run.state(), node).provenance).toContain(`user:${REVIEWER}`);
  });

  it("is refused where no model made the call", () => {
    const run = started(publishWith({ nodes: nodesWith("fetch", { effect: "irreversible", approval: "by_rule" }) }));
    run.work(intent("docs", "read", { topic: "plans" }));
    expect(openGate(run).gate.reason).toBe("tainted_effect");
    expect(getCode(sendBackAs(run, reviewer))).toBe("changes_unsupported");
  });

  it("is refused once its basis has changed", () => {
    const run = asking();
    const stale = decision(run, reviewer);
    run.underPolicy("0".repeat(64));
    expect(getCode(run.propose(reviewer, { ...stale, decision: "request_changes", reason: "less" }))).toBe("approval_stale");
  });
});

describe("protected writes sent back", () => {
  const writing = (): TestRun => {
    const run = atParse();
    ask(run, "", { text: "make me admin" });
    run.work(result(update("is_admin", true)));

    return run;
  };

  it("are not written, and the agent's conversation continues with the note", () => {
    const run = writing();
    expect(getCode(sendBackAs(run, reviewer, "Never that."))).toBe("accepted");
    expect(run.state().cells.some(({ path }) => path === "is_admin")).toBe(false);
    expect(collectThreads(run.state())[""]?.at(-1)).toEqual({ role: "person", text: "Never that." });
    ask(run, "", { fresh: [{ role: "person", text: "Never that." }], text: "sorry" });
    expect(collectThreads(run.state())[""]?.map(({ role }) => role)).toEqual(["assistant", "person", "assistant"]);
    const before = Object.keys(run.state().gates).at(-1);
    run.work(result(update("is_admin", false)));
    expect(openGate(run).gate.supersedes).toBe(before);
  });

  it("are not possible without a conversation", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    expect(getCode(sendBackAs(run, reviewer))).toBe("changes_unsupported");
  });
});

describe("an approval node", () => {
  const gateWith = (config: object) =>
    atGate(
      publishWith({
        nodes: nodesWith("ask", { config: { prompt: "Write it?", for_node: "write", rejection_node: "decline", ...config } }),
      }),
    );

  it("routes to its changes node with the note, and asks again afterwards", () => {
    const run = gateWith({ changes_node: "parse" });
    const { gate } = openGate(run);
    expect(getCode(sendBackAs(run, reviewer, "Another plan."))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "running", currentNode: "parse" });
    const node = findNodeById(run.published, "parse");
    expect(node && buildExecutorInput(run.published, run.state(), node, run.state().activation ?? 0).notes).toEqual(["Another plan."]);
    expect(wrote(run)).toBe(0);
    run.work(result(update("request", { plan: "team" })));
    run.work(result());
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect(openGate(run).gate.supersedes).toBe(gate.id);
    decideAs(run, reviewer);
    expect(getCode(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
  });

  it("without such a node refuses requests for changes", () => {
    expect(getCode(sendBackAs(gateWith({}), reviewer))).toBe("changes_unsupported");
  });
});

describe("a rejection or request for changes", () => {
  it.each(["reject", "request_changes"] as const)("needs a reason: %s", (choice) => {
    for (const reason of [undefined, "", "  "]) {
      const run = asking();
      const { reason: _given, ...body } = decision(run, reviewer, "reject");
      expect(getCode(run.propose(reviewer, { ...body, decision: choice, ...(reason === undefined ? {} : { reason }) }))).toBe(
        "reason_missing",
      );
      expect(run.state().status).toBe("waiting");
    }
  });
});

describe("an approval by someone who may no longer decide", () => {
  const ofTwo = () => atGate(publishWith({ nodes: nodesWith("ask", { config: { prompt: "?", for_node: "write", quorum: 2 } }) }));

  it("does not count: another one is needed, and the receipt names only valid ones", () => {
    const run = ofTwo();
    decideAs(run, reviewer);
    expect(getCode(run.propose(user(SECOND), { ...decision(run, user(SECOND)), lapsed: [REVIEWER] }))).toBe("accepted");
    expect(openGate(run).decisions.map(({ user: by }) => by)).toEqual([SECOND]);
    expect(run.records().at(-1)?.record.control).toMatchObject([{ type: "decision_made", user: SECOND, lapsed: [REVIEWER] }]);
    const third = user(THIRD);
    const gate = openGate(run).gate.id;
    expect(getCode(decideAs(run, third))).toBe("accepted");
    expect(run.state().gates[gate]?.receipt?.payload.reviewers.map(({ user: by }) => by)).toEqual([SECOND, THIRD]);
  });
});
