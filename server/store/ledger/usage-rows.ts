import type { PublishedGraph } from "@/lib/graph/document";
import { getPublishedHere } from "@/lib/engine/frame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";

type UsageRow = {
  readonly index: number;
  readonly model: string | null;
  readonly agent: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly micro_usd: number;
};

export const toUsageRows = (root: PublishedGraph, { control }: LedgerRecord, before: RunState) => {
  const published = getPublishedHere(root, before);
  const agentOf = (id: string, task: string): string | null => {
    const node = published.graph.nodes.find((one) => one.id === id);

    return (node && findTask(published, before, node, task)?.agent?.id) ?? null;
  };
  const rows = control.flatMap((event, index): UsageRow[] => {
    if (event.type === "model_called") {
      const { model, input_tokens, output_tokens, cost_micro_usd: micro_usd } = event.usage;

      return [{ index, model, agent: agentOf(event.node, event.task), input_tokens, output_tokens, micro_usd }];
    }
    if (event.type !== "reservation_released" || event.tokens === 0) return [];
    const reservation = before.reservations[event.reservation_id];
    const agent = reservation ? agentOf(reservation.node, reservation.task) : null;

    return [{ index, model: null, agent, input_tokens: 0, output_tokens: event.tokens, micro_usd: event.cost_micro_usd }];
  });

  return rows.length === 0 ? null : rows;
};
