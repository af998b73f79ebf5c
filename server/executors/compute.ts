import { compileExpression } from "@/lib/graph/condition";
import type { Json, JsonObject } from "@/lib/json";
import { err, type Result } from "@/lib/result";
import type { QuietInput } from "@/server/executors/contract";

export const compute = (input: QuietInput, expression: string, view: JsonObject, item?: Json): Result<Json, string> => {
  const compiled = compileExpression(expression);
  if (!compiled.ok) return err(compiled.error);
  const { declared, labels = {}, env = {} } = input.computed ?? {};
  const scope = {
    memory: view,
    goal: input.goal,
    constraints: input.constraints,
    run: input.counters,
    env,
    ...(declared ? { declared } : {}),
    labelAt: (path: readonly string[]) => labels[JSON.stringify(path)],
  };

  return compiled.value.evaluate(item === undefined ? scope : { ...scope, item }, () => undefined);
};
