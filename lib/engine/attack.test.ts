import { describe, expect, it } from "vitest";
import { getKnownValue } from "@/lib/engine/state";
import { child, END, FETCH, fetchAs, step, using, version, writer } from "@/lib/engine/testing/kinds";
import {
  atGate,
  getCode,
  decideAs,
  decision,
  engine,
  executor,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  started,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { asks } from "@/lib/engine/testing/tool-input";
import { drive, createFailure } from "@/lib/engine/testing/work";
import { cancel, stack, undos, unwind, write } from "@/lib/engine/testing/undo";

const reviewer = user(REVIEWER);
const effects = (run: TestRun) => Object.values(run.state().effects);

/** Effect of the first lease with unknown outcome. */
const unclear = (): { run: TestRun; made: ReturnType<typeof decision> } => {
  const run = atGate();
  decideAs(run, reviewer);
  run.work(intent("crm", "update", { plan: "team" }));
  const [, effect] = effects(run);
  run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: effect?.effect_id ?? "" }, { epoch: 2 });

  return { run, made: decision(run, reviewer) };
};
const answered = (run: TestRun, outcome: "ok" | "tool_error" = "ok") =>
  run.propose(
    executor("write", 2),
    { kind: "effect_outcome", effect_id: effects(run)[1]?.effect_id ?? "", outcome, result: "late" },
    { epoch: 2 },
  );

describe("an effect settled while its gate is open", () => {
  it("is not repeated after approval", () => {
    const { run, made } = unclear();
    expect(getCode(answered(run))).toBe("accepted");
    expect(getCode(run.propose(reviewer, made, { epoch: 2 }))).toBe("accepted");
    expect(effects(run)[1]).toMatchObject({ outcome: "ok", epoch: 1 });
    expect(run.state().status).toBe("running");
  });

  it("counts after rejection too", () => {
    const { run, made } = unclear();
    answered(run);
    run.propose(reviewer, { ...made, decision: "reject", reason: "no" }, { epoch: 2 });
    expect(effects(run)[1]?.outcome).toBe("ok");
  });
});

describe("an answer during the undo phase", () => {
  const inner = version([writer("deep"), step("last")]);
  /** One undo awaits approval; a subgraph's effect is in flight. */
  const waiting = (): TestRun => {
    const shallow = writer("w1", { read_keys: ["topic", "mail"] });
    const run = started(
      version(
        [FETCH, shallow, using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), END],
        {},
        { subgraphs: [child("c", inner)] },
      ),
    );
    fetchAs(run);
    run.work(intent("crm", "write", { what: "plans", by: "w1" }));
    decideAs(run, reviewer);
    write(run);
    run.work(result());
    run.work(intent("crm", "write", { what: "plans", by: "deep" }));
    cancel(run);
    drive(run);
    expect(openGate(run).gate).toMatchObject({ reason: "undo", node: "w1" });
    const [late] = effects(run).slice(-1);
    expect(
      getCode(run.propose(executor("deep"), { kind: "effect_outcome", effect_id: late?.effect_id ?? "", outcome: "ok", result: 1 })),
    ).toBe("accepted");

    return run;
  };

  it.each(["approve", "reject"] as const)("is undone too, and the open gate keeps its subject (%s)", (choice) => {
    const run = waiting();
    expect(getCode(decideAs(run, reviewer, choice))).toBe("accepted");
    const first = choice === "approve" ? "done" : "declined";
    unwind(run, choice === "approve" ? ["ok", "ok"] : ["ok"]);
    expect(new Map(stack(run) as [string, string][])).toEqual(
      new Map([
        ["w1", first],
        ["deep", "done"],
      ]),
    );
    expect(run.state().status).toBe("cancelled");
  });
});

describe("a subgraph's effect after a crash", () => {
  it("is abandoned once left, whatever is being undone, and blocks nothing", () => {
    const inner = version([writer("deep"), step("last")]);
    const run = started(
      version(
        [writer("w1"), using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), END],
        {},
        { subgraphs: [child("c", inner)] },
      ),
    );
    write(run);
    run.work(result());
    run.work(intent("crm", "write", { what: "plans", by: "deep" }));
    cancel(run);
    drive(run, 2);
    expect(effects(run).map(({ node, outcome }) => [node, outcome])).toEqual([
      ["w1", "ok"],
      ["deep", "abandoned"],
      ["w1", null],
    ]);
  });
});

describe("a map's worker", () => {
  it("has its own undo with the item's arguments", () => {
    const worker = writer("w", {
      config: { server: "crm", tool: "write", arguments: { id: { item: "" } } },
      compensation: { server: "crm", tool: "undo", arguments: { id: { argument: "id" } } },
    });
    const map = { id: "m", kind: "map" as const, write_keys: ["out"], config: { worker_node: "w", items: { from: "items" } } };
    const run = started(version([map, END, worker], { edges: [{ id: "e", source: "m", target: "end" }] }), { items: [7, 8] });
    for (const index of [0, 1]) {
      run.work({ ...intent("crm", "write", { id: 7 + index }, `c${index}`), task: `item.${index}` });
      settle(run, "ok");
    }
    expect(getCode(run.work({ ...intent("crm", "write", { id: 7 }, "x"), task: "item.1" }))).toBe("arguments_invalid");
    run.work(createFailure());
    unwind(run);
    expect(undos(run).map(([args]) => args)).toEqual([{ id: 8 }, { id: 7 }]);
  });

  it.each([
    ["that an approval node stands for", {}, [{ id: "ask", kind: "approval" as const, config: { prompt: "?", for_node: "w" } }]],
    ["that always asks", { approval: "always" }, []],
  ])("%s asks, however trusted its item", (_what, change, more) => {
    const worker = writer("w", { config: { server: "crm", tool: "write", arguments: { id: { item: "" } } }, ...change });
    const map = { id: "m", kind: "map" as const, config: { worker_node: "w", items: { value: [7] } } };
    const run = started(version([map, END, worker, ...more], { edges: [{ id: "e", source: "m", target: "end" }] }));
    run.work({ ...intent("crm", "write", { id: 7 }, "c"), task: "item.0" });
    expect([run.state().status, effects(run).length]).toEqual(["waiting", 0]);
  });
});

