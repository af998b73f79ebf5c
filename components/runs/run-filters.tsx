"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Select } from "@/components/ui/select";
import { RUN_STATUSES, type RunStatus } from "@/lib/engine/event";

const ANY = "any";

const STATUS_ITEMS = [{ value: ANY, label: "Any status" }, ...RUN_STATUSES.map((status) => ({ value: status, label: status }))];

type Props = {
  readonly status: RunStatus | null;
  readonly graphId: string | null;
  readonly onStatus: (status: RunStatus | null) => void;
  readonly onGraph: (graphId: string | null) => void;
};

/** Which runs are listed. */
export const RunFilters = ({ status, graphId, onStatus, onGraph }: Props) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const graphItems = [{ value: ANY, label: "Any graph" }, ...(graphs.data ?? []).map((graph) => ({ value: graph.id, label: graph.name }))];

  return (
    <div className="flex flex-wrap gap-2 px-6 py-3">
      <Select
        aria-label="Status"
        className="w-40"
        items={STATUS_ITEMS}
        value={status ?? ANY}
        onValueChange={(next) => onStatus(RUN_STATUSES.find((each) => each === next) ?? null)}
      />
      <Select
        aria-label="Graph"
        className="w-64"
        items={graphItems}
        value={graphId ?? ANY}
        onValueChange={(next) => onGraph(next === ANY ? null : next)}
      />
    </div>
  );
};
