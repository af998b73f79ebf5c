/** A graph file: a graph document that may carry its agents, as the command line takes it. */
import { z } from "zod";
import { agentSchema, graphSchema, type Agent, type Graph, type PinnedTool } from "@/lib/graph/document";
import { shapeProblems } from "@/lib/graph/problems/shape";
import { toolId, toolNameSchema } from "@/lib/graph/tool-ref";
import { idSchema } from "@/lib/ids";
import { isJsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { readDocument } from "./document";
import { cliProblem, errorProblem, type CliProblem } from "./problem";

type ToolRef = { readonly server: string; readonly tool: string };

/** `server__tool`, as scripts and models name it. A server of the run wins, because its id may contain the separator. */
const toolRef = (text: string, servers: readonly string[]): ToolRef => {
  const known = servers.find((server) => text.startsWith(`${server}__`));
  const at = known === undefined ? text.indexOf("__") : known.length;

  return { server: text.slice(0, at), tool: text.slice(at + 2) };
};

const toolTextSchema = z.string().regex(/^[a-zA-Z].*__./, "a tool is named server__tool");

const fileAgentSchema = agentSchema
  .extend({
    name: agentSchema.shape.name.optional(),
    tools: z
      .array(z.union([toolTextSchema, z.strictObject({ server: idSchema, tool: toolNameSchema })]))
      .max(100)
      .default([]),
  })
  .strict();

const agentsSchema = z.array(fileAgentSchema).max(1_000);

const agentOf = ({ name, tools, ...agent }: z.infer<typeof fileAgentSchema>, servers: readonly string[]): Agent => ({
  ...agent,
  name: name ?? agent.id,
  tools: tools.map((tool) => (typeof tool === "string" ? toolRef(tool, servers) : tool)),
});

/** `agents` null: the file carries none, so they are a registry's. */
export type GraphFile = { readonly graph: Graph; readonly agents: readonly Agent[] | null };

const readAgents = (value: unknown, servers: readonly string[]): Result<readonly Agent[], CliProblem[]> => {
  const parsed = agentsSchema.safeParse(value);
  if (!parsed.success) {
    return err(parsed.error.issues.map((issue) => errorProblem("shape", `agents.${issue.path.map(String).join(".")}: ${issue.message}`)));
  }
  const agents = parsed.data.map((agent) => agentOf(agent, servers));
  const ids = agents.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);

  return twice === undefined ? ok(agents) : err([errorProblem("duplicate_agent", `Two agents are called ${twice}.`, [twice])]);
};

/** @param servers ids of the MCP servers of this run */
export const readGraphFile = async (file: string, servers: readonly string[]): Promise<Result<GraphFile, CliProblem[]>> => {
  const document = await readDocument(file);
  if (!document.ok) return err([errorProblem("shape", document.error)]);
  if (!isJsonObject(document.value)) return err([errorProblem("shape", `The file ${file} is not a graph document: it is no object.`)]);
  if (document.value["nodes"] === undefined && document.value["format"] === undefined) {
    return err([errorProblem("shape", `The file ${file} is not a graph document: it has neither a format nor nodes.`)]);
  }
  const { agents: carried, ...graph } = document.value;
  const parsed = graphSchema.safeParse(graph);
  if (!parsed.success) return err(shapeProblems(graph, parsed.error.issues).map(cliProblem));
  if (carried === undefined) return ok({ graph: parsed.data, agents: null });
  const agents = readAgents(carried, servers);

  return agents.ok ? ok({ graph: parsed.data, agents: agents.value }) : agents;
};

/** Every tool that nodes and agents name, each once. */
export const namedTools = ({ graph, agents }: GraphFile): readonly ToolRef[] => {
  const named = [
    ...graph.nodes.flatMap((node) => (node.kind === "tool" ? [{ server: node.config.server, tool: node.config.tool }] : [])),
    ...(agents ?? []).flatMap((agent) => agent.tools),
  ];

  return [...new Map(named.map((tool) => [toolId(tool.server, tool.tool), tool])).values()];
};

/** A stand-in for a tool whose definition only a registry knows: nothing about it is objected to. */
export const unknownTool = ({ server, tool }: ToolRef): PinnedTool => ({
  server,
  tool,
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "pure",
  idempotent: false,
  output: "internal",
  // Nothing about where data goes is known either; what is not known is not objected to.
  outward: false,
  clearance: "secret",
});

export const unknownAgent = (id: string): Agent => agentSchema.parse({ id, name: id });
