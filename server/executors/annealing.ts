import type { NodeOf } from "@/lib/graph/document";
import { getValueAtText } from "@/lib/graph/path";
import { runAgentTask, type AgentTask, type TaskEnd, type Work } from "@/server/executors/agent-task";
import { parseJsonAnswer } from "@/server/executors/answer-json";
import { findKnownFailure, toModelFailure, runPartTask, recordFailure } from "@/server/executors/part";
import { findParty } from "@/server/executors/party";
import { FROM_0_TO_1, parseJudgement, judgeTask, parseScore } from "@/server/executors/score";
import { computeTemperature } from "@/server/executors/temperature";
import { agentMissing } from "@/server/executors/written";

type Options = NonNullable<NodeOf<"agent">["config"]["annealing"]>;
const UNUSABLE = -1;

const answerOf = (text: string): TaskEnd => ({ type: "answer", text, handedOff: false });

type Try = { readonly text: string; readonly score: number };

/** Returns whether the search ends. @param before best earlier score; null: none */
export const isSettled = (latest: number, before: number | null, { threshold, diminishing_returns_delta: delta }: Options): boolean =>
  latest >= threshold || (before !== null && latest - before < delta);

const scoreOf = async (text: string, n: number, ask: AgentTask, options: Options, work: Work): Promise<number> => {
  const answer = parseJsonAnswer(text);
  if (ask.answer === "json" && answer === undefined) return UNUSABLE;
  if (options.evaluator_id === undefined) return parseScore(getValueAtText(answer, options.score_path), 1) ?? 0;
  const evaluator = findParty(work.input, options.evaluator_id)?.agent;
  if (!evaluator) return 0;
  const end = await runPartTask(judgeTask(`score.${n}`, evaluator, options.criteria, FROM_0_TO_1, { answer: answer ?? text }), work);

  return end.type === "failure" ? 0 : (parseJudgement(end.text, 1).score ?? 0);
};

/** Recorded failures let a resumed search end the same. */
const nextTry = async (ask: AgentTask, best: Try | null, work: Work): Promise<TaskEnd> => {
  if (best === null) return runAgentTask(ask, work);
  const known = findKnownFailure(ask.task, work.input);
  if (known) return known;
  const end = await runAgentTask(ask, work).catch(toModelFailure);
  if (end.type === "failure") await recordFailure(ask.task, end, work.gateways);

  return end;
};

/** Repeats an agent at falling temperature and returns the best answer. @throws as `runAgentTask`, until there is an answer */
export const anneal = async (ask: AgentTask, options: Options, work: Work): Promise<TaskEnd> => {
  if (options.evaluator_id !== undefined && !findParty(work.input, options.evaluator_id)) return agentMissing;
  let best: Try | null = null;
  for (let n = 0; n < options.max_iterations; n++) {
    const temperature = computeTemperature(n, options.max_iterations, options.initial_temperature, options.final_temperature);
    const data = best === null || best.score === UNUSABLE ? undefined : { best_so_far: { answer: best.text, score: best.score } };
    const attempt: AgentTask = { ...ask, task: `try.${n}`, temperature, writes: [], peers: [], ...(data ? { data } : {}) };
    const end = await nextTry(attempt, best, work);
    if (end.type === "failure") return best === null ? end : answerOf(best.text);
    const score = await scoreOf(end.text, n, ask, options, work);
    const before: number | null = best?.score ?? null;
    if (best === null || score > best.score) best = { text: end.text, score };
    if (isSettled(score, before, options)) break;
  }

  return answerOf(best?.text ?? "");
};
