import type { NodeOf } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { parseJsonAnswer } from "@/server/executors/answer-json";
import { compute } from "@/server/executors/compute";
import type { Work } from "@/server/executors/agent-task";
import { isSpent, runPartTask } from "@/server/executors/part";
import { findParty } from "@/server/executors/party";
import { parseJudgement, judgeTask, parseScore } from "@/server/executors/score";
import { computeTemperature } from "@/server/executors/temperature";
import { agentMissing, type Failure } from "@/server/executors/written";

type Evolution = NodeOf<"evolution">;
export type Candidate = { readonly type: "candidate"; readonly value: Json; readonly fitness: number; readonly generation: number };

const CANDIDATE =
  "You propose one candidate of a search. Parents, if there are any, are earlier candidates with their fitness: combine and improve them.";
const SCALE = { text: "The score is a number from 0 up." };

const valueOf = (text: string): Json => {
  const json = /^\s*(?:[[{]|```)/.test(text) ? parseJsonAnswer(text) : undefined;

  return typeof json === "object" && json !== null ? json : text;
};

/** Unscorable candidates have fitness 0. */
const fitnessOf = async (value: Json, place: string, node: Evolution, work: Work): Promise<number | Failure> => {
  const { fitness } = node.config;
  if ("expression" in fitness) {
    const computed = compute(work.input, fitness.expression, work.input.view, value);

    return computed.ok ? (parseScore(computed.value) ?? 0) : 0;
  }
  const judge = findParty(work.input, fitness.agent_id)?.agent;
  if (!judge) return agentMissing;
  const end = await runPartTask(judgeTask(`score.${place}`, judge, fitness.criteria, SCALE, { candidate: value }), work);
  if (end.type === "failure") return isSpent(end) ? end : 0;

  return parseJudgement(end.text).score ?? 0;
};

/** Generates and scores a candidate. */
export const createCandidate = async (
  generation: number,
  index: number,
  parents: readonly Candidate[],
  node: Evolution,
  work: Work,
): Promise<Candidate | Failure> => {
  const { config } = node;
  const place = `${generation}.${index}`;
  const party = findParty(work.input, config.candidate_id);
  if (!party) return agentMissing;
  const end = await runPartTask(
    {
      ...party,
      task: `candidate.${place}`,
      instructions: [config.instructions, CANDIDATE],
      data: { generation, index, parents: parents.map(({ value, fitness }) => ({ candidate: value, fitness })) },
      answer: "text",
      temperature: computeTemperature(generation, config.max_generations, config.initial_temperature, config.final_temperature),
      writes: [],
    },
    work,
  );
  if (end.type === "failure") return end;
  const value = valueOf(end.text);
  const fitness = await fitnessOf(value, place, node, work);

  return typeof fitness === "number" ? { type: "candidate", value, fitness, generation } : fitness;
};
