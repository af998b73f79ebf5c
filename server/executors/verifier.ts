import type { NodeOf } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { getValueAtText } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { runAgentTask, type Work } from "@/server/executors/agent-task";
import { compute } from "@/server/executors/compute";
import type { ExecutorInput } from "@/server/executors/contract";
import { findParty } from "@/server/executors/party";
import { FROM_0_TO_1, parseJudgement, judgeTask } from "@/server/executors/score";
import { agentMissing, createFailure, executeKind, buildOutcome, type Failure } from "@/server/executors/written";

type Check = NodeOf<"verifier">["config"]["check"];
type Judge = Extract<Check, { type: "judge" }>;
type Verdict = { readonly passed: boolean; readonly score: number; readonly reason: string };

const passed = (reason: string, score = 1): Verdict => ({ passed: true, score, reason });
const notPassed = (reason: string, score = 0): Verdict => ({
  passed: false,
  score,
  reason: reason.toWellFormed().slice(0, 2_000).toWellFormed(),
});

const absent = (key: string): Verdict => notPassed(`There is nothing at ${key}.`);

const valueOf = (input: ExecutorInput, key: string): Json | undefined => getValueAtText(input.view, key);

const byExpression = (input: ExecutorInput, expression: string): Verdict => {
  const computed = compute(input, expression, input.view);
  if (!computed.ok) return notPassed(`The expression could not be evaluated: ${computed.error}`);
  if (computed.value === true) return passed("The expression is true.");

  return notPassed(computed.value === false ? "The expression is false." : "The expression is neither true nor false.");
};

const bySchema = (input: ExecutorInput, { key, schema }: Extract<Check, { type: "schema" }>): Verdict => {
  const value = valueOf(input, key);
  if (value === undefined) return absent(key);

  return matchesSchema(schema, value, true) ? passed("The value matches the schema.") : notPassed("The value does not match the schema.");
};

const byJudge = async (check: Judge, work: Work): Promise<Verdict | Failure> => {
  const value = valueOf(work.input, check.key);
  if (value === undefined) return absent(check.key);
  const judge = findParty(work.input, check.agent_id)?.agent;
  if (!judge) return agentMissing;
  // A judge without criteria would only say yes.
  if (`${check.criteria}${judge.system_prompt}`.trim() === "") return notPassed("Nothing says what the judge is to look for.");
  const end = await runAgentTask(judgeTask("judge", judge, check.criteria, FROM_0_TO_1, { value }), work);
  if (end.type === "failure") return end;
  const { score, reason } = parseJudgement(end.text, 1);
  if (score === null) return notPassed("The judge gave no score from 0 to 1.");

  return score >= check.threshold ? passed(reason, score) : notPassed(reason, score);
};

const verdictOn = (check: Check, work: Work): Promise<Verdict | Failure> => {
  switch (check.type) {
    case "expression":
      return Promise.resolve(byExpression(work.input, check.expression));
    case "schema":
      return Promise.resolve(bySchema(work.input, check));
    case "judge":
      return byJudge(check, work);
    default:
      return check satisfies never;
  }
};

/** Verifies a condition; an unavailable judge fails the node. */
export const runVerifier = executeKind("verifier", async (node, input, gateways, signal) => {
  const verdict = await verdictOn(node.config.check, { input, gateways, signal });
  if ("type" in verdict) return verdict;
  if (!verdict.passed && node.config.on_fail === "fail") return createFailure("verification_failed", false, verdict.reason);

  return buildOutcome(input, node.config.write_to, { ...verdict });
});
