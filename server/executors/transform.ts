import { compileExpression } from "@/lib/graph/condition";
import type { Executor, ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";
import type { Json } from "@/lib/json";

const compute = (input: ExecutorInput, text: string): { ok: true; value: Json } | { ok: false; detail: string } => {
  const compiled = compileExpression(text);
  if (!compiled.ok) return { ok: false, detail: compiled.error };
  const scope = {
    memory: input.view,
    goal: input.goal,
    constraints: input.constraints,
    run: { iteration_count: input.counters.iteration_count, retry_count: input.counters.retry_count },
  };
  const result = compiled.value.evaluate(scope, () => undefined);

  return result.ok ? { ok: true, value: result.value } : { ok: false, detail: result.error };
};

/** Computes every expression over the view before it proposes any; one that fails fails the node. */
export const transformExecutor: Executor = (input) => {
  if (input.node.kind !== "transform") return Promise.resolve({ type: "failure", code: "wrong_kind", retryable: false, detail: "" });
  const updates: { path: string; value: Json }[] = [];
  for (const { path, value: text } of input.node.config.set) {
    const computed = compute(input, text);
    if (!computed.ok) {
      const failure: ExecutorOutcome = { type: "failure", code: "expression_failed", retryable: false, detail: computed.detail };

      return Promise.resolve(failure);
    }
    updates.push({ path, value: computed.value });
  }

  return Promise.resolve({ type: "result", actions: [{ type: "update_memory", updates }] });
};
