import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { getControlLabel } from "@/lib/engine/state";
import { child, END, FETCH, fetchAs, step, TOOLS, using, version } from "@/lib/engine/testing/kinds";
import { result, started, update, type TestRun } from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";

type Edges = NonNullable<GraphInput["edges"]>;

const READ = { read_keys: ["mail"] };
const done = (run: TestRun): void => void run.work(result());
const here = (run: TestRun) => [run.state().currentNode, getControlLabel(run.state()).integrity];
const walk = (run: TestRun, count: number) =>
  Array.from({ length: count }, () => {
    done(run);

    return here(run);
  });

const edge = (source: string, target: string, condition?: string): Edges[number] => ({
  id: `${source}_${target}`,
  source,
  target,
  ...(condition === undefined ? {} : { condition }),
});
const otherwise = (source: string, target: string): Edges[number] => ({ id: `${source}_${target}`, source, target, kind: "default" });
const IS_A = 'memory.mail == "a"';

const at = (nodes: readonly string[], edges: Edges, mail: unknown, graph: object = {}): TestRun => {
  const deciding = nodes.map((id) => step(id, id.startsWith("d") ? { kind: "router", config: {}, write_keys: [], ...READ } : {}));
  const run = started(version([FETCH, ...deciding, END], { edges: [edge("fetch", nodes[0] ?? ""), ...edges], ...graph }));
  fetchAs(run, mail);

  return run;
};

