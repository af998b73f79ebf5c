import { describe, expect, it } from "vitest";
import { agentSchema, type GraphInput } from "@/lib/graph/document";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { describeRejection } from "@/lib/engine/approvals/rejection";
import { findNote } from "@/lib/engine/approvals/notes";
import { findRepeated, MOST_REJECTIONS } from "@/lib/engine/approvals/rejected-calls";
import { editAs } from "@/lib/engine/testing/gates";
import { AGENTS, child, END, inARow, using, version } from "@/lib/engine/testing/kinds";
import {
  decideAs,
  decision,
  getCode,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { answer, ask, createFailure, drive, reserve } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const reviewer = user(REVIEWER);
const TOOLS = [
  { server: "docs", tool: "read" },
  { server: "crm", tool: "write" },
  { server: "crm", tool: "undo" },
];
const agents = [...AGENTS, agentSchema.parse({ id: "worker", name: "worker", tools: TOOLS })];
const works = (id: string, change: object = {}): NodeInput => ({
  id,
  kind: "agent",
  read_keys: ["clean"],
  write_keys: ["note", "out"],
  config: { agent_id: "worker" },
  ...change,
});
const RESCUE: NodeInput = { id: "rescue", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: "2" }] } };
const working = (graph: Partial<GraphInput> = {}, nodes: readonly NodeInput[] = [works("work"), END]): TestRun =>
  started(version(nodes, graph, { agents }), { clean: "c" });

const HOSTILE = { to: "Eve@example.com", amount: 100, memo: "Thanks  a lot", tags: ["x"] };
const write = (run: TestRun, args: unknown = HOSTILE, id = "w", more: object = {}) =>
  run.work({ ...intent("crm", "write", args, id), ...more });
const reject = (run: TestRun, reason = "Eve is unknown.") => run.propose(reviewer, { ...decision(run, reviewer, "reject"), reason });
const made = (run: TestRun) => Object.values(run.state().effects).filter(({ effect }) => effect.tool === "write").length;
const rejected = (args: unknown = HOSTILE, run: TestRun = working()): TestRun => {
  write(run, args);
  expect(getCode(reject(run))).toBe("accepted");

  return run;
};

describe("a rejected call of a model", () => {
  it("is answered with the reviewer's reason, and the node continues with other work", () => {
    const run = working();
    write(run);
    const { gate } = openGate(run);
    reject(run);
    expect(run.state()).toMatchObject({
      status: "running",
      currentNode: "work",
      gates: { [gate.id]: { status: "rejected", receipt: null } },
    });
    const told = write(run);
    expect(getCode(told)).toBe("call_rejected");
    expect(told.ok ? null : findNote(run.state(), told.refusal)).toBe("Eve is unknown.");
    expect(made(run)).toBe(0);
    write(run, { to: "bob" }, "other");
    decideAs(run, reviewer);
    write(run, { to: "bob" }, "other");
    settle(run, "ok");
    expect(made(run)).toBe(1);
    run.work(result(update("note", "done")));
    expect(run.state().currentNode).toBe("end");
  });

  it("counts as an answer, not as an attempted attack; repeating it counts as one", () => {
    const run = rejected();
    write(run);
    expect(run.state().attempts).toBe(0);
    write(run, HOSTILE, "again");
    expect(run.state().attempts).toBe(1);
  });

  it("predicts for the reviewer that the node goes on", () => {
    const run = working();
    write(run);
    expect(describeRejection(run.published, run.state(), openGate(run), run.now())).toMatchObject({ next: { node: "work" }, ends: null });
  });

  it("survives a crash between rejection and answer, and between answer and the next turn", () => {
    const call = { id: "w", name: "crm__write", input: HOSTILE };
    const run = working();
    answer(run, reserve(run), "", { text: "", tool_calls: [call] });
    run.work(intent("crm", "write", HOSTILE, "0//w"));
    reject(run);
    drive(run, 2);
    const node = run.published.graph.nodes.find(({ id }) => id === "work");
    const input = node && buildExecutorInput(run.published, run.state(), node, run.state().activation ?? 0);
    expect(input?.threads[""]).toEqual([{ role: "assistant", text: "", tool_calls: [call] }]);
    const again = () =>
      getCode(
        run.propose(
          { type: "executor", node: "work", agent: "worker", epoch: 2 },
          { ...intent("crm", "write", HOSTILE, "0//w"), activation: run.state().activation ?? 0 },
          { epoch: 2 },
        ),
      );
    expect([again(), again(), made(run)]).toEqual(["call_rejected", "call_rejected", 0]);
  });

  it("fails the node as before when it expires", () => {
    const run = working();
    write(run);
    run.pass(86_400_000);
    drive(run);
    expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "approval_expired" } });
  });
});

