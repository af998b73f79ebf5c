import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { orderGraphs, readGraphFile, type GraphFile } from "@/server/cli/graph-file";
import type { CliHost } from "@/server/cli/host";
import { runCli } from "@/server/cli/main";
import { splitParts } from "@/server/cli/graph-parts";
import type { CliProblem } from "@/server/cli/problem";

const folder = mkdtempSync(path.join(tmpdir(), "countersign-subgraphs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

const fileOf = (content: unknown): string => {
  made += 1;
  const file = path.join(folder, `${made}.json`);
  writeFileSync(file, JSON.stringify(content));

  return file;
};

const validate = async (content: unknown): Promise<{ readonly code: number; readonly problems: readonly CliProblem[] }> => {
  let printed = "";
  const host: CliHost = {
    home: folder,
    cwd: folder,
    root: process.cwd(),
    ordinaryEnvironment: {},
    installerEnvironment: {},
    secret: () => undefined,
    input: process.stdin,
    output: process.stdout,
    out: async (text) => void (printed += text),
    err: async () => undefined,
    defer: () => undefined,
    verifierHtml: async () => "",
    openInstalledDatabase: () => false,
    findDatabaseUrl: () => null,
    openThrowAwayDatabase: async () => undefined,
  };
  const code = await runCli(["validate", fileOf(content)], host);
  const { problems } = JSON.parse(printed) as { readonly problems: readonly CliProblem[] };

  return { code, problems };
};

const read = async (content: unknown): Promise<GraphFile> => {
  const file = await readGraphFile(fileOf(content), []);
  if (!file.ok) throw new Error(file.error[0]?.message);

  return file.value;
};

type Node = Readonly<Record<string, unknown>>;

const graph = (id: string, nodes: readonly Node[], more: Node = {}) => ({
  format: "countersign/graph/v1",
  id,
  name: id,
  max_token_budget: 1_000,
  memory: [{ key: "answer", schema: { type: "string" } }],
  nodes,
  edges: nodes.slice(1).map((node, index) => ({ id: `e${index}`, source: nodes[index]?.["id"], target: node["id"] })),
  start_node: nodes[0]?.["id"],
  end_nodes: [nodes.at(-1)?.["id"]],
  ...more,
});

const step = (id: string): Node => ({
  id: `to-${id}`,
  kind: "subgraph",
  write_keys: ["answer"],
  config: { graph_id: id, outputs: { answer: "answer" } },
});
const speak: Node = { id: "speak", kind: "agent", write_keys: ["answer"], config: { agent_id: "writer" } };
const WRITER = { id: "writer" };

const errorsOf = (problems: readonly CliProblem[]) => problems.filter(({ severity }) => severity === "error");

describe("a file that carries the graphs it uses", () => {
  test("is valid when they are, and nothing of them is left unlooked at", async () => {
    const inner = graph("inner", [speak], { agents: [WRITER] });
    expect(await validate(graph("main", [step("inner")], { subgraphs: [inner] }))).toEqual({ code: 0, problems: [] });
  });

  test("is invalid by an error inside one of them, which is named", async () => {
    const inner = graph("inner", [speak], { agents: [WRITER], start_node: "nowhere" });
    const { code, problems } = await validate(graph("main", [step("inner")], { subgraphs: [inner] }));
    expect(code).toBe(1);
    const found = errorsOf(problems).find((problem) => problem.code === "unknown_start");
    expect(found?.ids[0]).toBe("inner");
    expect(found?.message).toMatch(/^In the subgraph inner: /u);
  });

  test("names the one whose form is wrong", async () => {
    const { code, problems } = await validate(graph("main", [step("inner")], { subgraphs: [graph("inner", [speak], { tempo: 3 })] }));
    expect(code).toBe(1);
    expect(problems.map(({ message }) => message).join()).toMatch(/^subgraphs\.0: /u);
  });

  test.each([
    ["no list", { inner: 1 }, "subgraphs: expected a list"],
    ["no graph", ["inner"], "subgraphs.0 is not a graph document"],
  ])("is refused when what it carries is %s", async (_what, subgraphs, words) => {
    const { code, problems } = await validate(graph("main", [step("inner")], { subgraphs }));
    expect(code).toBe(1);
    expect(problems[0]?.message).toContain(words);
  });

  test("may not name two graphs alike, at whatever depth", async () => {
    const deep = graph("outer", [step("main")], { subgraphs: [graph("main", [speak], { agents: [WRITER] })] });
    const { code, problems } = await validate(graph("main", [step("outer")], { subgraphs: [deep] }));
    expect(code).toBe(1);
    expect(problems).toMatchObject([{ code: "duplicate_graph", ids: ["main"] }]);
  });
});

test("a graph that is not among those that the file carries is an error", async () => {
  const { code, problems } = await validate(graph("main", [step("elsewhere")], { subgraphs: [] }));
  expect(code).toBe(1);
  expect(problems).toMatchObject([{ code: "subgraph_unknown", ids: ["to-elsewhere"] }]);
});

test("a graph of which the file says nothing is warned about, as a registry's agents are, whatever is given to it and taken from it", async () => {
  const fed = {
    ...step("elsewhere"),
    read_keys: ["answer"],
    config: { graph_id: "elsewhere", version: "a".repeat(64), inputs: { text: "answer" }, outputs: { answer: "result.text" } },
  };
  const { code, problems } = await validate(graph("main", [speak, fed]));
  expect(code).toBe(0);
  expect(problems).toMatchObject([
    { code: "agent_unchecked", ids: ["writer"] },
    { code: "subgraph_unchecked", ids: ["elsewhere"] },
  ]);
});

test("a graph without agents of its own has those of the graph around it, and one with agents only its own", async () => {
  const own = graph("own", [speak], { agents: [{ ...WRITER, max_steps: 3 }] });
  const file = await read(graph("main", [step("bare")], { agents: [WRITER], subgraphs: [graph("bare", [speak]), own] }));
  expect(orderGraphs(file).map(({ agents }) => agents?.[0]?.max_steps)).toEqual([10, 3, 10]);
});

test("graphs are published before what uses them, each with the versions that came before", async () => {
  const middle = graph("middle", [step("deep")], { subgraphs: [graph("deep", [speak])] });
  const file = await read(graph("main", [step("middle")], { agents: [WRITER], subgraphs: [middle, graph("late", [step("deep")])] }));
  const agents = [agentSchema.parse({ id: "writer", name: "writer" })];
  const parts = splitParts(file, () => ({ agents, tools: [], versions: [] }));
  expect(parts.map((part) => part.file.graph.id)).toEqual(["deep", "middle", "late", "main"]);
  const [deep, mid, , main] = parts.map(({ version }) => version);
  expect(new Set(main?.published.subgraphs.map(({ version }) => version))).toEqual(new Set([deep?.version, mid?.version]));
  expect(main?.published.graph.nodes[0]).toMatchObject({ config: { version: mid?.version } });
});
