import { runAgentTask, type AgentTask, type TaskEnd } from "@/server/executors/agent-task";
import { anneal } from "@/server/executors/annealing";
import { answerValue } from "@/server/executors/answer-json";
import type { ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";
import { agentMissing, executeKind, resultPath, writeGrants, buildOutcome } from "@/server/executors/written";
import type { NodeOf } from "@/lib/graph/document";
import { parsePath } from "@/lib/graph/path";
import { describeAnswerSchema } from "@/server/models/prompt";

const PEERS = `If another node should go on with the run instead of the usual way, call hand_off.`;

type Answer = Extract<TaskEnd, { type: "answer" }>;

const outcomeOf = (input: ExecutorInput, { config }: NodeOf<"agent">, { text, handedOff }: Answer): ExecutorOutcome => {
  if (input.node.write_keys.length === 0 && config.write_to === undefined) return { type: "result", actions: [] };
  const answer = answerValue(text, config.answer);
  // A hand-off may come without text.
  if (handedOff && (text === "" || answer.type === "failure")) return { type: "result", actions: [] };

  return answer.type === "failure" ? answer : buildOutcome(input, config.write_to, answer.value);
};

/** A model that is told the schema needs no second attempt. */
const answerSchemaOf = (input: ExecutorInput, { config }: NodeOf<"agent">): string => {
  const path = resultPath(input, config.write_to);
  const [key = "", ...rest] = parsePath(path ?? "") ?? [];
  const schema = Object.hasOwn(input.schemas, key) ? input.schemas[key] : undefined;

  return path === undefined || schema === undefined || rest.length > 0 || config.answer === "text"
    ? ""
    : describeAnswerSchema(path, schema);
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
    answerSchema: answerSchemaOf(input, node),
    writes: writeGrants(input),
    peers: config.swarm?.peers ?? [],
  };
  const work = { input, gateways, signal };
  const end = config.annealing ? await anneal(ask, config.annealing, work) : await runAgentTask(ask, work);

  return end.type === "failure" ? end : outcomeOf(input, node, end);
});
