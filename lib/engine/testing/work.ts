import type { Verdict } from "@/lib/engine/decide/verdict";
import { getThreadPath } from "@/lib/engine/thread-of";
import { play } from "@/lib/engine/testing/play";
import type { TestRun } from "@/lib/engine/testing/run";

const USAGE = { model: "m", input_tokens: 1, output_tokens: 1, cost_micro_usd: 1, price_source: "test" };

/** Reserves a model call and returns its id. */
export const reserve = (run: TestRun, task = "", tokens = 10, cost = 10): string => {
  const verdict = run.work({ kind: "model_intent", task, tokens, cost_micro_usd: cost });
  const reserved = verdict.ok ? verdict.events.find((event) => event.type === "budget_reserved") : undefined;

  return reserved?.reservation_id ?? "";
};

export const answer = (run: TestRun, reservation: string, task = "", change: object = {}): Verdict => {
  const step = run.state().aside.filter((cell) => cell.path === getThreadPath(run.state(), task)).length;

  return run.work({
    kind: "model_call",
    task,
    reservation_id: reservation,
    step,
    fresh: [],
    text: "hm",
    tool_calls: [],
    usage: USAGE,
    ...change,
  });
};

export const ask = (run: TestRun, task = "", change: object = {}): Verdict => answer(run, reserve(run, task), task, change);

export const createFailure = (code = "tool_error", change: object = {}) => ({
  kind: "node_failure" as const,
  code,
  retryable: false,
  detail: "",
  jitter: 0,
  retry_after_ms: null,
  ...change,
});

/** The engine alone, until others act. */
export const drive = (run: TestRun, epoch = 1): void => play(run, {}, 100, epoch);
