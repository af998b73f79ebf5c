/** `countersign validate FILE`: what the canvas would say. Starts nothing, so tools are not looked at. */
import { validateGraph } from "@/lib/graph/validate";
import { toolId } from "@/lib/graph/tool-ref";
import { parseArguments } from "./arguments";
import { namedTools, readGraphFile, unknownAgent, unknownTool, type GraphFile } from "./graph-file";
import type { CliCommand } from "./host";
import { cliProblem, jsonLine, type CliProblem } from "./problem";

const unchecked = (code: string, ids: readonly string[], message: string): CliProblem => ({ code, severity: "warning", ids, message });

const problemsOf = (file: GraphFile): CliProblem[] => {
  const agentIds = [...new Set(file.graph.nodes.flatMap((node) => (node.kind === "agent" ? [node.config.agent_id] : [])))];
  const tools = namedTools(file);

  return [
    ...validateGraph(file.graph, { agents: file.agents ?? agentIds.map(unknownAgent), tools: tools.map(unknownTool), versions: [] }).map(
      cliProblem,
    ),
    ...tools.map(({ server, tool }) =>
      unchecked("tool_unchecked", [toolId(server, tool)], `${server}/${tool} was not looked at: nothing is started to validate a file.`),
    ),
    ...(file.agents === null ? agentIds : []).map((id) =>
      unchecked("agent_unchecked", [id], `The file does not carry the agent ${id}, so what it may do was not looked at.`),
    ),
  ];
};

export const validateCommand: CliCommand = async (argv, host) => {
  const { operand } = parseArguments(argv, "FILE", { json: "boolean" });
  const file = await readGraphFile(operand, []);
  const problems = file.ok ? problemsOf(file.value) : file.error;
  await host.out(jsonLine({ problems }));

  return problems.some(({ severity }) => severity === "error") ? 1 : 0;
};
