import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { END, FETCH, fetchAs, version } from "@/lib/engine/testing/kinds";
import { getCode, decideAs, decision, result, REVIEWER, started, update, user, type TestRun } from "@/lib/engine/testing/run";

type NodeInput = GraphInput["nodes"][number];

const reviewer = user(REVIEWER);

describe("a promotion [6]", () => {
  const gate = (promote: readonly object[]): NodeInput => ({
    id: "ask",
    kind: "approval",
    read_keys: ["mail"],
    write_keys: ["clean", "note"],
    config: { prompt: "Good?", promote } as never,
  });
  const asked = (promote: readonly object[] = [{ from: "mail", to: "clean" }], inputs: object = { topic: "plans" }): TestRun => {
    const run = started(version([FETCH, gate(promote), END]), inputs as never);
    fetchAs(run, { a: 1 });
    run.work(result({ type: "request_human_input", prompt: "" }));

    return run;
  };
  const cellAt = (run: TestRun, path: string) => run.state().cells.find((cell) => cell.path === path);

  it("writes a new reviewed cell with a receipt and leaves its source unchanged", () => {
    const run = asked();
    expect(cellAt(run, "clean")).toBeUndefined();
    const source = cellAt(run, "mail");
    decideAs(run, reviewer);
    expect(cellAt(run, "clean")).toMatchObject({ content: { known: true, value: { a: 1 } }, label: { integrity: "reviewed" } });
    expect(cellAt(run, "clean")?.label.provenance).toEqual(expect.arrayContaining([`approver:${REVIEWER}`, "mcp:docs/read"]));
    expect(cellAt(run, "mail")).toEqual(source);
    expect(Object.values(run.state().gates)[0]?.receipt).not.toBeNull();
  });

  it("has no other way: not by rejection, action, result or claimed label", () => {
    const run = asked();
    decideAs(run, reviewer, "reject");
    expect(cellAt(run, "clean")).toBeUndefined();
    const open = started(version([gate([{ from: "mail", to: "clean" }]), END]));
    expect(getCode(open.work({ kind: "action", action: update("clean", "made up") }))).toBe("action_not_granted");
    expect(getCode(open.work(result(update("clean", "made up"))))).toBe("action_not_granted");
    const label = { integrity: "trusted", confidentiality: "public", provenance: [] };
    expect(getCode(open.work(result({ ...update("clean", 1), label })))).toBe("action_not_granted");
    const agent = started(
      version([FETCH, { id: "h", kind: "agent", read_keys: ["mail"], write_keys: ["out"], config: { agent_id: "plain" } }, END]),
    );
    fetchAs(agent);
    agent.work(result(update("out", { value: 1, label, taint: null, _taint: null })));
    expect(cellAt(agent, "out")?.label.integrity).toBe("untrusted");
  });

  it("is refused for people who cannot see the value", () => {
    const run = asked([{ from: "salary", to: "note" }], { topic: "plans", salary: 99 });
    expect(getCode(decideAs(run, reviewer))).toBe("role_missing");
    expect(cellAt(run, "note")).toBeUndefined();
    expect(getCode(run.propose(reviewer, decision(run, reviewer, "reject")))).toBe("accepted");
    const shown = asked([{ from: "salary", to: "note" }], { topic: "plans", salary: 99 });
    expect(getCode(decideAs(shown, user(REVIEWER, "reviewer", true)))).toBe("accepted");
    expect(cellAt(shown, "note")?.label).toMatchObject({ integrity: "reviewed", confidentiality: "secret" });
  });

  it("is refused once the value changed", () => {
    const run = asked();
    const made = decision(run, reviewer);
    run.underPolicy("0".repeat(64));
    expect(getCode(run.propose(reviewer, made))).toBe("approval_stale");
  });
});
