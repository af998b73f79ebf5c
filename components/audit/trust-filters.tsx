"use client";

import type { KeyboardEvent } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { TRUST_TYPES } from "@/lib/engine/labels/trust-event";
import { WITHIN, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { KINDS } from "./trust-labels";

const ANY = "any";

const KIND_ITEMS = [{ value: ANY, label: "Any kind" }, ...TRUST_TYPES.map((type) => ({ value: type, label: KINDS[type].title }))];

const TIME_ITEMS = [
  { value: ANY, label: "Any time" },
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last 24 h" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
];

const TEXTS = [
  { name: "who", label: "Actor", width: "w-32" },
  { name: "node", label: "Node", width: "w-28" },
  { name: "path", label: "Path", width: "w-36" },
  { name: "run", label: "Run", width: "w-28" },
] as const;

type Props = { readonly filter: TrustFilter; readonly onChange: (change: Partial<TrustFilter>) => void };

const TextFilter = ({ name, label, width, filter, onChange }: Props & (typeof TEXTS)[number]) => {
  const commit = (value: string) => {
    if (value !== filter[name]) onChange({ [name]: value });
  };

  return (
    <Input
      key={filter[name]}
      aria-label={label}
      placeholder={label}
      className={width}
      maxLength={200}
      defaultValue={filter[name]}
      onBlur={(event) => commit(event.currentTarget.value)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === "Enter") commit(event.currentTarget.value);
      }}
    />
  );
};

const DayFilter = ({ name, label, filter, onChange }: Props & { readonly name: "from" | "to"; readonly label: string }) => (
  <label className="flex items-center gap-1.5 text-xs text-muted">
    {label}
    <Input
      type="date"
      className="w-36"
      value={filter[name] ?? ""}
      onChange={(event) => onChange({ [name]: event.currentTarget.value === "" ? null : event.currentTarget.value })}
    />
  </label>
);

export const TrustFilters = ({ filter, onChange }: Props) => {
  const [only, ...others] = filter.types;

  return (
    <search aria-label="Trust log" className="flex flex-wrap items-center gap-2 px-6 py-3 max-sm:strip max-sm:px-4">
      <Select
        aria-label="Kind"
        className="w-36"
        items={KIND_ITEMS}
        value={others.length > 0 ? null : (only ?? ANY)}
        placeholder={`${filter.types.length} kinds`}
        onValueChange={(next) => onChange({ types: TRUST_TYPES.filter((type) => type === next) })}
      />
      {TEXTS.map((text) => (
        <TextFilter key={text.name} {...text} filter={filter} onChange={onChange} />
      ))}
      <Select
        aria-label="Time"
        className="w-36"
        items={TIME_ITEMS}
        value={filter.within ?? ANY}
        onValueChange={(next) => onChange({ within: WITHIN.find((each) => each === next) ?? null })}
      />
      <DayFilter name="from" label="From" filter={filter} onChange={onChange} />
      <DayFilter name="to" label="To" filter={filter} onChange={onChange} />
      <Checkbox checked={filter.people === "none"} onCheckedChange={(checked) => onChange({ people: checked ? "none" : null })}>
        No person involved
      </Checkbox>
    </search>
  );
};
