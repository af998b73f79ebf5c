"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

const ANY = "any";
const DAYS = 90;

type Filter = { readonly from: string | null; readonly to: string | null; readonly model: string | null };
type Props = { readonly what: string; readonly filter: Filter; readonly onChange: (change: Partial<Filter>) => void };

const ModelFilter = ({ filter: { model }, onChange }: Props) => {
  const used = useQuery(useTRPC().usage.report.queryOptions({ by: "model", days: DAYS }, { staleTime: 60_000 })).data?.rows ?? [];
  const names = [...new Set([...used.flatMap(({ key }) => (key ? [key] : [])), ...(model === null ? [] : [model])])].toSorted();

  return (
    <Select
      aria-label="Model"
      className="w-48"
      items={[{ value: ANY, label: "Any model" }, ...names.map((value) => ({ value, label: value }))]}
      value={model ?? ANY}
      onValueChange={(next) => onChange({ model: next === ANY ? null : next })}
    />
  );
};

export const DateModelFilters = (props: Props) => {
  const { what, filter, onChange } = props;
  const day = (name: "from" | "to", label: string) => (
    <Input
      key={`${name} ${filter[name] ?? ""}`}
      type="date"
      aria-label={`${what} ${label} (UTC)`}
      title={`${what} ${label}, days in UTC`}
      className="w-36"
      defaultValue={filter[name] ?? ""}
      onBlur={(event) => {
        const value = event.currentTarget.value || null;
        if (value !== filter[name]) onChange({ [name]: value });
      }}
    />
  );

  return (
    <>
      <span className="flex items-center gap-1 text-xs text-muted">
        {day("from", "from")}–{day("to", "to")}
      </span>
      <ModelFilter {...props} />
    </>
  );
};
