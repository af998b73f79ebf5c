import { describe, expect, test, vi } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { countersign, fileIn, SMALL_GRAPH } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

type Printed = { readonly problems: readonly { code: string; severity: string; ids: string[]; message: string }[] };

const validate = (name: string, content: unknown): Promise<{ code: number | null } & Printed> =>
  inTemporaryFolder(async (folder) => {
    const { code, stdout } = await countersign(["validate", fileIn(folder, name, content)]);
    // What the command prints is the subject.
    const printed = JSON.parse(stdout) as Printed;

    return { code, ...printed };
  });

describe("countersign validate", () => {
  test("a graph without problems exits with 0, also in YAML and with its agents", async () => {
    expect(await validate("graph.json", SMALL_GRAPH)).toEqual({ code: 0, problems: [] });
    const yaml = `
format: countersign/graph/v1
id: small
name: Small
nodes:
  - { id: go, kind: router, config: {} }
edges: []
start_node: go
end_nodes: [go]
`;
    expect(await validate("graph.yaml", yaml)).toEqual({ code: 0, problems: [] });
  });

  test("each error has a code, a severity, ids and a message, and exits with 1", async () => {
    const { code, problems } = await validate("graph.json", { ...SMALL_GRAPH, start_node: "nowhere" });

    expect(code).toBe(1);
    expect(problems).toContainEqual({
      code: "unknown_start",
      severity: "error",
      ids: expect.any(Array) as string[],
      message: expect.any(String) as string,
    });
  });

  test("an unknown key is an error at its node", async () => {
    const nodes = SMALL_GRAPH.nodes.map((node) => ({ ...node, powers: "all" }));
    const { code, problems } = await validate("graph.json", { ...SMALL_GRAPH, nodes });

    expect(code).toBe(1);
    expect(problems).toMatchObject([{ code: "shape", ids: ["write"] }]);
  });

  test("an agent that the file should carry is missed, and one that is malformed named", async () => {
    expect(await validate("graph.json", { ...SMALL_GRAPH, agents: [] })).toMatchObject({ code: 1, problems: [{ code: "agent_unknown" }] });
    const malformed = { ...SMALL_GRAPH, agents: [{ id: "writer", permisions: {} }] };
    expect(await validate("graph.json", malformed)).toMatchObject({ code: 1, problems: [{ code: "shape" }] });
  });

  test("tools are warned about, because nothing is started to look at them", async () => {
    const agents = SMALL_GRAPH.agents.map((agent) => ({ ...agent, tools: ["files__read"] }));

    expect(await validate("graph.json", { ...SMALL_GRAPH, agents })).toMatchObject({
      code: 0,
      problems: [{ code: "tool_unchecked", severity: "warning", ids: ["files__read"] }],
    });
  });

  test.each([
    ["text that is neither JSON nor YAML", "a: [", "is not valid JSON or YAML"],
    ["a document that is something else", { name: "package" }, "not a graph document"],
    ["a list", [1, 2], "not a graph document"],
    ["a key that stands twice", "id: a\nid: b\n", 'The property "id" appears twice.'],
    ["a document with a forbidden key", '{"format":"countersign/graph/v1","__proto__":{"x":1}}', "A property must not be called __proto__"],
  ])("%s is one problem in one clear sentence", async (_what, content, words) => {
    const { code, problems } = await validate("graph", content);

    expect(code).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(words);
  });

  test("a file that is not there is a problem too", async () => {
    const { code, stdout } = await countersign(["validate", "/nonexistent/graph.json"]);

    expect(code).toBe(1);
    expect(stdout).toContain("does not exist");
  });
});

describe("the command line", () => {
  test("help exits with 0; nothing, an unknown command and unknown options with 1", async () => {
    expect(await countersign(["help"])).toMatchObject({ code: 0, stderr: "" });
    expect(await countersign([])).toMatchObject({ code: 1, stdout: "" });
    expect(await countersign(["dance"])).toMatchObject({ code: 1, stderr: expect.stringContaining('unknown command "dance"') as string });
    expect(await countersign(["validate", "x", "--force"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--force") as string,
    });
    expect(await countersign(["validate"])).toMatchObject({ code: 1, stderr: expect.stringContaining("exactly one FILE") as string });
  });

  test("keys of an installation that never was are a sentence", async () => {
    expect(await countersign(["keys"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no trust anchor") as string,
    });
  });
});
