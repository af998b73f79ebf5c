"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { canReferTo } from "@/lib/secrets/reference";
import type { HeaderKind, HeaderRow } from "./header-rows";

const KINDS = [
  { value: "new", label: "New secret" },
  { value: "kept", label: "Stored secret" },
  { value: "text", label: "Plain text" },
] as const satisfies readonly { readonly value: HeaderKind; readonly label: string }[];

/** A select has no empty value. */
const AS_IT_IS = "as_it_is";

const SCHEMES = [
  { value: AS_IT_IS, label: "No scheme" },
  { value: "Bearer ", label: "Bearer …" },
  { value: "Basic ", label: "Basic …" },
  { value: "Token ", label: "Token …" },
] as const;

type Props = {
  readonly server: string;
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
};

type RowProps = Pick<Props, "server"> & {
  readonly row: HeaderRow;
  readonly onChange: (row: HeaderRow) => void;
  readonly onRemove: () => void;
};

const StoredSecret = ({ server, row, onChange }: Pick<RowProps, "server" | "row" | "onChange">) => {
  const { data } = useQuery(useTRPC().secrets.list.queryOptions());
  const names = (data ?? []).map(({ name }) => name).filter((name) => canReferTo("mcp", server, name));
  const items = [...new Set([...(row.text === "" ? [] : [row.text]), ...names])].map((name) => ({ value: name, label: name }));

  return (
    <Select
      aria-label={`Stored secret of ${row.name || "this row"}`}
      items={items}
      value={row.text === "" ? null : row.text}
      placeholder={items.length === 0 ? "No secrets stored yet" : "Choose a secret"}
      onValueChange={(text) => onChange({ ...row, text })}
      className="w-auto min-w-28 flex-1"
    />
  );
};

const Row = ({ server, row, onChange, onRemove }: RowProps) => (
  <li className="flex flex-wrap items-center gap-2">
    <Input
      aria-label="Header name"
      autoComplete="off"
      spellCheck={false}
      placeholder="Authorization"
      className="w-38 font-mono"
      value={row.name}
      onChange={(event) => onChange({ ...row, name: event.target.value })}
    />
    <Select
      aria-label={`Kind of ${row.name || "this row"}`}
      items={KINDS}
      value={row.kind}
      onValueChange={(kind) => onChange({ ...row, kind, text: "" })}
      className="w-34"
    />
    {row.kind === "text" ? null : (
      <Select
        aria-label={`Scheme of ${row.name || "this row"}`}
        items={SCHEMES}
        value={SCHEMES.find(({ value }) => value === row.scheme)?.value ?? AS_IT_IS}
        onValueChange={(scheme) => onChange({ ...row, scheme: scheme === AS_IT_IS ? "" : scheme })}
        className="w-26"
      />
    )}
    {row.kind === "kept" ? (
      <StoredSecret server={server} row={row} onChange={onChange} />
    ) : (
      <Input
        aria-label={`Value of ${row.name || "this row"}`}
        type={row.kind === "new" ? "password" : "text"}
        autoComplete={row.kind === "new" ? "new-password" : "off"}
        spellCheck={false}
        className="w-auto min-w-28 flex-1 font-mono"
        value={row.text}
        onChange={(event) => onChange({ ...row, text: event.target.value })}
      />
    )}
    <Button size="sm" variant="ghost" aria-label={`Remove ${row.name || "this row"}`} onClick={onRemove}>
      <X aria-hidden className="size-4" />
    </Button>
  </li>
);

/** Header rows; stored secrets can only be replaced. */
export const HeaderFields = ({ server, rows, onChange }: Props) => (
  <div className="flex flex-col gap-2">
    {rows.length > 0 ? (
      <ul className="flex flex-col gap-2">
        {rows.map((row) => (
          <Row
            key={row.key}
            server={server}
            row={row}
            onChange={(next) => onChange(rows.map((each) => (each.key === row.key ? next : each)))}
            onRemove={() => onChange(rows.filter((each) => each.key !== row.key))}
          />
        ))}
      </ul>
    ) : null}
    <div>
      <Button size="sm" onClick={() => onChange([...rows, { key: crypto.randomUUID(), name: "", kind: "new", scheme: "", text: "" }])}>
        <Plus aria-hidden className="size-3.5" />
        Add header
      </Button>
    </div>
  </div>
);
