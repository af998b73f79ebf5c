import { describe, expect, test, vi } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { countersignHere, fileIn, SMALL_GRAPH } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

type Printed = { readonly problems: readonly { code: string; severity: string; ids: string[]; message: string }[] };

const validate = (name: string, content: unknown): Promise<{ code: number | null } & Printed> =>
  inTemporaryFolder(async (folder) => {
    const { code, stdout } = await countersignHere(["validate", fileIn(folder, name, content)]);
    // Cast: the output is under test.
    const printed = JSON.parse(stdout) as Printed;

    return { code, ...printed };
  });

describe("countersign validate", () => {
  test("exits with 0 for a graph without problems, also in YAML and with its agents", async () => {
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

  test("exits with 1 and gives each error a code, a severity, ids and a message", async () => {
    const { code, problems } = await validate("graph.json", { ...SMALL_GRAPH, start_node: "nowhere" });

    expect(code).toBe(1);
    expect(problems).toContainEqual({
      code: "unknown_start",
      severity: "error",
      ids: expect.any(Array) as string[],
      message: expect.any(String) as string,
    });
  });

  test("reports an unknown key at its node", async () => {
    const nodes = SMALL_GRAPH.nodes.map((node) => ({ ...node, powers: "all" }));
    const { code, problems } = await validate("graph.json", { ...SMALL_GRAPH, nodes });

    expect(code).toBe(1);
    expect(problems).toMatchObject([{ code: "shape", ids: ["write"] }]);
  });

  test("reports a missing agent and a malformed one", async () => {
    expect(await validate("graph.json", { ...SMALL_GRAPH, agents: [] })).toMatchObject({ code: 1, problems: [{ code: "agent_unknown" }] });
    const malformed = { ...SMALL_GRAPH, agents: [{ id: "writer", permisions: {} }] };
    expect(await validate("graph.json", malformed)).toMatchObject({ code: 1, problems: [{ code: "shape" }] });
  });

  test("warns about tools, because it starts no server to check them", async () => {
    const agents = SMALL_GRAPH.agents.map((agent) => ({ ...agent, tools: ["files__read"] }));

    expect(await validate("graph.json", { ...SMALL_GRAPH, agents })).toMatchObject({
      code: 0,
      problems: [{ code: "tool_unchecked", severity: "warning", ids: ["files__read"] }],
    });
  });

  test.each([
    ["text that is neither JSON nor YAML", "a: [", "is not valid JSON or YAML"],
    ["a document of another kind", { name: "package" }, "not a graph document"],
    ["a list", [1, 2], "not a graph document"],
    ["a duplicate key", "id: a\nid: b\n", 'The property "id" appears twice.'],
    ["a document with a forbidden key", '{"format":"countersign/graph/v1","__proto__":{"x":1}}', "A property must not be called __proto__"],
  ])("reports %s as one problem", async (_what, content, words) => {
    const { code, problems } = await validate("graph", content);

    expect(code).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(words);
  });

  test("reports a missing file", async () => {
    const { code, stdout } = await countersignHere(["validate", "/nonexistent/graph.json"]);

    expect(code).toBe(1);
    expect(stdout).toContain("does not exist");
  });
});

describe("the command line", () => {
  test("exits with 0 for help, and with 1 without a command or with an unknown command or option", async () => {
    expect(await countersignHere(["help"])).toMatchObject({ code: 0, stderr: "" });
    expect(await countersignHere([])).toMatchObject({ code: 1, stdout: "" });
    expect(await countersignHere(["dance"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown command "dance"') as string,
    });
    expect(await countersignHere(["validate", "x", "--force"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--force") as string,
    });
    expect(await countersignHere(["validate"])).toMatchObject({ code: 1, stderr: expect.stringContaining("exactly one FILE") as string });
  });

  test("reports keys of a missing installation in one sentence", async () => {
    expect(await countersignHere(["keys"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no trust anchor") as string,
    });
  });
});
