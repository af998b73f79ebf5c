import { z } from "zod";
import { agentSchema, graphSchema, type Agent, type Graph } from "@/lib/graph/document";
import { findShapeProblems } from "@/lib/graph/problems/shape";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { idSchema } from "@/lib/ids";
import { isJsonObject, type Json } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { readStrictDocument } from "./document";
import { toCliProblem, createErrorProblem, type CliProblem } from "./problem";

/** The run's servers win: an id may contain the separator. */
const toolRef = (text: string, servers: readonly string[]) => {
  const known = servers.find((server) => text.startsWith(`${server}__`));
  const at = known === undefined ? text.indexOf("__") : known.length;

  return { server: text.slice(0, at), tool: text.slice(at + 2) };
};

const toolTextSchema = z.string().regex(/^[a-zA-Z].*__./, "expected server__tool");

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

export type GraphFile = {
  readonly graph: Graph;
  /** `null`: the registry's, or the outer graph's. */
  readonly agents: readonly Agent[] | null;
  /** `null`: published elsewhere. */
  readonly subgraphs: readonly GraphFile[] | null;
};

type Read<T> = Result<T, CliProblem[]>;

type Around = { readonly servers: readonly string[]; readonly agents: readonly Agent[] | null };

const readAgents = (value: Json, servers: readonly string[]): Read<readonly Agent[]> => {
  const parsed = agentsSchema.safeParse(value);
  if (!parsed.success) {
    return err(
      parsed.error.issues.map((issue) => createErrorProblem("shape", `agents.${issue.path.map(String).join(".")}: ${issue.message}`)),
    );
  }
  const agents = parsed.data.map((agent) => agentOf(agent, servers));
  const ids = agents.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);

  return twice === undefined ? ok(agents) : err([createErrorProblem("duplicate_agent", `Two agents have the ID ${twice}.`, [twice])]);
};

const readSubgraphs = (value: Json, around: Around): Read<readonly GraphFile[]> => {
  if (!Array.isArray(value)) return err([createErrorProblem("shape", "subgraphs: expected a list of graph documents.")]);
  const read = value.map((item: Json, index) => readGraph(item, `subgraphs.${index}`, around));
  const problems = read.flatMap((one, index) =>
    one.ok ? [] : one.error.map((found) => ({ ...found, message: `subgraphs.${index}: ${found.message}` })),
  );

  return problems.length > 0 ? err(problems) : ok(read.flatMap((one) => (one.ok ? [one.value] : [])));
};

const readGraph = (value: Json, name: string, around: Around): Read<GraphFile> => {
  if (!isJsonObject(value)) return err([createErrorProblem("shape", `${name} is not a graph document: expected an object.`)]);
  if (value["nodes"] === undefined && value["format"] === undefined) {
    return err([createErrorProblem("shape", `${name} is not a graph document: it has no format and no nodes.`)]);
  }
  const { agents: carried, subgraphs: parts, ...document } = value;
  const parsed = graphSchema.safeParse(document);
  if (!parsed.success) return err(findShapeProblems(document, parsed.error.issues).map(toCliProblem));
  const agents = carried === undefined ? ok(around.agents) : readAgents(carried, around.servers);
  if (!agents.ok) return agents;
  const subgraphs = parts === undefined ? ok(null) : readSubgraphs(parts, { ...around, agents: agents.value });

  return subgraphs.ok ? ok({ graph: parsed.data, agents: agents.value, subgraphs: subgraphs.value }) : subgraphs;
};

/** Lists the graphs in publishing order: subgraphs first. */
export const orderGraphs = (file: GraphFile): readonly GraphFile[] => [...(file.subgraphs ?? []).flatMap(orderGraphs), file];

const MAX_GRAPHS = 500;

const graphProblems = (graphs: readonly GraphFile[]): CliProblem[] => {
  if (graphs.length > MAX_GRAPHS) return [createErrorProblem("shape", `A file can contain at most ${MAX_GRAPHS} graphs.`)];
  const ids = graphs.map(({ graph }) => graph.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);

  return twice === undefined ? [] : [createErrorProblem("duplicate_graph", `Two graphs in the file have the ID ${twice}.`, [twice])];
};

/** Reads a graph file. @param servers ids of this run's servers */
export const readGraphFile = async (file: string, servers: readonly string[]): Promise<Read<GraphFile>> => {
  const document = await readStrictDocument(file);
  if (!document.ok) return err([createErrorProblem("shape", document.error)]);
  const read = readGraph(document.value, `File ${file}`, { servers, agents: null });
  const problems = read.ok ? graphProblems(orderGraphs(read.value)) : [];

  return problems.length > 0 ? err(problems) : read;
};
