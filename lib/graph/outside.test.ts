import { expect, test } from "vitest";
import { graphSchema, type GraphInput } from "@/lib/graph/document";
import { validateGraph } from "@/lib/graph/validate";

const EXTERNAL = { read_keys: ["note"] };
const INPUTS = [{ name: "note", path: "note" }];

const codes = (external: GraphInput["external"], inputs: typeof INPUTS) => {
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "desk",
    name: "Desk",
    memory: [
      { key: "note", schema: { type: "string" } },
      { key: "size", schema: { type: "number" } },
    ],
    start_node: "look",
    end_nodes: ["close"],
    external,
    nodes: [
      {
        id: "look",
        kind: "transform",
        read_keys: ["note"],
        write_keys: ["size"],
        action: { inputs },
        config: { set: [{ path: "size", value: "size(memory.note)" }] },
      },
      { id: "more", kind: "router", config: {} },
      { id: "close", kind: "router", config: {} },
    ],
    edges: [
      { id: "go_on", source: "look", target: "more" },
      { id: "give_up", source: "look", target: "close" },
      { id: "done", source: "more", target: "close" },
    ],
  } satisfies GraphInput);

  return validateGraph(graph, { agents: [], tools: [], versions: [] }).map(({ code }) => code);
};

test("several unconditional edges are a choice for an outside agent, and an error otherwise", () => {
  expect(codes(EXTERNAL, INPUTS)).toEqual([]);
  expect(codes(undefined, INPUTS)).toContain("overlap");
});

test("what an action's inputs bring is there for its node to read, and nothing else is", () => {
  expect(codes(EXTERNAL, INPUTS)).not.toContain("read_never_written");
  expect(codes(EXTERNAL, [])).toContain("read_never_written");
});
