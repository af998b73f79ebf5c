/** Validates, analyses and runs a graph with the throw-away kind. Bundled by the test. */
import { toMemory } from "@/lib/engine/state";
import { started } from "@/lib/engine/testing/run";
import { analyse } from "@/lib/graph/analyse";
import { graphSchema } from "@/lib/graph/document";
import { validateGraph } from "@/lib/graph/validate";
import { playOut } from "@/server/executors/testing/play-run";

const CONTEXT = { agents: [], tools: [], versions: [] };

const graphWith = (grants: readonly string[], integrity: "untrusted" | "reviewed") => ({
  format: "countersign/graph/v1",
  id: "echoes",
  name: "Echoes",
  inputs: { type: "object", properties: { topic: {} }, additionalProperties: false },
  memory: [
    { key: "topic", schema: {} },
    { key: "said", schema: {} },
    { key: "again", schema: {}, min_integrity: integrity },
  ],
  nodes: [
    { id: "one", kind: "echo", read_keys: grants, write_keys: ["said"], config: { from: "topic", write_to: "said" } },
    { id: "two", kind: "echo", read_keys: ["said"], write_keys: ["again"], config: { from: "said", write_to: "again" } },
  ],
  edges: [{ id: "on", source: "one", target: "two" }],
  start_node: "one",
  end_nodes: ["two"],
});

export const listProblems = (grants: readonly string[]) => validateGraph(graphWith(grants, "untrusted"), CONTEXT).map(({ code }) => code);

export const listSinks = () =>
  analyse(graphSchema.parse(graphWith(["topic"], "reviewed")), CONTEXT, { untrustedInputs: true }).flows.map(({ kind, sink }) => ({
    kind,
    node: sink.node,
  }));

export const playEchoes = async () => {
  const run = started(
    { graph: graphSchema.parse(graphWith(["topic"], "untrusted")), agents: [], tools: [], subgraphs: [] },
    { topic: "plans" },
  );
  const unused = (): never => {
    throw new Error("an echo asks no person");
  };
  await playOut(run, { model: unused, tool: unused, person: unused, undo: unused });
  const { status, cells } = run.state();

  return { status, memory: toMemory(cells) };
};
