/** `countersign validate FILE`: what the canvas would say. Starts nothing, so tools are not looked at. */
import { toolId } from "@/lib/graph/tool-ref";
import { parseArguments } from "./arguments";
import { graphsInOrder, readGraphFile, type GraphFile } from "./graph-file";
import type { CliCommand } from "./host";
import { partProblems, partsOf } from "./parts";
import { jsonLine, type CliProblem } from "./problem";
import { namedAgents, namedGraphs, namedTools, unknownAgent, unknownTool, unknownVersions } from "./stand-ins";

const unchecked = (code: string, id: string, message: string): CliProblem => ({ code, severity: "warning", ids: [id], message });

const warnings = (graphs: readonly GraphFile[], root: GraphFile): CliProblem[] => {
  const tools = new Map(graphs.flatMap(namedTools).map((tool) => [toolId(tool.server, tool.tool), tool]));
  const agents = new Set(graphs.flatMap(({ graph, agents: carried }) => (carried === null ? namedAgents(graph) : [])));

  return [
    ...[...tools].map(([id, { server, tool }]) =>
      unchecked("tool_unchecked", id, `${server}/${tool} was not checked, because validate does not start servers.`),
    ),
    ...[...agents].map((id) =>
      unchecked("agent_unchecked", id, `The file does not include agent ${id}, so its permissions were not checked.`),
    ),
    ...(root.subgraphs === null ? namedGraphs(root.graph) : []).map((id) =>
      unchecked("subgraph_unchecked", id, `The file does not include graph ${id}, so it was not checked.`),
    ),
  ];
};

const problemsOf = (root: GraphFile): CliProblem[] => {
  const parts = partsOf(root, (file) => ({
    agents: file.agents ?? namedAgents(file.graph).map(unknownAgent),
    tools: namedTools(file).map(unknownTool),
    versions: root.subgraphs === null ? unknownVersions(file.graph) : [],
  }));

  return [...partProblems(parts), ...warnings(graphsInOrder(root), root)];
};

export const validateCommand: CliCommand = async (argv, host) => {
  const { operand } = parseArguments(argv, "FILE", { json: "boolean" });
  const file = await readGraphFile(operand, []);
  const problems = file.ok ? problemsOf(file.value) : file.error;
  await host.out(jsonLine({ problems }));

  return problems.some(({ severity }) => severity === "error") ? 1 : 0;
};
