import { getProvider } from "@/lib/model-provider";
import type { ModelTest } from "@/lib/model-test";
import { logModelFailure } from "@/server/failure-log";
import { ModelError, type GenerateRequest } from "@/server/models/contract";
import type { RunnerDeps } from "@/server/runner/deps";
import { storeModelTest } from "@/server/store/workspaces/model-settings";

const TIMEOUT_MS = 30_000;
const MOST_TOKENS = 512;

const requestFor = (model: string): GenerateRequest => ({
  model,
  agent: "test",
  node: "test",
  step: 0,
  system: "You are asked whether you can be reached.",
  prompt: "Answer with the single word: yes.",
  thread: [],
  tools: [],
  answer: "text",
  maxOutputTokens: MOST_TOKENS,
  timeoutMs: TIMEOUT_MS,
});

const outcomeOf = async (
  { modelsFor }: Pick<RunnerDeps, "modelsFor">,
  workspaceId: string,
  model: string,
): Promise<ModelTest["outcome"]> => {
  try {
    const { usage } = await (await modelsFor(workspaceId)).generate(requestFor(model), new AbortController().signal);
    const { input_tokens, output_tokens, cost_micro_usd, price_source } = usage;

    return { ok: true, input_tokens, output_tokens, cost_micro_usd, price_source };
  } catch (error) {
    logModelFailure({ workspace: workspaceId, run: null, node: null }, model, error);
    if (error instanceof ModelError) return { ok: false, code: error.code, message: error.message };

    return { ok: false, code: "failed", message: "Something went wrong on our side." };
  }
};

/** Calls a model without personal data. */
export const testModel = async (
  deps: Pick<RunnerDeps, "modelsFor" | "clock" | "circuits">,
  { workspaceId, record, model }: { readonly workspaceId: string; readonly record: number; readonly model: string },
): Promise<void> => {
  const at = deps.clock.now();
  // An admin tests whether the provider is back.
  deps.circuits?.probe(workspaceId, getProvider(model));
  const outcome = await outcomeOf(deps, workspaceId, model);
  await storeModelTest(workspaceId, getProvider(model), { record, model, at, took_ms: Math.max(0, deps.clock.now() - at), outcome });
};
