import type { GraphNode } from "@/lib/graph/document";
import { ownEntry, type Reservation } from "@/lib/engine/state";
import { RULES } from "@/bench/adversary/world";
import { askedOff, graphOff, nodesOff, nodesOffFor, stateOff, stateOffFor, type Guards } from "./guard";

const MANY = 100;
const fill = <T>(items: readonly T[], most: number): T[] =>
  Array.from({ length: most }, (_item, index) => items[index % items.length] as T);

const boundless = (node: GraphNode): GraphNode => {
  if (node.kind === "agent" && node.config.annealing)
    return { ...node, config: { ...node.config, annealing: { ...node.config.annealing, max_iterations: MANY } } };
  if (node.kind === "voting") return { ...node, config: { ...node.config, voters: fill(node.config.voters, MANY) } };
  if (node.kind === "evolution") return { ...node, config: { ...node.config, population_size: MANY, max_generations: MANY } };

  return node;
};

const asSpeaker = (task: string): string =>
  task === "judge"
    ? "voter.0"
    : task.replace(/^score\.(.+)$/u, (_all, rest) => `${String(rest).includes(".") ? "candidate" : "try"}.${rest}`);

const judgesSpeak = (node: GraphNode): GraphNode => {
  if (node.kind === "voting") return { ...node, config: { ...node.config, voters: [{ agent_id: node.config.judge_id ?? "", weight: 1 }] } };
  if (node.kind === "evolution" && "agent_id" in node.config.fitness)
    return { ...node, config: { ...node.config, candidate_id: node.config.fitness.agent_id } };
  if (node.kind === "agent" && node.config.annealing?.evaluator_id !== undefined)
    return { ...node, config: { ...node.config, agent_id: node.config.annealing.evaluator_id } };

  return node;
};

const TASKS: Guards = {
  "tasks that a node has": nodesOff(boundless),
  "items that a list has": stateOff((state) => ({
    cells: state.cells.map((cell) =>
      (cell.path === "items" || cell.path === "list") &&
      cell.content.known &&
      Array.isArray(cell.content.value) &&
      cell.content.value.length > 0
        ? { ...cell, content: { known: true, value: fill(cell.content.value, MANY) } }
        : cell,
    ),
  })),
  "retries that an item has": nodesOff((node) => ({ ...node, failure_policy: { ...node.failure_policy, attempts: 10 } })),
  "judges have no tools": askedOff(({ published, proposal }) => {
    const { body } = proposal;
    if (body.kind !== "effect_intent" || body.task === undefined || !/^(?:judge|score)/u.test(body.task)) return {};
    const nodes = published.graph.nodes.map(judgesSpeak);

    return {
      published: { ...published, graph: { ...published.graph, nodes } },
      proposal: { ...proposal, body: { ...body, task: asSpeaker(body.task) } },
    };
  }),
  "judges read no memory": {
    ...RULES,
    whole: false,
    given: (root, state, node, task) => {
      const given = RULES.given(root, state, node, task);

      return given?.judges ? { ...given, memory: RULES.given(root, state, node, "")?.memory ?? {} } : given;
    },
  },
  "only what works in parallel merges": askedOff(({ proposal }) => {
    const { body } = proposal;
    if (body.kind !== "node_result") return {};
    const plain = (action: unknown) =>
      typeof action === "object" && action !== null && Reflect.get(action, "type") === "merge_parallel_results"
        ? { ...action, type: "update_memory" }
        : action;

    return { proposal: { ...proposal, body: { ...body, actions: body.actions.map(plain) } } };
  }),
};

const NO_LIMIT = { max_token_budget: null, budget_micro_usd: null };
const withoutBudget = (node: GraphNode): GraphNode => {
  const { budget: _none, ...rest } = node;

  return rest;
};

const pretend = (task: string, activation: number): Reservation => ({
  node: "",
  key: "",
  activation,
  task,
  tokens: 0,
  cost_micro_usd: 0,
  epoch: 1,
  atMs: 0,
});

const BUDGETS: Guards = {
  "the token budget": stateOff((state) => ({ start: state.start && { ...state.start, max_token_budget: null } })),
  "the cost budget": stateOff((state) => ({ start: state.start && { ...state.start, budget_micro_usd: null } })),
  "the budget of a subgraph": stateOff((state) => ({
    frames: state.frames.map((frame) => ({ ...frame, limits: { ...frame.limits, ...NO_LIMIT } })),
  })),
  "the budget of a node": nodesOff(withoutBudget),
  "reservations side by side": stateOffFor("model_intent", () => ({ reservations: {} })),
  "a call has a reservation": stateOff((state, { body }) =>
    body.kind === "model_call" && !ownEntry(state.reservations, body.reservation_id)
      ? { reservations: { ...state.reservations, [body.reservation_id]: pretend(body.task ?? "", body.activation) } }
      : {},
  ),
  "a reservation is of one task": stateOff((state, { body }) => {
    const known = body.kind === "model_call" ? ownEntry(state.reservations, body.reservation_id) : undefined;

    return known && body.kind === "model_call"
      ? { reservations: { ...state.reservations, [body.reservation_id]: { ...known, task: body.task ?? "" } } }
      : {};
  }),
  "a call under way is not given up": stateOffFor("forfeit", (state) => ({
    reservations: Object.fromEntries(Object.entries(state.reservations).map(([id, reservation]) => [id, { ...reservation, epoch: 0 }])),
  })),
};

