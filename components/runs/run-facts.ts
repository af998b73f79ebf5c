/** Facts of a run's header, from its state. */
import { artifactSchema, listArtifacts } from "@/lib/artifact";
import { isTerminal } from "@/lib/engine/event";
import { describeEndReason } from "@/lib/engine/end-reasons";
import { computeWorkedMs } from "@/lib/engine/limits";
import { findAside, heldBy, type Cell, type RunState } from "@/lib/engine/state";
import { count, formatMoney } from "@/lib/format";
import { duration } from "@/components/analysis/envelope-lines";
import { ABSENT, toShown, type Shown } from "@/components/values/visible-value";

export type LimitLine = {
  readonly name: string;
  readonly used: string;
  /** Null: neither version nor initiator sets one. */
  readonly limit: string | null;
  /** From 0 to 1; null without a limit. */
  readonly share: number | null;
};

const line = (name: string, used: number, limit: number | null, words: (value: number) => string): LimitLine => ({
  name,
  used: words(used),
  limit: limit === null ? null : words(limit),
  share: limit === null ? null : limit === 0 ? 1 : Math.min(1, used / limit),
});

/** Progress against each limit. @param nowMs ms since 1970; of the newest record once the run has ended */
export const listLimitLines = (state: RunState, nowMs: number): readonly LimitLine[] => {
  const { start } = state;

  return [
    line("Iterations", state.iterationCount, start?.max_iterations ?? null, count),
    line("Time", Math.max(0, computeWorkedMs(state, nowMs)), start?.max_execution_time_ms ?? null, duration),
    line("Tokens", state.totalTokens, start?.max_token_budget ?? null, count),
    line("Cost", state.costMicroUsd, start?.budget_micro_usd ?? null, formatMoney),
  ];
};

/** When the wait for a person or tool ends, ms since 1970; null: no wait. */
export const findWaitEnd = (state: RunState): number | null => {
  const open = Object.values(state.gates).find((gate) => gate.status === "open") ?? heldBy(state);

  return isTerminal(state.status) ? null : (open?.gate.expires_at ?? null);
};

export const describeEnd = (state: RunState, nameNode: (id: string) => string): string | null => {
  const { endReason, lastError, status } = state;
  if (!isTerminal(status) || status === "completed" || endReason === null) return null;
  const text = describeEndReason(endReason);
  if (lastError?.code === endReason) return `${nameNode(lastError.node)} failed: ${text ?? endReason.replaceAll("_", " ")}`;

  return text ?? endReason.replaceAll("_", " ");
};

const newestOf = (state: RunState, path: string): Shown => {
  const cell = findAside(state, path).at(-1);

  return cell ? toShown(cell) : ABSENT;
};

export type Input = { readonly key: string; readonly shown: Shown };

const showInput = (cell: Cell): Shown => {
  const shown = toShown(cell);
  if (shown.kind !== "value" || !artifactSchema.safeParse(shown.value).success) return shown;
  const [file] = listArtifacts(shown.value, cell.label);

  return file ? { ...shown, value: file.name } : shown;
};

/** Goal and inputs. @param begun the state after the first record */
export const readAsked = (begun: RunState): { readonly goal: Shown; readonly inputs: readonly Input[] } => ({
  goal: newestOf(begun, "$goal"),
  inputs: begun.cells.map((cell) => ({ key: cell.path, shown: showInput(cell) })),
});
