import { describe, expect, test } from "vitest";
import type { ForkChange } from "@/lib/engine/forks/fork-change";
import { forkOf } from "@/lib/engine/testing/fork";
import { edgesWith, nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { END, step, version, writer } from "@/lib/engine/testing/kinds";
import {
  atParse,
  atTriage,
  getCode,
  decideAs,
  hashOf,
  intent,
  openGate,
  result,
  REVIEWER,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import type { PublishedGraph } from "@/lib/graph/document";

const end = (run: TestRun) => run.state().version;
const codes = (parent: TestRun, change: ForkChange, published?: PublishedGraph) =>
  (["live", "simulate"] as const).map((effects) =>
    getCode(forkOf(parent, end(parent), change, { effects, ...(published ? { version: published } : {}) }).verdict),
  );
const toVersion = (published: PublishedGraph) => ({ type: "version", graph_hash: hashOf(published) }) as const;

describe("a live fork", () => {
  test("cannot turn strict taint off, but on", () => {
    const parent = atParse(publishWith({ strict_taint: true }));

    expect(codes(parent, { type: "strict_taint", value: false })).toEqual(["fork_widens", "accepted"]);
    expect(codes(atParse(), { type: "strict_taint", value: true })).toEqual(["accepted", "accepted"]);
  });

  test("cannot take a version with more rights, but with fewer", () => {
    const wide = publishWith();
    const narrow = publishWith({ nodes: nodesWith("write", { approval: "always" }) });

    expect(codes(atParse(narrow), toVersion(wide), wide)).toEqual(["fork_widens", "accepted"]);
    expect(codes(atParse(wide), toVersion(narrow), narrow)).toEqual(["accepted", "accepted"]);
  });

  test("cannot take a route that the graph did not", () => {
    const published = publishWith({ edges: edgesWith("free", { condition: "memory.request.plan == 'free'" }) });
    const parent = atTriage(published);
    parent.work(result());
    const taken = published.graph.edges.find(({ target }) => target === parent.state().currentNode);
    const other = published.graph.edges.find(({ source, id }) => source === taken?.source && id !== taken?.id);

    expect(codes(parent, { type: "route", edge: other?.id ?? "" })).toEqual(["fork_widens", "accepted"]);
  });
});

describe("a value that is changed in a live fork", () => {
  const changed = (effects: "live" | "simulate") => {
    const parent = started(version([step("first"), writer("act"), END]), { topic: "plans" });
    parent.work(result(update("out", "1")));
    const fork = forkOf(parent, end(parent), { type: "memory", path: "topic", value: "other" }, { effects });
    fork.work(intent("crm", "write", { what: "other", by: "act" }));

    return fork;
  };

  test("is untrusted, so a write with it needs approval", () => {
    const fork = changed("live");

    expect(fork.state().effects).toEqual({});
    expect(openGate(fork).gate.reason).toBe("tainted_effect");
  });

  test("has its editor's trust in a simulation", () => {
    expect(Object.values(changed("simulate").state().effects)).toHaveLength(1);
  });
});

describe("a trusted write behind an approval node", () => {
  const GRAPH = version([
    step("first"),
    { id: "ask", kind: "approval", config: { prompt: "Act?", review_keys: ["topic"] } },
    writer("act"),
    END,
  ]);
  const approved = () => {
    const parent = started(GRAPH, { topic: "plans" });
    parent.work(result(update("out", "1")));
    const asked = end(parent);
    parent.work(result({ type: "request_human_input", prompt: "" }));
    decideAs(parent, user(REVIEWER));

    return { parent, asked };
  };
  const act = (run: TestRun) => run.work(intent("crm", "write", { what: "plans", by: "act" }));

  test("passes in the approved run", () => {
    const { parent } = approved();
    act(parent);

    expect(Object.values(parent.state().effects)).toHaveLength(1);
  });

  test("asks again in a live fork behind it: one approval releases one effect", () => {
    const { parent } = approved();
    const fork = forkOf(parent, end(parent), { type: "none" }, { effects: "live" });
    act(fork);

    expect(fork.state().effects).toEqual({});
    expect(openGate(fork).gate.reason).toBe("effect");
    decideAs(fork, user(REVIEWER));
    act(fork);
    expect(Object.values(fork.state().effects)).toHaveLength(1);
  });

  test("asks once in a live fork from before it, at the approval node", () => {
    const { parent, asked } = approved();
    const fork = forkOf(parent, asked, { type: "none" }, { effects: "live" });
    fork.work(result({ type: "request_human_input", prompt: "" }));
    decideAs(fork, user(REVIEWER));
    act(fork);

    expect(Object.values(fork.state().effects)).toHaveLength(1);
  });
});
