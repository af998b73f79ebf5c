import type { Verdict } from "@/lib/engine/decide/verdict";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import type { InputAnswers } from "@/lib/engine/approvals/tool-input";
import type { Json } from "@/lib/json";
import { publishWith } from "@/lib/engine/testing/graph";
import { decision, executor, intent, REVIEWER, started, user, type TestRun } from "@/lib/engine/testing/run";

const SMALL = publishWith();

export const elicitation = (properties: object, required: readonly string[] = [], message = "Which cost centre?"): Json =>
  JSON.parse(
    JSON.stringify({
      ask: { method: "elicitation/create", params: { message, requestedSchema: { type: "object", properties, required } } },
    }),
  ) as Json;

export const COST_CENTRE = elicitation({ centre: { type: "string", maxLength: 20 } }, ["centre"]);
export const ANSWER: InputAnswers = [{ centre: "4711" }];

export const newestEffect = (run: TestRun) => {
  const effect = Object.values(run.state().effects).at(-1);
  if (!effect) throw new Error("no effect is under way");

  return effect;
};

export const asks = (run: TestRun, request: Json = COST_CENTRE, state: string | null = "opaque-1"): Verdict => {
  const effect = newestEffect(run);

  return run.propose(executor(effect.node), { kind: "effect_input", effect_id: effect.effect_id, request, state });
};

/** Run at a tool's question. */
export const atQuestion = (published?: Parameters<typeof started>[0], request: Json = COST_CENTRE): TestRun => {
  const run = started(published ?? SMALL);
  run.work(intent("docs", "read", { topic: "plans" }));
  asks(run, request);

  return run;
};

export const answerBody = (run: TestRun, answers: InputAnswers = ANSWER, by: Principal = user(REVIEWER)): BodyOf<"decision"> => ({
  ...decision(run, by),
  answers,
});

export const answerAs = (run: TestRun, by: Principal = user(REVIEWER), answers: InputAnswers = ANSWER): Verdict =>
  run.propose(by, answerBody(run, answers, by));