const all = (nodes: readonly GraphNode[]) => nodes.map(({ id }) => id);

const WAYS: Guards = {
  "a supervisor's nodes": graphOff((parts) => ({
    ...parts,
    graph: {
      ...parts.graph,
      nodes: parts.graph.nodes.map((node) =>
        node.kind === "supervisor" ? { ...node, config: { ...node.config, managed_nodes: all(parts.graph.nodes) } } : node,
      ),
    },
  })),
  "a supervisor's choices": nodesOff((node) =>
    node.kind === "supervisor" ? { ...node, config: { ...node.config, max_iterations: 1_000 } } : node,
  ),
  "one choice at a time": askedOff(({ published, state, proposal }) => {
    const { body } = proposal;
    const node = published.graph.nodes.find(({ id }) => id === state.currentNode);
    if (body.kind !== "node_result" || node?.kind !== "supervisor") return {};
    const isChoice = (action: unknown) => typeof action === "object" && action !== null && Reflect.get(action, "type") === "goto_node";
    const first = body.actions.findIndex(isChoice);

    return {
      proposal: { ...proposal, body: { ...body, actions: body.actions.filter((action, index) => index <= first || !isChoice(action)) } },
    };
  }),
  "a hand-off is to a peer": graphOff((parts) => ({
    ...parts,
    graph: {
      ...parts.graph,
      nodes: parts.graph.nodes.map((node) =>
        node.kind === "agent" && node.config.swarm
          ? { ...node, config: { ...node.config, swarm: { ...node.config.swarm, peers: all(parts.graph.nodes) } } }
          : node,
      ),
    },
  })),
  "hand-offs are counted": stateOff(() => ({ handoffs: 0 })),
  "one hand-off in a visit": stateOffFor("action", () => ({ handoff: null })),
  "a supervisor is asked only while it may choose": stateOffFor("model_intent", () => ({ choices: {} })),
};

const SUBGRAPHS: Guards = {
  "subgraphs end somewhere": stateOffFor("node_result", (state) => ({ frames: state.frames.slice(-1) })),
  "a subgraph's iterations": stateOff((state) => ({
    frames: state.frames.map((frame) => ({ ...frame, limits: { ...frame.limits, max_iterations: 100_000 } })),
  })),
  "a subgraph's time": stateOff((state) => ({
    frames: state.frames.map((frame) => ({ ...frame, limits: { ...frame.limits, max_execution_time_ms: 9_000_000_000_000 } })),
  })),
  "what a subgraph gives back fits": graphOff((parts) => ({
    ...parts,
    graph: {
      ...parts.graph,
      memory: parts.graph.memory.map((key) => (key.key === "verdict" ? { ...key, schema: {}, min_integrity: "untrusted" } : key)),
    },
  })),
  "a subgraph is left when it has ended": stateOffFor("ascend", (state) => ({
    frameEnd: state.frameEnd ?? { outcome: "completed", code: null },
  })),
};

const MEMORY: Guards = {
  "the topics of a recall": nodesOffFor(
    ({ kind }) => kind === "recall",
    (node) =>
      node.kind === "agent" && node.config.recall
        ? { ...node, config: { ...node.config, recall: { topics: ["habits", "salaries"], limit: node.config.recall.limit } } }
        : node,
  ),
  "how much is recalled": nodesOffFor(
    ({ kind }) => kind === "recall",
    (node) =>
      node.kind === "agent" && node.config.recall
        ? { ...node, config: { ...node.config, recall: { ...node.config.recall, limit: 100 } } }
        : node,
  ),
  "recalled once": stateOffFor("recall", (state) => ({ aside: state.aside.filter(({ path }) => !path.startsWith("$recall.")) })),
  "recalled for the visit that is going on": stateOff((_state, { body }) =>
    body.kind === "recall" ? { activation: body.activation } : {},
  ),
};

const UNDOING: Guards = {
  "undone newest first": stateOff((state, { body }) => {
    if (body.kind !== "undo") return {};
    const [mine, others] = [
      state.compensation.filter(({ effect_id: id }) => id === body.effect_id),
      state.compensation.filter(({ effect_id: id }) => id !== body.effect_id),
    ];

    return { compensation: [...others, ...mine], unwinding: state.unwinding ?? { to: "failed", reason: "x", since: 0 } };
  }),
  "one undo at a time": stateOffFor("undo", (state) => ({
    effects: Object.fromEntries(Object.entries(state.effects).filter(([, { undoes }]) => undoes === null)),
    status: state.status === "waiting" ? "running" : state.status,
  })),
  "all is undone before the end": stateOffFor("unwound", (state) => ({ compensation: [], unwinding: state.unwinding })),
};

export const PART_GUARDS: Guards = { ...TASKS, ...BUDGETS, ...WAYS, ...SUBGRAPHS, ...MEMORY, ...UNDOING };
