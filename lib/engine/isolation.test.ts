import { describe, expect, test } from "vitest";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { handleOf } from "@/lib/engine/isolation";
import { getPublishedHere } from "@/lib/engine/frame";
import { child, END, FETCH, fetchAs, step, using, version, writer } from "@/lib/engine/testing/kinds";
import {
  call,
  decideAs,
  getCode,
  intent,
  openGate,
  result,
  REVIEWER,
  settle,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ask } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const CANARY = "canary-44";
const agentNode = (reads: string[], change: object = {}): NodeInput => ({
  id: "think",
  kind: "agent",
  effect: "write",
  read_keys: reads,
  write_keys: ["note"],
  config: { agent_id: "handy" },
  ...change,
});

const isolated = (nodes: readonly NodeInput[], graph: Partial<GraphInput> = {}): PublishedGraph =>
  version(nodes, { isolate_untrusted: true, ...graph });

const given = (run: TestRun) => {
  const node = run.published.graph.nodes.find(({ id }) => id === run.state().currentNode);
  if (!node) throw new Error("the run is at no node");

  return buildExecutorInput(run.published, run.state(), node, run.state().activation ?? 0);
};
const labelOf = (run: TestRun, path: string) => run.state().cells.find((cell) => cell.path === path)?.label;
const FETCHED = { subject: CANARY, more: [1, 2] };
const atAgent = (reads: string[], change: object = {}, graph: Partial<GraphInput> = {}): TestRun => {
  const run = started(isolated([FETCH, agentNode(reads, change), END], graph), { topic: "plans", clean: { a: 1, b: 2 } });
  fetchAs(run, FETCHED);

  return run;
};

describe("under isolation, an agent", () => {
  test("sees a handle with place, type, size class and integrity, but no content", () => {
    const run = atAgent(["mail", "topic", "clean.a"]);
    expect(given(run).view).toEqual({
      topic: "plans",
      clean: { a: 1 },
      mail: { $handle: { key: "mail", type: "object", bytes: 64, label: { integrity: "untrusted", confidentiality: "internal" } } },
    });
    expect(JSON.stringify(given(run))).not.toContain(CANARY);
  });

  test("learns no more of a part than of the whole, not even its existence", () => {
    const there = atAgent(["mail.subject"]);
    const absent = atAgent(["mail.nowhere"]);
    const shown = (run: TestRun, name: string) => JSON.stringify(given(run).view).replaceAll(name, "part");
    expect(shown(there, "subject")).toBe(shown(absent, "nowhere"));
    expect(shown(there, "subject")).toContain("$handle");
  });

  test("sees trusted values below untrusted ones, and not the reverse", () => {
    const tool = { ...FETCH, write_keys: ["clean.b"], config: { ...(FETCH.config as object), write_to: "clean.b" } } as NodeInput;
    const run = started(isolated([tool, agentNode(["clean"]), END]), { topic: "plans", clean: { a: 1, b: 2 } });
    call(run, "docs", "read", { topic: "plans" }, CANARY);
    run.work(result(update("clean.b", CANARY)));
    expect(given(run).view).toMatchObject({ clean: { a: 1, b: { $handle: { key: "clean.b", type: "string" } } } });
  });

  test("is not influenced by hidden values: its writes and calls stay trusted, but it chose them", () => {
    const run = atAgent(["mail", "topic"]);
    ask(run, "");
    run.work(intent("crm", "write", { what: "x" }));
    expect(openGate(run).gate.reason).toBe("effect");
    decideAs(run, user(REVIEWER));
    expect(getCode(run.work(intent("crm", "write", { what: "x" })))).toBe("accepted");
    settle(run, { text: CANARY });
    run.work(result(update("note", "done")));
    expect(labelOf(run, "note")?.integrity).toBe("trusted");
    expect(labelOf(run, "note")?.provenance).not.toContain("mcp:docs/read");
  });

  test("leaves the label of hidden values on their undo", () => {
    const compensation = { server: "crm", tool: "undo", arguments: { what: { from: "mail" as const } } };
    const run = atAgent(["mail"], { compensation });
    run.work(intent("crm", "write", {}));
    decideAs(run, user(REVIEWER));
    expect(getCode(run.work(intent("crm", "write", {})))).toBe("accepted");
    const beside = (name: string) => run.state().aside.find(({ path }) => path.startsWith(name))?.label.integrity;
    expect(beside("$arguments.")).toBe("trusted");
    settle(run, "ok");
    expect(beside("$undo.")).toBe("untrusted");
  });

  test("sees a handle for tool answers and errors, also after a resume", () => {
    const run = atAgent(["topic"]);
    ask(run, "", { tool_calls: [{ id: "c0", name: "docs__read", input: {} }] });
    run.work({ ...intent("docs", "read", {}), call_id: "0//c0" });
    settle(run, { error: CANARY }, "tool_error");
    const [, answer] = given(run).threads[""] ?? [];
    expect(answer).toMatchObject({ role: "tool", status: "tool_error", result: { $handle: { key: "docs/read", type: "object" } } });
    expect(JSON.stringify(given(run))).not.toContain(CANARY);
  });

  test("gets a handle for untrusted goals, facts and list items", () => {
    const base = atAgent(["topic"], { config: { agent_id: "handy", recall: { topics: ["t"] } } });
    const activation = base.state().activation ?? 0;
    const label = { integrity: "untrusted" as const, confidentiality: "internal" as const, provenance: [] };
    base.propose(
      { type: "engine", epoch: 1 },
      { kind: "recall", activation, facts: [{ topic: "t", text: CANARY, label, run: base.state().run }] },
    );
    expect(given(base).recalled).toEqual([{ topic: "t", text: expect.stringContaining("$handle") as unknown }]);
    const map: NodeInput = {
      id: "map",
      kind: "map",
      read_keys: ["mail"],
      write_keys: ["out"],
      config: { worker_node: "w", items: { from: "mail" } },
    };
    const worker = { ...agentNode([]), id: "w", write_keys: [] };
    const run = started(
      isolated([FETCH, map, END, worker], {
        edges: [
          { id: "a", source: "fetch", target: "map" },
          { id: "b", source: "map", target: "end" },
        ],
        end_nodes: ["end"],
      }),
    );
    call(run, "docs", "read", { topic: "plans" }, null);
    run.work(result(update("mail", [CANARY, "b"])));
    if (run.state().currentNode === "fetch") throw new Error("the list was not fetched");
    expect(given(run).view).toMatchObject({ mail: [{ $handle: { key: "mail.0" } }, { $handle: { key: "mail.1" } }] });
    expect(JSON.stringify(given(run))).not.toContain(CANARY);
  });

  test("sees nothing of uncertain integrity", () => {
    const run = atAgent(["topic"]);
    const node = run.published.graph.nodes[1];
    const [cell] = run.state().cells.filter(({ path }) => path === "topic");
    if (!node || !cell) throw new Error("there is no topic");
    const viewWith = (change: object) =>
      buildExecutorInput(run.published, { ...run.state(), cells: [{ ...cell, ...change }] }, node, 1).view;
    expect(viewWith({})).toEqual({ topic: "plans" });
    expect(viewWith({ content: { known: false } })).toMatchObject({ topic: { $handle: { type: "unknown" } } });
    expect(viewWith({ label: { ...cell.label, integrity: "sworn" } })).toMatchObject({ topic: { $handle: {} } });
    expect(viewWith({ label: null })).toMatchObject({ topic: { $handle: { label: null } } });
    expect(viewWith({ content: null })).toMatchObject({ topic: { $handle: { bytes: 0 } } });
  });
});

