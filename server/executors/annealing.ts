/** Simulated annealing: repeats an agent at falling temperature until an answer is good enough, and returns the best. */
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
/** Score of an answer that the node cannot use. */
const UNUSABLE = -1;

const answerOf = (text: string): TaskEnd => ({ type: "answer", text, handedOff: false });

type Try = { readonly text: string; readonly score: number };

/** Returns whether the search ends after `latest`. @param before best earlier score; null: none */
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

/** Once there is an answer, a failed try only ends the search; recorded, so that a resumed search ends the same. */
const nextTry = async (ask: AgentTask, best: Try | null, work: Work): Promise<TaskEnd> => {
  if (best === null) return runAgentTask(ask, work);
  const known = findKnownFailure(ask.task, work.input);
  if (known) return known;
  const end = await runAgentTask(ask, work).catch(toModelFailure);
  if (end.type === "failure") await recordFailure(ask.task, end, work.gateways);

  return end;
};

/**
 * Each answer and score is its own task, `try.<n>` and `score.<n>`, so a resumed search repeats nothing.
 * @param ask neither writes nor hands off before the best answer is known
 * @throws as `runAgentTask`, until there is an answer
 */
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
