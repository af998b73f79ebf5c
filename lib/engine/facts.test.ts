import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { getKnownValue } from "@/lib/engine/state";
import { END, FETCH, fetchAs, step, version } from "@/lib/engine/testing/kinds";
import { getCode, decideAs, engine, executor, result, REVIEWER, started, update, user, uuid, type TestRun } from "@/lib/engine/testing/run";

type NodeInput = GraphInput["nodes"][number];

const reviewer = user(REVIEWER);

describe("facts [6]", () => {
  const remembers: NodeInput = {
    id: "h",
    kind: "agent",
    write_keys: ["out"],
    config: { agent_id: "handy", recall: { topics: ["t"], limit: 2 } },
  };
  const fact = (text: string, integrity: "trusted" | "untrusted", topic = "t") => ({
    topic,
    text,
    label: { integrity, confidentiality: "pii" as const, provenance: [`mcp:${text}`] },
    run: uuid(8),
  });
  const recall = (run: TestRun, facts: readonly ReturnType<typeof fact>[], principal = engine) =>
    getCode(run.propose(principal, { kind: "recall", activation: run.state().activation ?? 0, facts: [...facts] }));

  it("are recalled once by the engine with their labels and run", () => {
    const run = started(version([remembers, END]));
    expect(recall(run, [fact("a", "trusted"), fact("b", "untrusted")])).toBe("accepted");
    expect(recall(run, [fact("a", "trusted")])).toBe("version_conflict");
    run.work(result(update("out", 1)));
    expect(run.state().cells.at(-1)?.label).toEqual({
      integrity: "untrusted",
      confidentiality: "pii",
      provenance: ["agent:handy", "mcp:a", "mcp:b", `run:${uuid(8)}`, `user:${uuid(10)}`].toSorted(),
    });
  });

  it("of other topics, in excess, for another visit or by an executor are refused", () => {
    const run = started(version([remembers, END]));
    expect(recall(run, [fact("a", "trusted", "u")])).toBe("version_conflict");
    expect(recall(run, [fact("a", "trusted"), fact("b", "trusted"), fact("c", "trusted")])).toBe("version_conflict");
    expect(getCode(run.propose(engine, { kind: "recall", activation: 0, facts: [] }))).toBe("version_conflict");
    expect(recall(run, [], executor("h"))).toBe("principal_not_allowed");
    expect(recall(started(version([step("x")])), [])).toBe("version_conflict");
  });

  const REFLECT: NodeInput = {
    id: "r",
    kind: "reflection",
    read_keys: ["mail"],
    write_keys: ["note"],
    config: { topic: "t", max_facts: 2 },
  };
  const kept = (run: TestRun) => run.state().aside.filter(({ path }) => path === "$fact.t");
  const reflecting = (change: object = {}): TestRun => {
    const run = started(version([FETCH, { ...REFLECT, ...change }, END]));
    fetchAs(run);

    return run;
  };

  it("are stored with the label of all reads", () => {
    const run = reflecting();
    expect(getCode(run.work(result(update("note", ["one", "two"]))))).toBe("accepted");
    expect(kept(run).map(getKnownValue)).toEqual(["one", "two"]);
    for (const cell of kept(run))
      expect(cell.label).toMatchObject({ integrity: "untrusted", provenance: run.state().cells.at(-1)?.label.provenance });
  });

  it.each([
    ["too many", ["a", "b", "c"]],
    ["no texts", [1]],
    ["no list", "a"],
    ["too long", ["x".repeat(4_001)]],
  ])("with %s are refused", (_what, facts) => {
    const run = reflecting();
    expect(getCode(run.work(result(update("note", facts))))).toBe("value_invalid");
    expect(kept(run)).toEqual([]);
  });

  it.each(["always", "protected"])("wait with their list for approval (%s)", (why) => {
    const waits = () => reflecting(why === "always" ? { approval: "always" } : { write_keys: ["is_admin"] });
    const run = waits();
    const key = why === "always" ? "note" : "is_admin";
    run.work(result(update(key, ["one"])));
    expect(run.state().status).toBe("waiting");
    expect(kept(run)).toEqual([]);
    decideAs(run, reviewer);
    expect(kept(run).map(getKnownValue)).toEqual(["one"]);
    const rejected = waits();
    rejected.work(result(update(key, ["one"])));
    decideAs(rejected, reviewer, "reject");
    expect(kept(rejected)).toEqual([]);
  });
});
