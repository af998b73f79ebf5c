"use client";

import { X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { count } from "@/lib/format";
import { filterOf, PLAIN_FILTERS, formatFilter, type FilterCounts, type RecordFilter } from "./filters";

const ALL = "all";

const WORDS = {
  refusals: "Refusals",
  gates: "Gates and decisions",
  effects: "Effects",
  errors: "Errors",
  taint: "Taint added and cleared",
} as const satisfies Record<(typeof PLAIN_FILTERS)[number], string>;

const byCount = (counts: ReadonlyMap<string, number>) => [...counts].toSorted(([, a], [, b]) => b - a);

const MOST = 30;

type Props = {
  readonly filter: RecordFilter | null;
  readonly counts: FilterCounts;
  readonly total: number;
  readonly shown: number;
  readonly nodeName: (id: string) => string;
  readonly onFilter: (filter: RecordFilter | null) => void;
};

export const FilterBar = ({ filter, counts, total, shown, nodeName, onFilter }: Props) => {
  const value = filter === null ? ALL : formatFilter(filter);
  const items = [
    { value: ALL, label: `All records (${count(total)})` },
    ...PLAIN_FILTERS.map((by) => ({ value: by as string, label: `${WORDS[by]} (${count(counts.plain[by])})` })),
    ...byCount(counts.actors).map(([actor, n]) => ({ value: `actor:${actor}`, label: `By ${actor} (${count(n)})` })),
    ...byCount(counts.nodes)
      .slice(0, MOST)
      .map(([node, n]) => ({ value: `node:${node}`, label: `In ${nodeName(node)} (${count(n)})` })),
  ];
  const known = items.some((item) => item.value === value);
  const label = filter?.by === "path" ? `Writes to ${filter.path} (${count(shown)})` : value;

  return (
    <span className="flex items-center gap-1">
      <Select
        aria-label="Show"
        className="h-7 w-52 text-xs"
        items={known ? items : [...items, { value, label }]}
        value={value}
        onValueChange={(next) => onFilter(filterOf(next))}
      />
      {filter === null ? null : (
        <Button size="icon" variant="ghost" aria-label="Show all records" onClick={() => onFilter(null)}>
          <X aria-hidden />
        </Button>
      )}
    </span>
  );
};
