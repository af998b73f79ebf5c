/** One structured line per failure. Texts of servers, models and people never reach it: codes come from closed lists. */
import { describeEndReason } from "@/lib/engine/end-reasons";
import { isTerminal } from "@/lib/engine/event";
import type { OutageCause } from "@/lib/engine/outage-causes";
import type { RunState } from "@/lib/engine/state";
import type { DeliveryFault } from "@/lib/webhooks/types";
import { isExecutorCode } from "@/lib/executor-codes";
import { log } from "@/server/log";
import { MODEL_ERROR_CODES, ModelError } from "@/server/models/contract";
import { findTraceId } from "@/server/trace";

type RunPlace = { readonly workspace: string; readonly run: string | null };

export type FailureLine =
  | (RunPlace & { readonly event: "run_failed"; readonly code: string; readonly cause: string | null; readonly node: string | null })
  | (RunPlace & {
      readonly event: "model_call_failed";
      readonly code: string;
      readonly cause: OutageCause | null;
      readonly node: string | null;
      readonly provider: string;
    })
  | (RunPlace & {
      readonly event: "server_failed";
      readonly code: string;
      readonly cause: string | null;
      readonly server: string;
      readonly exitCode: number | null;
    })
  | (RunPlace & {
      readonly event: "webhook_failed";
      readonly code: DeliveryFault;
      readonly cause: number | null;
      readonly delivery: string;
      readonly endpoint: string;
      readonly attempt: number;
    });

const MESSAGES = {
  run_failed: "a run failed",
  model_call_failed: "a model call failed",
  server_failed: "an MCP server is not reached",
  webhook_failed: "a webhook did not arrive",
} as const satisfies Record<FailureLine["event"], string>;

const NAME = /^[\w.:-]{1,100}$/u;

const bounded = (value: string | number | null): string | number | null =>
  typeof value === "string" && !NAME.test(value) ? "unlisted" : value;

export const logFailure = (line: FailureLine): void => {
  const trace = findTraceId();
  const fields = Object.entries(line).map(([name, value]) => [name, bounded(value)] as const);
  log().warn({ ...Object.fromEntries(fields), ...(trace === null ? {} : { trace_id: trace }) }, MESSAGES[line.event]);
};

/** A worker sends any text as its code. */
const listed = (code: string): string =>
  isExecutorCode(code) || (MODEL_ERROR_CODES as readonly string[]).includes(code) || describeEndReason(code) !== null ? code : "unlisted";

const isFailure = ({ status }: RunState): boolean => isTerminal(status) && status !== "completed" && status !== "cancelled";

export const logRunEnd = (before: RunState, after: RunState): void => {
  if (isTerminal(before.status) || !isFailure(after)) return;
  const { workspace, run, endReason, lastError } = after;
  const code = listed(endReason ?? after.status);
  const earlier = lastError && lastError.code !== endReason ? listed(lastError.code) : null;
  logFailure({
    event: "run_failed",
    workspace,
    run,
    code,
    cause: before.outage?.cause ?? earlier,
    node: before.currentNode ?? lastError?.node ?? null,
  });
};

/** Logs a failed call. @param model its id, which begins with the provider's */
export const logModelFailure = (place: RunPlace & { readonly node: string | null }, model: string, error: unknown): void => {
  const code = error instanceof ModelError ? listed(error.code) : "given_up";
  const cause = error instanceof ModelError ? error.outage : null;
  logFailure({ event: "model_call_failed", ...place, code, cause, provider: model.split(":", 1)[0] ?? "" });
};