describe("untrusted control flow [6]", () => {
  it("ends at the merge of a diamond, and writes there are clean", () => {
    const edges = [edge("d", "a", IS_A), otherwise("d", "b"), edge("a", "j"), edge("b", "j"), edge("j", "end")];
    for (const mail of ["a", "x"]) {
      const run = at(["d", "a", "b", "j"], edges, mail);
      expect(walk(run, 2)).toEqual([
        [mail === "a" ? "a" : "b", "untrusted"],
        ["j", "trusted"],
      ]);
      run.work(result(update("note", 1)));
      expect(run.state().cells.find(({ path }) => path === "note")?.label.integrity).toBe("trusted");
    }
  });

  it("is in writes in between", () => {
    const run = at(
      ["d", "a", "b", "j"],
      [edge("d", "a", IS_A), otherwise("d", "b"), edge("a", "j"), edge("b", "j"), edge("j", "end")],
      "a",
    );
    done(run);
    run.work(result(update("note", 1)));
    expect(run.state().cells.find(({ path }) => path === "note")?.label).toMatchObject({ integrity: "untrusted" });
  });

  it("ends at each decision's own merge when nested", () => {
    const edges = [
      edge("d1", "d2", IS_A),
      otherwise("d1", "b"),
      edge("d2", "c", IS_A),
      otherwise("d2", "e"),
      edge("c", "k"),
      edge("e", "k"),
      edge("k", "j"),
      edge("b", "j"),
      edge("j", "end"),
    ];
    const run = at(["d1", "d2", "b", "c", "e", "k", "j"], edges, "a");
    done(run);
    expect(run.state().controls.map(({ until }) => until)).toEqual(["j"]);
    done(run);
    expect(run.state().controls.map(({ until }) => until)).toEqual(["j", "k"]);
    expect(walk(run, 2)).toEqual([
      ["k", "untrusted"],
      ["j", "trusted"],
    ]);
  });

  it("lasts through a loop and ends behind it", () => {
    const run = at(["h", "d", "x"], [edge("h", "d"), edge("d", "h", IS_A), otherwise("d", "x"), edge("x", "end")], "a", {
      max_iterations: 50,
    });
    expect(walk(run, 4)).toEqual([
      ["d", "trusted"],
      ["h", "untrusted"],
      ["d", "untrusted"],
      ["h", "untrusted"],
    ]);
    const out = at(["h", "d", "x"], [edge("h", "d"), edge("d", "h", IS_A), otherwise("d", "x"), edge("x", "end")], "x");
    expect(walk(out, 2).at(-1)).toEqual(["x", "trusted"]);
  });

  it("ends where paths of unequal lengths merge, on either", () => {
    const edges = [edge("d", "a", IS_A), otherwise("d", "j"), edge("a", "b"), edge("b", "j"), edge("j", "end")];
    expect(walk(at(["d", "a", "b", "j"], edges, "a"), 3)).toEqual([
      ["a", "untrusted"],
      ["b", "untrusted"],
      ["j", "trusted"],
    ]);
    expect(walk(at(["d", "a", "b", "j"], edges, "x"), 1)).toEqual([["j", "trusted"]]);
  });

  it("cannot be inferred from path lengths afterwards", () => {
    const edges = [
      edge("d", "a", IS_A),
      otherwise("d", "j"),
      edge("a", "j"),
      edge("j", "p", "run.iteration_count > 2"),
      otherwise("j", "q"),
    ];
    const run = at(["d", "a", "j", "p", "q"], edges, "a", { end_nodes: ["p", "q"] });
    walk(run, 2);
    expect(here(run)).toEqual(["j", "trusted"]);
    done(run);
    expect(here(run)).toEqual(["p", "untrusted"]);
  });

  it("counts the failures a server caused", () => {
    const edges = [edge("fetch", "p", "run.retry_count > 0"), otherwise("fetch", "q")];
    const run = started(version([FETCH, step("p"), step("q")], { edges, end_nodes: ["p", "q"] }));
    run.work(createFailure("tool_error", { retryable: true }));
    run.pass(120_000);
    drive(run);
    fetchAs(run);
    expect(here(run)).toEqual(["p", "untrusted"]);
  });

  it("follows an error edge until the merge", () => {
    const edges: Edges = [
      edge("t", "a"),
      { id: "err", source: "t", target: "b", kind: "error" },
      edge("a", "j"),
      edge("b", "j"),
      edge("j", "end"),
    ];
    const run = at(["t", "a", "b", "j"], edges, "x");
    const tool = started(
      version([FETCH, step("b"), step("j"), END], {
        edges: [{ id: "err", source: "fetch", target: "b", kind: "error" }, edge("fetch", "j"), edge("b", "j"), edge("j", "end")],
      }),
    );
    tool.work(createFailure());
    expect(here(tool)).toEqual(["b", "untrusted"]);
    expect(walk(tool, 1)).toEqual([["j", "trusted"]]);
    // A transform's failure depends on its inputs only; it has none.
    run.work(createFailure());
    expect(here(run)).toEqual(["b", "trusted"]);
  });

  it("is in a subgraph from first to last node, and outside afterwards", () => {
    const inner = version([step("one"), step("two")]);
    const graph = version(
      [FETCH, step("d", { kind: "router", config: {}, write_keys: [], ...READ }), using("s", "c", {}), step("b"), END],
      {
        edges: [edge("fetch", "d"), edge("d", "s", IS_A), otherwise("d", "b"), edge("s", "end"), edge("b", "end")],
      },
      { subgraphs: [child("c", inner)] },
    );
    const run = started(graph);
    fetchAs(run, "a");
    expect(walk(run, 3)).toEqual([
      ["s", "untrusted"],
      ["one", "untrusted"],
      ["two", "untrusted"],
    ]);
    done(run);
    drive(run);
    expect(here(run)).toEqual(["end", "trusted"]);
  });

  it("ends inside a subgraph at its own merge, whatever outer nodes are called", () => {
    const inner = version([FETCH, step("d", { kind: "router", config: {}, write_keys: [], ...READ }), step("a"), step("end")], {
      edges: [edge("fetch", "d"), edge("d", "a", IS_A), otherwise("d", "end"), edge("a", "end")],
    });
    const run = started(
      version(
        [
          FETCH,
          step("d", { kind: "router", config: {}, write_keys: [], ...READ }),
          using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }),
          step("end"),
          step("z"),
        ],
        {
          edges: [edge("fetch", "d"), edge("d", "s", IS_A), otherwise("d", "end"), edge("s", "end"), edge("end", "z")],
        },
        { subgraphs: [child("c", inner)] },
      ),
    );
    fetchAs(run, "a");
    done(run);
    done(run);
    fetchAs(run, "x");
    done(run);
    // The outer branch still holds inside.
    expect(here(run)).toEqual(["end", "untrusted"]);
  });

  it("includes a subgraph's failure, whatever failed inside", () => {
    const inner = version([FETCH]);
    const run = started(
      version(
        [using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), step("b"), END],
        {
          edges: [edge("s", "end"), { id: "err", source: "s", target: "b", kind: "error" }],
          end_nodes: ["b", "end"],
        },
        { subgraphs: [child("c", inner)] },
      ),
    );
    done(run);
    run.work(createFailure());
    drive(run);
    expect(here(run)).toEqual(["b", "untrusted"]);
  });

  const failingInside = (published: ReturnType<typeof version>): TestRun => {
    const graph = version(
      [using("s", "c", { inputs: { topic: "topic" } }, { read_keys: ["topic"] }), step("b"), END],
      { edges: [edge("s", "end"), { id: "err", source: "s", target: "b", kind: "error" }], end_nodes: ["b", "end"] },
      { subgraphs: [child("c", published)] },
    );
    const run = started(graph);
    done(run);

    return run;
  };

  it("includes a subgraph's waiting time, as untrusted", () => {
    const run = failingInside(version([FETCH], { max_execution_time_ms: 1_000 }));
    run.pass(1_000);
    drive(run);
    expect(here(run)).toEqual(["b", "untrusted"]);
  });

  it("includes the confidentiality of a failed subgraph's values", () => {
    const tools = TOOLS.map((pin) => ({ ...pin, output: "secret" as const }));
    const run = failingInside(version([FETCH, step("t")], {}, { tools }));
    fetchAs(run);
    run.work(createFailure());
    drive(run);
    expect(run.state().currentNode).toBe("b");
    expect(getControlLabel(run.state()).confidentiality).toBe("secret");
  });
});
