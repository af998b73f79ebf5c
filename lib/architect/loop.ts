/** Architect's attempts as a state machine. */
import { z } from "zod";
import type { AnswerProblem, Judged } from "@/lib/architect/judge-answer";
import type { Graph } from "@/lib/graph/document";

/** First answer and three corrections. */
export const MOST_ATTEMPTS = 4;

const MOST_ANSWER = 60_000;

export const problemSchema = z.strictObject({
  code: z.string().max(60),
  message: z.string().max(400),
  node: z.string().max(64).optional(),
});

/** State before the next model call, for any process. */
export const loopStateSchema = z.strictObject({
  /** From 1. */
  attempt: z.number().int().min(1).max(MOST_ATTEMPTS),
  /** Cut to length. */
  problems: z.array(problemSchema).max(40),
  answer: z.string().max(MOST_ANSWER),
  tried: z.array(z.array(problemSchema).max(40)).max(MOST_ATTEMPTS),
});
export type LoopState = z.infer<typeof loopStateSchema>;

export const FIRST: LoopState = { attempt: 1, problems: [], answer: "", tried: [] };

export type LoopStep =
  | { readonly type: "done"; readonly graph: Graph; readonly warnings: readonly AnswerProblem[]; readonly tried: LoopState["tried"] }
  | { readonly type: "again"; readonly state: LoopState }
  | { readonly type: "given_up"; readonly problems: readonly AnswerProblem[]; readonly tried: LoopState["tried"] };

export const advanceAfterAnswer = (state: LoopState, answer: string, judged: Judged): LoopStep => {
  if (judged.ok) return { type: "done", graph: judged.graph, warnings: judged.warnings, tried: state.tried };
  const problems = judged.problems.map(({ code, message, node }) => ({
    code,
    message,
    ...(node === undefined ? {} : { node: node.slice(0, 64) }),
  }));
  const tried = [...state.tried, problems];
  if (state.attempt >= MOST_ATTEMPTS) return { type: "given_up", problems, tried };
  const kept = answer.toWellFormed().slice(0, MOST_ANSWER).toWellFormed();

  return { type: "again", state: { attempt: state.attempt + 1, problems, answer: kept, tried } };
};

/** "Attempt 2 of 4: fixing 3 problems". */
export const describeAttempt = (attempt: number, problems: number): string => {
  const what = problems === 0 ? "drawing the graph" : `fixing ${problems} ${problems === 1 ? "problem" : "problems"}`;

  return `Attempt ${attempt} of ${MOST_ATTEMPTS}: ${what}`;
};
