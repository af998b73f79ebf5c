"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
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

/** Years that are being typed begin with zeros. */
const FIRST_DAY = "2000-01-01";

type DayProps = { readonly name: string; readonly value: string | null; readonly onChange: (day: string | null) => void };

const DayField = ({ name, value, onChange }: DayProps) => {
  const [{ text, of }, setTyped] = useState({ text: value ?? "", of: value });
  if (of !== value) setTyped({ text: value ?? "", of: value });

  return (
    <Input
      type="date"
      aria-label={`${name} (UTC)`}
      title={`${name}, days in UTC`}
      className="w-36"
      value={text}
      onChange={({ currentTarget: { value: day } }) => {
        setTyped({ text: day, of });
        if (day >= FIRST_DAY && day !== value) onChange(day);
      }}
      onBlur={() => {
        if (text === "" && value !== null) onChange(null);
      }}
    />
  );
};

export const DateModelFilters = (props: Props) => {
  const { what, filter, onChange } = props;
  const day = (name: "from" | "to") => (
    <DayField name={`${what} ${name}`} value={filter[name]} onChange={(value) => onChange({ [name]: value })} />
  );

  return (
    <>
      <span className="flex items-center gap-1 text-xs text-muted">
        {day("from")}–{day("to")}
      </span>
      <ModelFilter {...props} />
    </>
  );
};
