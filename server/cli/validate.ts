/** Lists the canvas's problems, skipping tools: it starts no server. */
import { getToolId } from "@/lib/graph/tool-ref";
import { parseArguments } from "./arguments";
import { orderGraphs, readGraphFile, type GraphFile } from "./graph-file";
import type { CliCommand } from "./host";
import { listPartProblems, splitParts } from "./graph-parts";
import { formatJsonLine, type CliProblem } from "./problem";
import { listNamedAgents, listNamedGraphs, listNamedTools, createUnknownAgent, createUnknownTool, listUnknownVersions } from "./stand-ins";

const unchecked = (code: string, id: string, message: string): CliProblem => ({ code, severity: "warning", ids: [id], message });

const warnings = (graphs: readonly GraphFile[], root: GraphFile): CliProblem[] => {
  const tools = new Map(graphs.flatMap(listNamedTools).map((tool) => [getToolId(tool.server, tool.tool), tool]));
  const agents = new Set(graphs.flatMap(({ graph, agents: carried }) => (carried === null ? listNamedAgents(graph) : [])));

  return [
    ...[...tools].map(([id, { server, tool }]) =>
      unchecked("tool_unchecked", id, `${server}/${tool} was not checked, because validate does not start servers.`),
    ),
    ...[...agents].map((id) =>
      unchecked("agent_unchecked", id, `The file does not include agent ${id}, so its permissions were not checked.`),
    ),
    ...(root.subgraphs === null ? listNamedGraphs(root.graph) : []).map((id) =>
      unchecked("subgraph_unchecked", id, `The file does not include graph ${id}, so it was not checked.`),
    ),
  ];
};

const problemsOf = (root: GraphFile): CliProblem[] => {
  const parts = splitParts(root, (file) => ({
    agents: file.agents ?? listNamedAgents(file.graph).map(createUnknownAgent),
    tools: listNamedTools(file).map(createUnknownTool),
    versions: root.subgraphs === null ? listUnknownVersions(file.graph) : [],
  }));

  return [...listPartProblems(parts), ...warnings(orderGraphs(root), root)];
};

export const validateCommand: CliCommand = async (argv, host) => {
  const { operand } = parseArguments(argv, "FILE", { json: "boolean" });
  const file = await readGraphFile(operand, []);
  const problems = file.ok ? problemsOf(file.value) : file.error;
  await host.out(formatJsonLine({ problems }));

  return problems.some(({ severity }) => severity === "error") ? 1 : 0;
};
