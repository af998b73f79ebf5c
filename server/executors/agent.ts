import { runAgentTask, type AgentTask, type TaskEnd } from "@/server/executors/agent-task";
import { anneal } from "@/server/executors/annealing";
import { answerValue } from "@/server/executors/answer-json";
import type { ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";
import { agentMissing, executeKind, storedAnswer, writeGrants, buildOutcome } from "@/server/executors/written";
import type { NodeOf } from "@/lib/graph/document";

const PEERS = `If another node should go on with the run instead of the usual way, call hand_off.`;

type Answer = Extract<TaskEnd, { type: "answer" }>;

const outcomeOf = (input: ExecutorInput, { config }: NodeOf<"agent">, { text, handedOff }: Answer): ExecutorOutcome => {
  if (input.node.write_keys.length === 0 && config.write_to === undefined) return { type: "result", actions: [] };
  const answer = answerValue(text, config.answer);
  // A hand-off may come without text.
  if (handedOff && (text === "" || answer.type === "failure")) return { type: "result", actions: [] };

  return answer.type === "failure" ? answer : buildOutcome(input, config.write_to, answer.value);
};

/** Runs an agent to its last answer or hand-off. @throws Suspended, ModelError */
export const runAgent = executeKind("agent", async (node, input, gateways, signal) => {
  const { agent } = input;
  if (agent === null) return agentMissing;
  const { config } = node;
  const ask: AgentTask = {
    task: "",
    agent,
    tools: input.tools,
    view: input.view,
    instructions: [config.instructions, ...(config.swarm ? [PEERS] : [])],
    recalled: config.recall ? input.recalled : [],
    answer: config.answer,
    ...storedAnswer(input, config.write_to, config.answer),
    writes: writeGrants(input),
    schemas: input.schemas,
    peers: config.swarm?.peers ?? [],
  };
  const work = { input, gateways, signal };
  const end = config.annealing ? await anneal(ask, config.annealing, work) : await runAgentTask(ask, work);

  return end.type === "failure" ? end : outcomeOf(input, node, end);
});
