import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { getAsks, listTaskTools } from "@/lib/engine/decide/effect";
import { getEffectClass } from "@/lib/engine/effect-class";
import { isTrustedFor } from "@/lib/graph/facts/trusted";
import { findActingIn, ownAgentId } from "@/lib/engine/task";
import { MOST_CALLS } from "@/lib/engine/thread";
import { callsTool, getKind, mapsItems } from "@/lib/graph/kind-of";

export type Work = {
  readonly modelCalls: number;
  /** Includes undos. */
  readonly changes: number;
  readonly irreversible: number;
  /** Without a certain approval. */
  readonly unattended: number;
};

export const NO_WORK: Work = { modelCalls: 0, changes: 0, irreversible: 0, unattended: 0 };

const bounded = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER);

const eachField = (of: (field: keyof Work) => number): Work => ({
  modelCalls: bounded(of("modelCalls")),
  changes: bounded(of("changes")),
  irreversible: bounded(of("irreversible")),
  unattended: bounded(of("unattended")),
});

const sum = (...parts: readonly Work[]): Work => eachField((field) => parts.reduce((total, part) => total + part[field], 0));
const times = (count: number, work: Work): Work => eachField((field) => (work[field] === 0 ? 0 : count * work[field]));

type Acting = { readonly published: PublishedGraph; readonly node: GraphNode; readonly acting: GraphNode };

const undosOf = ({ published, node, acting }: Acting, changes: number): Work => {
  const { compensation } = acting;
  const pin = compensation && published.tools.find(({ server, tool }) => server === compensation.server && tool === compensation.tool);
  if (!pin) return NO_WORK;
  const isFinal = pin.effect === "irreversible";

  return {
    modelCalls: 0,
    changes,
    irreversible: isFinal ? changes : 0,
    unattended: isFinal || node.approval !== "by_rule" ? 0 : changes,
  };
};

/** The rules ask about each write that a model chooses. */
const isUnattended = ({ published, node, acting }: Acting, tool: PinnedTool): boolean =>
  getEffectClass(acting, tool) === "write" &&
  getAsks(published, node, acting) === "by_rule" &&
  (callsTool(acting) || published.agents.some((agent) => isTrustedFor(agent, tool)));

const calling = (place: Acting, tools: readonly PinnedTool[], calls: number): Work => {
  const { acting } = place;
  const classes = tools.map((tool) => getEffectClass(acting, tool));
  const [writes, isFinal] = [classes.includes("write"), classes.includes("irreversible")];
  const changes = writes || isFinal ? calls : 0;
  const made: Work = {
    modelCalls: 0,
    changes,
    irreversible: isFinal ? calls : 0,
    unattended: tools.some((tool) => isUnattended(place, tool)) ? calls : 0,
  };

  return sum(made, undosOf(place, changes));
};

const asking = (place: Acting, agentId: string | undefined, judges = false): Work => {
  const agent = place.published.agents.find(({ id }) => id === agentId);
  if (!agent) return NO_WORK;
  const tools = listTaskTools(place.published, { acting: place.acting, agent, judges });

  return { ...calling(place, tools, agent.max_steps * MOST_CALLS), modelCalls: agent.max_steps };
};

const itemsOf = ({ config }: GraphNode & { kind: "map" }): number =>
  "value" in config.items ? Math.min(config.items.value.length, config.max_items) : config.max_items;

const attempt = (published: PublishedGraph, node: GraphNode): Work => {
  const place: Acting = { published, node, acting: node };
  const asked = getKind(node)
    .agents(node.config)
    .map(({ id, role, times: count }) => times(count, asking(place, id, role === "judge")));
  const worker = mapsItems(node) ? findActingIn(published, node, "item.") : undefined;

  return sum(
    ...asked,
    callsTool(node) ? ofWorker(place) : NO_WORK,
    mapsItems(node) && worker
      ? times(itemsOf(node) * worker.failure_policy.attempts, ofWorker({ published, node, acting: worker }))
      : NO_WORK,
  );
};

const ofWorker = (place: Acting): Work => {
  const { published, acting } = place;

  return callsTool(acting)
    ? calling(place, listTaskTools(published, { acting, agent: null, judges: false }), 1)
    : asking(place, ownAgentId(acting));
};

const checking = (published: PublishedGraph, node: GraphNode, work: Work): Work => {
  const policy = published.graph.verification;
  if (!policy) return NO_WORK;
  const calls = policy.effects.includes("write") ? work.changes : work.irreversible;
  const each = sum(...policy.checks.map((check) => asking({ published, node, acting: node }, check.agent_id, true)));

  return times(calls, each);
};

/** Returns a visit's work, excluding a subgraph's inside. */
export const computeWork = (published: PublishedGraph, node: GraphNode): Work => {
  const work = times(node.failure_policy.attempts, attempt(published, node));

  return sum(work, checking(published, node, work));
};

/** Returns the maximum over visits. */
export const sumWork = (nodes: readonly { readonly visits: number; readonly work: Work }[], visits: number): Work =>
  eachField((field) => {
    let [left, total] = [visits, 0];
    for (const node of nodes.toSorted((one, other) => other.work[field] - one.work[field])) {
      const taken = Math.min(left, node.visits);
      left -= taken;
      total += node.work[field] === 0 ? 0 : taken * node.work[field];
    }

    return total;
  });
