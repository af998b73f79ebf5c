"use client";

import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { RUN_STATUS_LABELS } from "@/components/values/run-status";
import { RUN_STATUSES } from "@/lib/engine/event";
import { DateModelFilters } from "@/components/views/date-model-filters";
import { RUN_DURATIONS, type RunFilter } from "@/lib/engine/run-filter";

const ANY = "any";

const STATUS_ITEMS = [
  { value: ANY, label: "Any status" },
  ...RUN_STATUSES.map((status) => ({ value: status, label: RUN_STATUS_LABELS[status] })),
];

const REALITY_ITEMS = [
  { value: ANY, label: "Live and simulated" },
  { value: "no", label: "Live only" },
  { value: "yes", label: "Simulated only" },
];

const TOOK = { "1m": "1 min or longer", "10m": "10 min or longer", "1h": "1 h or longer", "1d": "1 day or longer" } as const;
const TOOK_ITEMS = [{ value: ANY, label: "Any duration" }, ...RUN_DURATIONS.map((value) => ({ value, label: TOOK[value] }))];

const TICKS = [
  { name: "active", label: "Not ended" },
  { name: "waiting", label: "Waiting for approval" },
  { name: "nearBudget", label: "Near or over its budget" },
  { name: "refused", label: "Has refusals" },
  { name: "mine", label: "Started by me" },
] as const;

type Props = { readonly filter: RunFilter; readonly onChange: (change: Partial<RunFilter>) => void };

const TextFilter = ({ filter, onChange }: Props) => {
  const commit = (text: string) => {
    if (text.trim() !== filter.text) onChange({ text: text.trim() });
  };

  return (
    <Input
      key={filter.text}
      aria-label="ID, graph, person or node"
      placeholder="ID, graph, person or node"
      className="w-56"
      maxLength={200}
      defaultValue={filter.text}
      onBlur={(event) => commit(event.currentTarget.value)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === "Enter") commit(event.currentTarget.value);
      }}
    />
  );
};

const realityOf = (simulated: boolean | null): string => (simulated === null ? ANY : simulated ? "yes" : "no");

export const RunFilters = ({ filter, onChange }: Props) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const environments = useQuery(trpc.environments.list.queryOptions()).data?.environments ?? [];
  const graphItems = [{ value: ANY, label: "Any graph" }, ...(graphs.data ?? []).map((graph) => ({ value: graph.id, label: graph.name }))];

  return (
    <search aria-label="Runs" className="flex flex-wrap items-center gap-x-3 gap-y-2 px-6 py-3 max-sm:strip max-sm:px-4">
      <TextFilter filter={filter} onChange={onChange} />
      <Select
        aria-label="Status"
        className="w-36"
        items={STATUS_ITEMS}
        value={filter.status ?? ANY}
        onValueChange={(next) => onChange({ status: RUN_STATUSES.find((each) => each === next) ?? null })}
      />
      <Select
        aria-label="Graph"
        className="w-56"
        items={graphItems}
        value={filter.graphId ?? ANY}
        onValueChange={(next) => onChange({ graphId: next === ANY ? null : next })}
      />
      {environments.length < 2 && filter.environment === null ? null : (
        <Select
          aria-label="Environment"
          className="w-44"
          items={[{ value: ANY, label: "Any environment" }, ...environments.map(({ id, title }) => ({ value: id, label: title }))]}
          value={filter.environment ?? ANY}
          onValueChange={(next) => onChange({ environment: next === ANY ? null : next })}
        />
      )}
      <Select
        aria-label="Live or simulated"
        className="w-44"
        items={REALITY_ITEMS}
        value={realityOf(filter.simulated)}
        onValueChange={(next) => onChange({ simulated: next === ANY ? null : next === "yes" })}
      />
      <DateModelFilters what="Started" filter={filter} onChange={onChange} />
      <Select
        aria-label="Duration"
        className="w-40"
        items={TOOK_ITEMS}
        value={filter.took ?? ANY}
        onValueChange={(next) => onChange({ took: RUN_DURATIONS.find((each) => each === next) ?? null })}
      />
      {TICKS.map(({ name, label }) => (
        <Checkbox key={name} checked={filter[name]} onCheckedChange={(isOn) => onChange({ [name]: isOn })}>
          {label}
        </Checkbox>
      ))}
    </search>
  );
};
