import { getKnownValue } from "@/lib/engine/state";
import { getCode, intent, result, settle, STARTER, update, user, type TestRun } from "@/lib/engine/testing/run";
import { drive } from "@/lib/engine/testing/work";

export const write = (run: TestRun, outcome: "ok" | "tool_error" = "ok"): void => {
  const by = run.state().currentNode ?? "";
  run.work(intent("crm", "write", { what: "plans", by }));
  settle(run, { id: by }, outcome);
  run.work(result(update("out", by)));
};
export const cancel = (run: TestRun): string => getCode(run.propose(user(STARTER, "builder"), { kind: "cancel" }));
export const undos = (run: TestRun) =>
  Object.values(run.state().effects)
    .filter((effect) => effect.undoes !== null)
    .map((effect) => [getKnownValue(run.state().aside.find(({ path }) => path === `$arguments.${effect.effect_id}`)), effect.outcome]);
export const stack = (run: TestRun) => run.state().compensation.map(({ node, outcome }) => [node, outcome]);
export const unwind = (run: TestRun, outcomes: readonly ("ok" | "tool_error")[] = ["ok", "ok"]): void => {
  for (const outcome of outcomes) {
    drive(run);
    settle(run, "undone", outcome);
  }
  drive(run);
};
