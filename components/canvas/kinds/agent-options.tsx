"use client";

import { getFirstAgent, OptionalAgentSelect } from "@/components/canvas/fields/agent-select";
import { Criteria } from "@/components/canvas/fields/instructions";
import { NameList } from "@/components/canvas/fields/name-list";
import { listLooseNodes, NodeList } from "@/components/canvas/fields/node-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { findPathFault } from "@/components/canvas/fields/path-check";
import { TemperatureFields } from "@/components/canvas/fields/temperature-fields";
import { TextField } from "@/components/canvas/fields/text-field";
import { findTopicFault, listTopics } from "@/components/canvas/fields/topics";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import type { Graph, NodeOf } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

type Config = NodeOf<"agent">["config"];
type Annealing = NonNullable<Config["annealing"]>;

type Props = {
  readonly node: NodeOf<"agent">;
  readonly graph: Graph;
  readonly catalog: ValidationContext;
  readonly set: (changed: Partial<Config>, field?: string) => void;
};

const firstAnnealing = (evaluator: string): Annealing => ({
  evaluator_id: evaluator,
  criteria: "",
  score_path: "score",
  threshold: 0.8,
  max_iterations: 5,
  initial_temperature: 1,
  final_temperature: 0.2,
  diminishing_returns_delta: 0.02,
});

/** Annealing: repeats until a good score. */
export const AnnealingSection = ({ node, catalog, set: setConfig }: Props) => {
  const { annealing } = node.config;
  const set = (changed: Partial<Annealing>, field?: string) =>
    setConfig(annealing ? { annealing: dropUndefined({ ...annealing, ...changed }) } : {}, field && `annealing.${field}`);

  return (
    <OptionalSection
      title="Retry until good enough"
      about="Annealing: scores answers at falling temperature and keeps the best one."
      isOn={annealing !== undefined}
      onToggle={(isOn) => setConfig({ annealing: isOn ? firstAnnealing(getFirstAgent(catalog)) : undefined })}
    >
      {annealing ? (
        <>
          <OptionalAgentSelect
            label="Scored by"
            none="No agent: the answer includes its score"
            catalog={catalog}
            value={annealing.evaluator_id}
            onChange={(id) => set({ evaluator_id: id })}
          />
          {annealing.evaluator_id === undefined ? (
            <TextField
              label="Path of the score in the answer"
              mono
              value={annealing.score_path}
              check={findPathFault}
              onCommit={(path) => set({ score_path: path }, "score_path")}
            />
          ) : (
            <Criteria value={annealing.criteria} onCommit={(criteria) => set({ criteria }, "criteria")} />
          )}
          <NumberField
            label="Score threshold"
            integer={false}
            value={annealing.threshold}
            min={0}
            max={1}
            onCommit={(threshold) => set({ threshold }, "threshold")}
          />
          <NumberField
            label="Max answers"
            value={annealing.max_iterations}
            min={1}
            max={1_000}
            onCommit={(count) => set({ max_iterations: count }, "max_iterations")}
          />
          <TemperatureFields value={annealing} onChange={set} />
          <NumberField
            label="Stop when improvement is below"
            integer={false}
            value={annealing.diminishing_returns_delta}
            min={0}
            max={1}
            onCommit={(delta) => set({ diminishing_returns_delta: delta }, "delta")}
          />
        </>
      ) : null}
    </OptionalSection>
  );
};

/** Swarm: hands off to another node. */
export const SwarmSection = ({ node, graph, set }: Props) => {
  const { swarm } = node.config;

  return (
    <OptionalSection
      title="Hand off to peers"
      about="Swarm: the agent can hand off the run to one of these nodes instead of following the edges."
      isOn={swarm !== undefined}
      onToggle={(isOn) => {
        const peer = listLooseNodes(graph).find((other) => other.id !== node.id)?.id;
        set({ swarm: isOn ? { peers: [peer ?? "unassigned"], max_handoffs: 10 } : undefined });
      }}
    >
      {swarm ? (
        <>
          <NodeList
            label="Peers"
            graph={graph}
            of={node.id}
            nodes={swarm.peers}
            onChange={(peers) => set({ swarm: { ...swarm, peers } })}
            lastStays="A swarm needs at least one peer."
          />
          <NumberField
            label="Max hand-offs per run"
            value={swarm.max_handoffs}
            min={1}
            max={1_000}
            onCommit={(count) => set({ swarm: { ...swarm, max_handoffs: count } }, "max_handoffs")}
          />
        </>
      ) : null}
    </OptionalSection>
  );
};

const MAX_TOPICS = 20;

/** Recalls facts of earlier runs. */
export const RecallSection = ({ node, graph, set }: Props) => {
  const { recall } = node.config;
  const topics = listTopics(graph);

  return (
    <OptionalSection
      title="Recall earlier runs"
      about="Facts that reflections stored, newest first, with their labels."
      isOn={recall !== undefined}
      onToggle={(isOn) => set({ recall: isOn ? { topics: [topics[0] ?? "lessons"], limit: 20 } : undefined })}
    >
      {recall ? (
        <>
          <NameList
            label="Topics"
            placeholder="Add a topic"
            names={recall.topics}
            suggestions={topics}
            check={(topic) => (recall.topics.length >= MAX_TOPICS ? "At most 20." : findTopicFault(topic))}
            onChange={(names) => set({ recall: { ...recall, topics: [...names] } })}
            lastStays="At least one topic is required."
          />
          <NumberField
            label="Max facts"
            value={recall.limit}
            min={1}
            max={100}
            onCommit={(limit) => set({ recall: { ...recall, limit } }, "limit")}
          />
        </>
      ) : null}
    </OptionalSection>
  );
};
