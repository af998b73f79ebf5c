/** Independent of the product. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { getValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";

export type Party = {
  readonly acting: GraphNode;
  readonly agent: string | null;
  readonly judges: boolean;
  readonly item: Json | undefined;
  /** No other task can have influenced it. */
  readonly alone: boolean;
};

const agentOf = (node: GraphNode): string | null => {
  if (node.kind === "agent" || node.kind === "supervisor" || node.kind === "synthesizer" || node.kind === "extract")
    return node.config.agent_id ?? null;

  return node.kind === "reflection" && node.config.extractor.type === "agent" ? node.config.extractor.agent_id : null;
};

const numbered = (task: string, pattern: RegExp): number[] | null => {
  const found = pattern.exec(task);

  return found && found.slice(1).flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
};

export const partyOf = (published: PublishedGraph, memory: Json, node: GraphNode, task: string): Party | null => {
  const own: Party = { acting: node, agent: agentOf(node), judges: false, item: undefined, alone: node.kind === "extract" };
  if (task === "") return own;
  const judge = (agent: string | undefined): Party | null => (agent === undefined ? null : { ...own, agent, judges: true });
  if (node.kind === "agent" && node.config.annealing) {
    const [at = Infinity] = numbered(task, /^(?:try|score)\.([0-9]+)$/) ?? [];
    if (at >= node.config.annealing.max_iterations) return null;

    return task.startsWith("try") ? own : judge(node.config.annealing.evaluator_id);
  }
  if (node.kind === "voting") {
    if (task === "judge") return judge(node.config.judge_id);
    const voter = node.config.voters[numbered(task, /^voter\.([0-9]+)$/)?.[0] ?? -1];

    return voter ? { ...own, agent: voter.agent_id, alone: true } : null;
  }
  if (node.kind === "review") {
    const reviewer = node.config.reviewers[numbered(task, /^reviewer\.([0-9]+)$/)?.[0] ?? -1];

    return reviewer?.type === "agent" ? { ...own, agent: reviewer.agent_id, judges: true, alone: true } : null;
  }
  if (node.kind === "verifier") return task === "judge" && node.config.check.type === "judge" ? judge(node.config.check.agent_id) : null;
  if (node.kind === "evolution") {
    const [generation = Infinity, index = Infinity] = numbered(task, /^(?:candidate|score)\.([0-9]+)\.([0-9]+)$/) ?? [];
    if (generation >= node.config.max_generations || index >= node.config.population_size) return null;
    if (task.startsWith("candidate")) return { ...own, agent: node.config.candidate_id };

    return "agent_id" in node.config.fitness ? judge(node.config.fitness.agent_id) : null;
  }
  if (node.kind !== "map") return null;
  if (task === "synthesizer") return node.config.synthesizer ? { ...own, agent: node.config.synthesizer.agent_id } : null;
  const worker = published.graph.nodes.find(({ id }) => id === node.config.worker_node);
  const [index = -1, again = 0] = numbered(task, /^item\.([0-9]+)(?:\.([0-9]+))?$/) ?? [];
  const { items } = node.config;
  const list = "value" in items ? items.value : getValueAt(memory, items.from.split("."));
  const item = Array.isArray(list) && index < node.config.max_items ? (list as readonly Json[])[index] : undefined;

  return worker && item !== undefined && again < worker.failure_policy.attempts
    ? { acting: worker, agent: agentOf(worker), judges: false, item, alone: true }
    : null;
};

/** Includes fake ones. */
export const tasksOf = (node: GraphNode): readonly string[] => {
  switch (node.kind) {
    case "agent":
      return node.config.annealing ? ["", "try.0", "try.1", "score.0", "try.9"] : [""];
    case "map":
      return ["", "item.0", "item.1", "item.0.1", "synthesizer", "item.7", "item.0.5"];
    case "voting":
      return ["", "voter.0", "voter.1", "voter.2", "judge", "voter.3"];
    case "evolution":
      return ["", "candidate.0.0", "candidate.0.1", "candidate.1.1", "score.0.0", "candidate.0.7", "candidate.5.0", "score.9.0"];
    case "verifier":
      return ["", "judge", "judge.0"];
    case "review":
      return ["", "reviewer.0", "reviewer.1", "reviewer.7"];
    case "supervisor":
    case "synthesizer":
    case "reflection":
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "subgraph":
    case "extract":
    case "judge":
    case "wait":
    case "code":
      return [""];
    default:
      return node satisfies never;
  }
};

const HAS_NO_VOICE: readonly GraphNode["kind"][] = ["voting", "evolution", "verifier", "map", "review"];

/** Speakers; of several, only the node counts. */
export const speakersOf = (node: GraphNode): readonly string[] =>
  HAS_NO_VOICE.includes(node.kind) ? tasksOf(node).filter((task) => task !== "") : tasksOf(node);
