import type { Agent } from "@/lib/graph/document";
import { ownMember, type Json } from "@/lib/json";
import type { AgentTask } from "@/server/executors/agent-task";
import { parseJsonAnswer } from "@/server/executors/answer-json";

const JUDGE = `You judge one value, which is given as data. Answer {"score": <number>, "reason": "<one sentence>"}.`;

/** Builds a judge's task. */
export const judgeTask = (task: string, agent: Agent, criteria: string, scale: string, data: Json): AgentTask => ({
  task,
  agent,
  tools: [],
  view: null,
  instructions: [JUDGE, scale, ...(criteria === "" ? [] : [`Criteria: ${criteria}`])],
  data,
  answer: "json",
  writes: [],
});

export const FROM_0_TO_1 = "The score is from 0 to 1.";

/** Parses a number from 0 to `most`. */
export const parseScore = (value: Json | undefined, most = Number.MAX_VALUE): number | null =>
  typeof value === "number" && value >= 0 && value <= most ? value : null;

export type Judgement = { readonly score: number | null; readonly reason: string };

/** Parses a judgement; `score` null if invalid. */
export const parseJudgement = (text: string, most?: number): Judgement => {
  const answer = parseJsonAnswer(text);
  const reason = ownMember(answer, "reason");

  return {
    score: parseScore(ownMember(answer, "score"), most),
    reason: typeof reason === "string" ? reason.slice(0, 2_000).toWellFormed() : "",
  };
};
