import { expect, test } from "vitest";
import { CONTEXT } from "@/lib/graph/testing/graph-builders";
import { diffRegistry } from "./registry-diff";

const [writer] = CONTEXT.agents;
const [find] = CONTEXT.tools;
if (!writer || !find) throw new Error("the context is empty");

test("a version with the agents and tools of now differs in nothing, whatever else there is", () => {
  expect(diffRegistry({ agents: [structuredClone(writer)], tools: [find] }, CONTEXT)).toEqual({ agents: [], tools: [] });
});

test("names changed and missing agents and tools, with both sides", () => {
  const changed = { ...writer, tools: [{ server: "desk", tool: "wipe" }] };
  const gone = { ...writer, id: "gone" };
  const labelled = { ...find, clearance: "pii" as const };
  expect(diffRegistry({ agents: [changed, gone], tools: [labelled, { ...find, tool: "old" }] }, CONTEXT)).toEqual({
    agents: [
      { now: writer, frozen: changed },
      { now: null, frozen: gone },
    ],
    tools: [
      { now: find, frozen: labelled },
      { now: null, frozen: { ...find, tool: "old" } },
    ],
  });
});