describe("repeating a rejected call", () => {
  it.each([
    ["the same arguments", HOSTILE],
    ["another order of members", { tags: ["x"], memo: "Thanks  a lot", amount: 100, to: "Eve@example.com" }],
    ["case and spaces", { ...HOSTILE, to: " eve@EXAMPLE.com ", memo: "thanks a\nlot" }],
    ["full-width, invisible and look-alike characters", { ...HOSTILE, to: "\uff25ve@ex\u200bample.com", memo: "Th\u0430nks a lot" }],
    ["ending punctuation", { ...HOSTILE, memo: "Thanks a lot!" }],
    ["a number as text", { ...HOSTILE, amount: "100" }],
    ["empty members", { ...HOSTILE, cc: null, bcc: "", more: {}, list: [] }],
  ])("is refused with %s, under whatever id", (_how, args) => {
    const run = rejected();
    expect(getCode(write(run, args, "again"))).toBe("call_repeated");
    expect([run.state().status, made(run)]).toEqual(["running", 0]);
  });

  it.each([
    ["another amount", { ...HOSTILE, amount: 10 }],
    ["another sign", { ...HOSTILE, amount: -100 }],
    ["another recipient", { ...HOSTILE, to: "eva@example.com" }],
    ["one more item", { ...HOSTILE, tags: ["x", "y"] }],
  ])("is asked again with %s", (_how, args) => {
    const run = rejected();
    write(run, args, "again");
    expect([run.state().status, made(run)]).toEqual(["waiting", 0]);
  });

  it("is refused after a retry of the node, at another node, in a subgraph and as another task", () => {
    const retried = rejected();
    retried.work(createFailure("model_failed", { retryable: true }));
    retried.pass(10_000);
    drive(retried);
    expect(getCode(write(retried, HOSTILE, "1//w"))).toBe("call_repeated");

    const next = rejected(HOSTILE, working({}, [works("work"), works("other"), END]));
    next.work(result());
    expect(getCode(write(next, HOSTILE, "o"))).toBe("call_repeated");

    const inner = version([works("deep"), END], {}, { agents });
    const outer = version(
      [works("work"), using("sub", "c", { inputs: { clean: "clean" } }, { read_keys: ["clean"] }), END],
      {},
      { agents, subgraphs: [child("c", inner)] },
    );
    const nested = rejected(HOSTILE, started(outer, { clean: "c" }));
    nested.work(result());
    nested.work(result());
    expect([getCode(write(nested, HOSTILE, "d")), nested.state().frames.length]).toEqual(["call_repeated", 1]);

    const map: NodeInput = { id: "map", kind: "map", config: { worker_node: "one", items: { value: [1, 2] } } };
    const mapped = working({ edges: [{ id: "e", source: "map", target: "end" }] }, [map, END, works("one", { write_keys: [] })]);
    write(mapped, HOSTILE, "w", { task: "item.0" });
    reject(mapped);
    expect(getCode(write(mapped, HOSTILE, "x", { task: "item.1" }))).toBe("call_repeated");
  });

  it("is refused as proposed and as edited", () => {
    const run = working();
    write(run);
    editAs(run, reviewer, { arguments: { to: "bob" } });
    run.propose(user(SECOND), { ...decision(run, user(SECOND), "reject"), reason: "Nor Bob." });
    expect(getCode(write(run))).toBe("call_rejected");
    expect(getCode(write(run, { to: "bob" }, "b"))).toBe("call_repeated");
    expect(getCode(write(run, HOSTILE, "c"))).toBe("call_repeated");
  });

  it("is refused although the stored arguments were shredded", () => {
    const run = rejected();
    const state = run.state();
    const shredded = {
      ...state,
      aside: state.aside.map((cell) => (cell.path.startsWith("$pending.") ? { ...cell, content: { known: false as const } } : cell)),
    };
    // Only the digest is left, so only the same bytes are known.
    expect(findRepeated(shredded, { server: "crm", tool: "write" }, HOSTILE)).toBeDefined();
    expect(findRepeated(shredded, { server: "crm", tool: "write" }, { to: "bob" })).toBeUndefined();
  });

  it("with another tool is another call", () => {
    const run = rejected();
    run.work(intent("crm", "undo", HOSTILE, "u"));
    expect(run.state().status).toBe("waiting");
  });
});

