import { ModelError } from "@/server/models/contract";
import type { Persona, Reply } from "./scene";
import type { Script, ScriptStep } from "./script";

const exhausted = (agent: string, steps: number): ModelError => {
  const words = steps === 0 ? "has no steps" : `has only ${steps} ${steps === 1 ? "step" : "steps"}`;

  return new ModelError("script_exhausted", false, `The script ${words} for the agent ${agent}, and its model was called once more.`, {
    billed: "no",
  });
};

const replyOf = (step: ScriptStep): Reply => {
  if ("error" in step) {
    throw new ModelError(step.error.code, step.error.retryable, `The script says that the model fails with ${step.error.code}.`, {
      billed: "no",
    });
  }
  if ("object" in step) return { text: JSON.stringify(step.object), calls: [], usage: step.usage };

  return { text: step.text ?? "", calls: "tool_calls" in step ? step.tool_calls : [], usage: step.usage };
};

/** Plays a script, so it serves one run. @throws ModelError for an error step, and at the end */
export const createScriptPersona = (script: Script): Persona => {
  const used = new Map<string, number>();

  return ({ agent }) => {
    const steps = Object.hasOwn(script.agents, agent) ? (script.agents[agent] ?? []) : [];
    const at = used.get(agent) ?? 0;
    const step = steps[at];
    if (step === undefined) throw exhausted(agent, steps.length);
    used.set(agent, at + 1);

    return replyOf(step);
  };
};
