"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { DateModelFilters } from "@/components/views/date-model-filters";
import { AGES, RISKS, type InboxFilter } from "@/lib/engine/approvals/inbox";
import type { QueueCounts } from "@/components/approvals/types";
import { RISK_WORD } from "./risk-mark";
import type { useInboxFilter } from "./use-inbox-filter";

const ANY = "any";

const AGE_WORD = {
  "1h": "Waiting 1 h or more",
  "8h": "Waiting 8 h or more",
  "1d": "Waiting 1 day or more",
} as const satisfies Record<(typeof AGES)[number], string>;
const AGE_ITEMS = [{ value: ANY, label: "Any age" }, ...AGES.map((age) => ({ value: age, label: AGE_WORD[age] }))];

type ToggleProps = { readonly pressed: boolean; readonly count: number | null; readonly onPress: () => void; readonly children: string };

const Toggle = ({ pressed, count, onPress, children }: ToggleProps) => (
  <Button aria-pressed={pressed} onClick={onPress} className={cn(pressed && "border-accent bg-accent-soft text-accent")}>
    {children} <span className="tabular text-xs text-muted">{count ?? ""}</span>
  </Button>
);

type Props = {
  readonly inbox: ReturnType<typeof useInboxFilter>;
  readonly counts: QueueCounts | null;
};

const graphItems = (counts: QueueCounts | null, filter: InboxFilter) => {
  const graphs = counts?.graphs ?? [];
  // The chosen graph stays listed.
  const chosen =
    filter.graph !== null && !graphs.some(({ id }) => id === filter.graph) ? [{ value: filter.graph, label: "This graph (0)" }] : [];

  return [
    { value: ANY, label: "Any graph" },
    ...chosen,
    ...graphs.map(({ id, name, count }) => ({ value: id, label: `${name === "" ? "Unnamed" : name} (${count})` })),
  ];
};

export const QueueFilters = ({ inbox, counts }: Props) => {
  const { filter, choose, type, clear, isNarrowed } = inbox;
  const risks = [
    { value: ANY, label: "Any risk" },
    ...RISKS.map((risk) => ({ value: risk, label: `${RISK_WORD[risk]}${counts ? ` (${counts.risk[risk]})` : ""}` })),
  ];

  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2 px-6 py-2 max-sm:strip max-sm:px-4">
      {filter.tab === "open" ? (
        <>
          <Toggle pressed={filter.mine} count={counts?.mine ?? null} onPress={() => choose({ mine: !filter.mine })}>
            Needs my decision
          </Toggle>
          <Toggle pressed={filter.assigned} count={counts?.assigned ?? null} onPress={() => choose({ assigned: !filter.assigned })}>
            Assigned to me
          </Toggle>
          <Toggle pressed={filter.expiring} count={counts?.expiring ?? null} onPress={() => choose({ expiring: !filter.expiring })}>
            Expires within 1 h
          </Toggle>
          <Toggle pressed={filter.aside} count={counts?.aside ?? null} onPress={() => choose({ aside: !filter.aside })}>
            Snoozed
          </Toggle>
        </>
      ) : null}
      <Select
        aria-label="Risk"
        className="w-36"
        items={risks}
        value={filter.risk ?? ANY}
        onValueChange={(next) => choose({ risk: RISKS.find((each) => each === next) ?? null })}
      />
      <Select
        aria-label="Graph"
        className="w-52"
        items={graphItems(counts, filter)}
        value={filter.graph ?? ANY}
        onValueChange={(next) => choose({ graph: next === ANY ? null : next })}
      />
      <Select
        aria-label="Age"
        className="w-48"
        items={AGE_ITEMS}
        value={filter.age ?? ANY}
        onValueChange={(next) => choose({ age: AGES.find((each) => each === next) ?? null })}
      />
      <DateModelFilters what="Asked" filter={filter} onChange={choose} />
      <Input
        type="search"
        aria-label="Search"
        placeholder="Search"
        className="w-44"
        maxLength={100}
        value={filter.text}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {isNarrowed ? (
        <>
          <Button variant="ghost" onClick={clear}>
            Clear filters
          </Button>
          <output className="tabular text-xs text-muted">
            {counts ? `${counts.matching} of ${filter.aside ? counts.aside : counts.all}` : ""}
          </output>
        </>
      ) : null}
    </search>
  );
};
