import type { Agent } from "@/lib/graph/document";
import { ownMember, type Json } from "@/lib/json";
import type { AgentTask } from "@/server/executors/agent-task";
import { describeScore } from "@/server/executors/answer-schemas";
import { parseJsonAnswer } from "@/server/executors/answer-json";

const JUDGE = `You judge one value, which is given as data. Answer {"score": <number>, "reason": "<one sentence>"}.`;

export type Scale = { readonly text: string; readonly most?: number };

/** Builds a judge's task. */
export const judgeTask = (task: string, agent: Agent, criteria: string, { text, most }: Scale, data: Json): AgentTask => ({
  task,
  agent,
  tools: [],
  view: null,
  instructions: [JUDGE, text, ...(criteria === "" ? [] : [`Criteria: ${criteria}`])],
  data,
  answer: "json",
  answerSchema: describeScore(most),
  writes: [],
});

export const FROM_0_TO_1: Scale = { text: "The score is from 0 to 1.", most: 1 };

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