describe("a map's call with several approvers", () => {
  const ask = { id: "ask", kind: "approval" as const, config: { prompt: "?", for_node: "w", quorum: 2 } };
  const map = { id: "m", kind: "map" as const, config: { worker_node: "w", items: { value: [7] } } };
  const worker = writer("w", { config: { server: "crm", tool: "write", arguments: { id: { item: "" } } } });
  const called = (): TestRun => {
    const run = started(version([map, END, worker, ask], { edges: [{ id: "e", source: "m", target: "end" }] }));
    run.work({ ...intent("crm", "write", { id: 7 }, "c"), task: "item.0" });
    decideAs(run, user(REVIEWER));
    decideAs(run, user(SECOND));
    run.work({ ...intent("crm", "write", { id: 7 }, "c"), task: "item.0" });

    return run;
  };

  it("cannot have its tool's question answered by one person", () => {
    const run = called();
    expect(effects(run)).toHaveLength(1);
    asks(run);
    expect(effects(run)[0]?.outcome).toBe("tool_error");
  });

  it("is not repeated on one person's word when its outcome is unknown", () => {
    const run = called();
    run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: effects(run)[0]?.effect_id ?? "" }, { epoch: 2 });
    expect(openGate(run).gate).toMatchObject({ reason: "unclear_effect", quorum: 2 });
  });
});

describe("two parallel tasks", () => {
  const voting = {
    id: "v",
    kind: "voting" as const,
    write_keys: ["out"],
    config: { voters: [{ agent_id: "handy" }, { agent_id: "handy" }] },
  };
  const erase = (run: TestRun, task: string, args: object = {}) =>
    getCode(run.work({ ...intent("crm", "erase", args, `${task}/c`), task }));

  it("share one gate, and the receipt is for the task that asked", () => {
    const run = started(version([voting, END]));
    erase(run, "voter.0");
    expect(run.state().status).toBe("waiting");
    expect(erase(run, "voter.1")).toBe("node_not_active");
    expect(Object.keys(run.state().gates)).toHaveLength(1);
    decideAs(run, reviewer);
    erase(run, "voter.1");
    expect([run.state().status, effects(run).length]).toEqual(["waiting", 0]);
    decideAs(run, reviewer);
    expect(erase(run, "voter.0")).toBe("accepted");
    expect(erase(run, "voter.0")).toBe("version_conflict");
    expect(effects(run).map(({ task }) => task)).toEqual(["voter.0"]);
  });
});

describe("a proposal", () => {
  it("counts once when delivered three times", () => {
    const run = started(version([step("a"), END]));
    const body = { kind: "node_result" as const, activation: run.state().activation ?? 0, actions: [] };
    const seq = run.state().version;
    expect(getCode(run.propose(executor("a"), body, { id: uuid(900) }))).toBe("accepted");
    for (let count = 0; count < 2; count += 1)
      expect(getCode(run.propose(executor("a"), body, { id: uuid(900) }))).toBe("duplicate_decision");
    expect(run.state().proposals[uuid(900)]).toBe(seq);
  });

  it.each([0, 1, 2, 4, 99])("about visit %i does not apply to this one", (activation) => {
    const run = started(version([step("a"), step("a2"), END]));
    run.work(result());
    const bodies = [
      { kind: "node_result", activation, actions: [] },
      { kind: "action", activation, action: update("out", 1) },
      createFailure("x", { activation }),
      { kind: "task_failure", activation, task: "judge", code: "x", detail: "" },
      { kind: "model_intent", activation, tokens: 1, cost_micro_usd: 0 },
      { ...intent("docs", "read", {}), activation },
    ];
    const wrong = activation === run.state().activation ? 1_000 : activation;
    for (const body of bodies) expect(getCode(run.work({ ...body, activation: wrong } as never))).toBe("node_not_active");
  });

  it("to write a tool's future answer is refused during work too", () => {
    const run = started(version([FETCH, END]));
    expect(getCode(run.work({ kind: "action", action: update("mail", "made up") }))).toBe("effect_unknown");
    expect(getCode(run.propose(engine, { kind: "node_result", activation: run.state().activation ?? 0, actions: [] }))).toBe(
      "principal_not_allowed",
    );
    expect(run.state().cells.map((cell) => getKnownValue(cell))).toEqual(["plans"]);
    expect(getCode(run.propose(user(STARTER), { kind: "undo", effect_id: uuid(1), availability: "ok" }))).toBe("principal_not_allowed");
  });
});