test("a handle names the type, and nothing from inside", () => {
  const typeOf = (value: Json) => (handleOf("k", value, null)["$handle"] as { type: string }).type;
  expect([null, [1], { a: 1 }, "x", 1, true].map(typeOf)).toEqual(["null", "array", "object", "string", "number", "boolean"]);
});

test("a handle's size is a power of two, which reveals little", () => {
  const bytesOf = (text: string) => (handleOf("k", text, null)["$handle"] as { bytes: number }).bytes;
  expect([1, 6, 7, 14, 15].map((length) => bytesOf("x".repeat(length)))).toEqual([4, 8, 16, 16, 32]);
});

test("tools, computations, extracts and reviews see the value and carry its label", () => {
  const send = writer("send", { read_keys: ["mail"], config: { server: "crm", tool: "write", arguments: { what: { from: "mail" } } } });
  const run = started(isolated([FETCH, send, END]));
  fetchAs(run, FETCHED);
  expect(given(run).view).toEqual({ mail: FETCHED });
  expect(getCode(run.work(intent("crm", "write", { what: FETCHED })))).toBe("accepted");
  expect(Object.values(run.state().gates)[0]?.gate.reason).toBe("tainted_effect");
});

test("a subgraph inherits isolation", () => {
  const inside = child("c", version([FETCH, agentNode(["mail"]), step("last")]));
  const published = version(
    [using("sub", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), END],
    { isolate_untrusted: true },
    { subgraphs: [inside] },
  );
  const run = started(published, { topic: "plans" });
  run.work(result());
  call(run, "docs", "read", { topic: "plans" }, FETCHED);
  run.work(result(update("mail", FETCHED)));
  const here = getPublishedHere(published, run.state());
  const node = here.graph.nodes.find(({ id }) => id === "think");
  if (!node) throw new Error("the subgraph is not where it should be");
  expect(buildExecutorInput(here, run.state(), node, 1).view).toMatchObject({ mail: { $handle: {} } });
});