describe("a loop of rejections", () => {
  const failing = {
    edges: [...inARow("work", "end"), { id: "err", source: "work", target: "rescue", kind: "error" as const }],
    end_nodes: ["end", "rescue"],
  };
  const rejectMany = (run: TestRun, count: number, from = 0) => {
    for (let nth = from; nth < from + count; nth += 1) {
      write(run, { to: `eve${nth}` }, `w${nth}`);
      reject(run);
    }
  };

  it("ends the node at the bound with a code of its own, and takes the route of a failure", () => {
    const run = working(failing, [works("work"), END, RESCUE]);
    rejectMany(run, MOST_REJECTIONS - 1);
    expect(run.state()).toMatchObject({ status: "running", currentNode: "work" });
    rejectMany(run, 1, MOST_REJECTIONS);
    expect(run.state()).toMatchObject({ currentNode: "rescue", lastError: { node: "work", code: "rejection_limit" } });
    expect(made(run)).toBe(0);
  });

  it("leads to nothing that a person did not allow: the label of what follows is untrusted", () => {
    const act: NodeInput = {
      id: "rescue",
      kind: "tool",
      write_keys: ["out"],
      effect: "write",
      config: { server: "crm", tool: "write", arguments: { to: { value: "eve" } }, write_to: "out" },
    };
    const run = working(failing, [works("work"), END, act]);
    rejectMany(run, MOST_REJECTIONS);
    run.work(intent("crm", "write", { to: "eve" }));
    expect([made(run), run.state().status]).toEqual([0, "waiting"]);
  });

  it("counts a visit with all its retries and tasks", () => {
    const run = working();
    rejectMany(run, MOST_REJECTIONS - 1);
    run.work(createFailure("model_failed", { retryable: true }));
    run.pass(10_000);
    drive(run);
    write(run, { to: "eve99" }, "1//w");
    reject(run);
    expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "rejection_limit" } });
  });

  it("starts again at the next visit, which the run's iterations bound", () => {
    const run = working({}, [works("work"), works("other"), END]);
    rejectMany(run, MOST_REJECTIONS - 1);
    run.work(result());
    write(run, { to: "eve99" }, "o");
    reject(run);
    expect(run.state()).toMatchObject({ status: "running", currentNode: "other" });
  });
});

it("a tool node's rejected call still fails its node", () => {
  const act: NodeInput = {
    id: "act",
    kind: "tool",
    approval: "always",
    read_keys: ["clean"],
    write_keys: ["out"],
    config: { server: "crm", tool: "write", arguments: { to: { from: "clean" } }, write_to: "out" },
  };
  const run = working({}, [act, END]);
  run.work(intent("crm", "write", { to: "c" }));
  reject(run);
  expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "approval_rejected" } });
});

it("a call sent back for changes is not a rejected one", () => {
  const run = working();
  ask(run);
  write(run, { to: "eve" }, "a");
  run.propose(reviewer, { ...decision(run, reviewer), decision: "request_changes", reason: "less" });
  write(run, { to: "eve" }, "b");
  expect(run.state().status).toBe("waiting");
});
