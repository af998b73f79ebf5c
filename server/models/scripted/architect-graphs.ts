import { graphSchema, type Graph, type GraphInput } from "@/lib/graph/document";
import { generateId } from "@/lib/graph/edit-nodes";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import type { ArchitectScene } from "./architect-scene";

export const from = (path: string) => ({ from: path });
const MOST_TITLE = 60;

const articleForm = {
  type: "object",
  properties: {
    title: { type: "string", maxLength: 200 },
    summary: { type: "string", maxLength: 1_000 },
    body: { type: "string", maxLength: 8_000 },
  },
  required: ["title", "summary", "body"],
  additionalProperties: false,
};

const nameOf = (words: string): string => {
  const [line = ""] = words.trim().split(/[\n.,;:]/);
  const whole = line.trim();
  // Ends at a word.
  const name = whole.length <= MOST_TITLE ? whole : whole.slice(0, MOST_TITLE).replace(/\s+\S*$/u, "");

  return name === "" ? "A new workflow" : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
};

export const headOf = (words: string): Pick<GraphInput, "format" | "id" | "name" | "description"> => {
  const { format, id, name } = createEmptyGraph(nameOf(words));

  return { format, id, name, description: words.slice(0, 500) };
};

export const summariseAndPublish = (words: string): GraphInput => ({
  ...headOf(words),
  inputs: {
    type: "object",
    properties: {
      question: { type: "string", title: "Question", maxLength: 300 },
      page: { type: "string", title: "Page", default: "street-trees-basics", maxLength: 64 },
    },
    required: ["question", "page"],
    additionalProperties: false,
  },
  memory: [
    { key: "question", description: "What the article is to answer", schema: { type: "string" } },
    { key: "page", description: "The page to summarise", schema: { type: "string" } },
    { key: "source", description: "The page as the library has it", schema: {} },
    { key: "dossier", description: "The page as one text", schema: { type: "string" } },
    { key: "draft", description: "The article as it is proposed", schema: articleForm },
    { key: "article", description: "The article as a person approved it", schema: articleForm, min_integrity: "reviewed" },
    { key: "publication", description: "Where it was published", schema: {} },
  ],
  nodes: [
    {
      id: "read_page",
      kind: "tool",
      title: "Read the page",
      read_keys: ["page"],
      write_keys: ["source"],
      effect: "read",
      config: { server: "library", tool: "read_page", arguments: { page: from("page") } },
    },
    {
      id: "note",
      kind: "transform",
      title: "Take its text",
      read_keys: ["source"],
      write_keys: ["dossier"],
      config: { set: [{ path: "dossier", value: 'memory.source.title + " (" + memory.source.address + "): " + memory.source.text' }] },
    },
    {
      id: "write",
      kind: "agent",
      title: "Summarise it",
      read_keys: ["question", "dossier"],
      write_keys: ["draft"],
      config: {
        agent_id: "journalist",
        answer: "json",
        instructions: "Summarise the dossier as a short article that says no more than it does.",
      },
    },
    {
      id: "approve",
      kind: "approval",
      title: "Approve the article",
      read_keys: ["draft"],
      write_keys: ["article"],
      config: {
        prompt: "Publish this article?",
        review_keys: ["draft"],
        for_node: "publish",
        promote: [{ from: "draft", to: "article" }],
        rejection_node: "leave_it",
      },
    },
    {
      id: "publish",
      kind: "tool",
      title: "Publish it",
      read_keys: ["article"],
      write_keys: ["publication"],
      effect: "irreversible",
      failure_policy: { attempts: 1 },
      config: {
        server: "library",
        tool: "publish",
        arguments: { title: from("article.title"), summary: from("article.summary"), body: from("article.body") },
      },
    },
    { id: "leave_it", kind: "router", title: "Leave it", config: {} },
  ],
  edges: [
    { id: "read", source: "read_page", target: "note" },
    { id: "noted", source: "note", target: "write" },
    { id: "written", source: "write", target: "approve" },
    { id: "approved", source: "approve", target: "publish" },
  ],
  start_node: "read_page",
  end_nodes: ["publish", "leave_it"],
  strict_taint: true,
  max_iterations: 20,
  max_token_budget: 60_000,
});

