import type { PublishedGraph } from "@/lib/graph/document";
import { getPublishedHere } from "@/lib/engine/frame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";

type UsageRow = {
  readonly index: number;
  readonly model: string | null;
  readonly agent: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly micro_usd: number;
  readonly latency_ms: number | null;
};

type ToolRow = { readonly index: number; readonly server: string; readonly tool: string; readonly latency_ms: number };

const sinceMs = (at: number, fromMs: number): number => Math.max(0, at - fromMs);

/** Answered calls of tools; simulated and abandoned ones were not answered. */
export const toToolRows = ({ control, at }: LedgerRecord, before: RunState): readonly ToolRow[] | null => {
  const rows = control.flatMap((event, index): ToolRow[] => {
    if (event.type !== "effect_settled" || event.simulated || event.outcome === "abandoned") return [];
    const called = ownEntry(before.effects, event.effect_id);

    return called ? [{ index, server: called.effect.server, tool: called.effect.tool, latency_ms: sinceMs(at, called.atMs) }] : [];
  });

  return rows.length === 0 ? null : rows;
};

export const toUsageRows = (root: PublishedGraph, { control, at }: LedgerRecord, before: RunState) => {
  const published = getPublishedHere(root, before);
  const agentOf = (id: string, task: string): string | null => {
    const node = published.graph.nodes.find((one) => one.id === id);

    return (node && findTask(published, before, node, task)?.agent?.id) ?? null;
  };
  const rows = control.flatMap((event, index): UsageRow[] => {
    if (event.type === "model_called") {
      const { model, input_tokens, output_tokens, cost_micro_usd: micro_usd } = event.usage;

      const reserved = ownEntry(before.reservations, event.reservation_id);
      const latency_ms = reserved ? sinceMs(at, reserved.atMs) : null;

      return [{ index, model, agent: agentOf(event.node, event.task), input_tokens, output_tokens, micro_usd, latency_ms }];
    }
    if (event.type !== "reservation_released" || event.tokens === 0) return [];
    const reservation = ownEntry(before.reservations, event.reservation_id);
    const agent = reservation ? agentOf(reservation.node, reservation.task) : null;
    const { tokens: output_tokens, cost_micro_usd: micro_usd } = event;

    return [{ index, model: null, agent, input_tokens: 0, output_tokens, micro_usd, latency_ms: null }];
  });

  return rows.length === 0 ? null : rows;
};