/** Adds two common faults. */
export const withTwoFaults = (graph: GraphInput): GraphInput => ({
  ...graph,
  nodes: graph.nodes.map((node) => {
    if (node.id === "write") return { ...node, read_keys: ["*"] };
    if (node.kind !== "approval") return node;
    const { for_node: _left, ...config } = node.config;

    return { ...node, config };
  }),
});

type NodeInput = GraphInput["nodes"][number];

const isWhole = (path: string): boolean => !path.includes(".") && path !== "*";

export const oneStep = ({ words, agents }: ArchitectScene): GraphInput => {
  const able = agents.filter(({ reads, writes }) => (reads === null || reads.some(isWhole)) && (writes === null || writes.some(isWhole)));
  // An agent that the wish names comes first, then one without a ceiling.
  const isNamed = ({ id }: (typeof able)[number]): boolean => id.split("_").some((word) => words.toLowerCase().includes(word));
  const agent = able.find(isNamed) ?? able.find(({ reads, writes }) => reads === null && writes === null) ?? able[0];
  const asks = agent?.reads?.find(isWhole) ?? "request";
  const says = agent?.writes?.find(isWhole) ?? "answer";
  const approve: NodeInput = {
    id: "approve",
    kind: "approval",
    title: "Look at it",
    read_keys: [says],
    config: { prompt: "Is this right?", review_keys: [says] },
  };
  const look: NodeInput = { ...approve, read_keys: [asks], config: { prompt: "Is this right?", review_keys: [asks] } };

  return {
    ...headOf(words),
    inputs: { type: "object", properties: { [asks]: { type: "string", title: "Request" } }, required: [asks], additionalProperties: false },
    memory: [
      { key: asks, description: "What the work is about", schema: { type: "string" } },
      { key: says, description: "What the agent says about it", schema: { type: "string" } },
    ],
    nodes: agent
      ? [
          {
            id: "work",
            kind: "agent",
            title: nameOf(words),
            read_keys: [asks],
            write_keys: [says],
            config: { agent_id: agent.id, instructions: words.slice(0, 2_000) },
          },
          approve,
        ]
      : [look],
    edges: agent ? [{ id: "worked", source: "work", target: "approve" }] : [],
    start_node: agent ? "work" : "approve",
    end_nodes: ["approve"],
    strict_taint: true,
    max_iterations: 10,
    max_token_budget: 30_000,
  };
};

export const withMorePeople = (graph: Graph): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) =>
    node.kind === "approval" ? { ...node, config: { ...node.config, quorum: Math.min(10, node.config.quorum + 1) } } : node,
  ),
});

const freshKey = (known: ReadonlySet<string>, next = 1): string => {
  const key = next === 1 ? "remark" : `remark_${next}`;

  return known.has(key) ? freshKey(known, next + 1) : key;
};

export const withOneMoreStep = (graph: Graph, { words, agents }: ArchitectScene): Graph => {
  const [end] = graph.end_nodes;
  const known = new Set(graph.memory.map(({ key }) => key));
  const isNew = (path: string): boolean => isWhole(path) && !known.has(path);
  // Rules may apply to agents that write existing keys.
  const agent = agents.find(({ writes }) => writes === null || writes.some(isNew));
  const says = agent?.writes?.find(isNew) ?? freshKey(known);
  const reads = [...known].filter((key) => agent?.reads === null || agent?.reads.includes(key));
  if (end === undefined || !agent) return graph;
  const id = generateId("further_step", new Set(graph.nodes.map((node) => node.id)));

  return graphSchema.parse({
    ...graph,
    memory: [...graph.memory, { key: says, description: "What the further step says", schema: {} }],
    nodes: [
      ...graph.nodes,
      {
        id,
        kind: "agent",
        title: nameOf(words),
        read_keys: reads.slice(0, 1),
        write_keys: [says],
        config: { agent_id: agent.id, instructions: words.slice(0, 2_000) },
      },
    ],
    edges: [...graph.edges, { id: generateId("further", new Set(graph.edges.map((edge) => edge.id))), source: end, target: id }],
    end_nodes: [...graph.end_nodes.slice(1), id],
  });
};
