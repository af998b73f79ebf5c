"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form, FormActions } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ShownEnvironment } from "./types";
import { findFaults, toRows, toVariables, VARIABLE_TYPES, type RowFaults, type VariableRow } from "./variable-rows";

const TYPE_LABELS = { text: "Text", number: "Number", boolean: "True or false" } as const;
const TYPE_ITEMS = VARIABLE_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const TRUTHS = ["true", "false"].map((value) => ({ value, label: value }));

type RowProps = {
  readonly row: VariableRow;
  readonly faults: RowFaults;
  readonly onChange: (change: Partial<VariableRow>) => void;
  readonly onRemove: () => void;
};

const VariableFields = ({ row, faults, onChange, onRemove }: RowProps) => (
  <fieldset className="grid grid-cols-[minmax(0,1fr)_8.5rem_auto] items-start gap-2 border-b pb-3 sm:grid-cols-[12rem_8.5rem_minmax(0,1fr)_auto]">
    <legend className="sr-only">{row.name || "New variable"}</legend>
    <Field label="Name" error={faults.name}>
      <Input className="font-mono" value={row.name} autoComplete="off" onChange={(event) => onChange({ name: event.target.value })} />
    </Field>
    <Field label="Type">
      <Select
        items={TYPE_ITEMS}
        value={row.type}
        onValueChange={(type) => onChange({ type, ...(type === "boolean" ? { text: String(row.text === "true") } : {}) })}
      />
    </Field>
    <Field label="Value" error={faults.value} className="max-sm:order-last max-sm:col-span-3">
      {row.type === "boolean" ? (
        <Select items={TRUTHS} value={row.text} onValueChange={(text) => onChange({ text })} />
      ) : (
        <Input
          value={row.text}
          autoComplete="off"
          inputMode={row.type === "number" ? "decimal" : "text"}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
    </Field>
    <Button size="sm" variant="ghost" className="mt-6" aria-label={`Remove ${row.name || "the new variable"}`} onClick={onRemove}>
      Remove
    </Button>
  </fieldset>
);

type Props = { readonly environment: ShownEnvironment; readonly onDone: () => void };

export const VariablesForm = ({ environment: { id, title, variables, digest }, onDone }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const [rows, setRows] = useState(() => toRows(variables));
  const [isTried, setTried] = useState(false);
  const read = toVariables(rows);
  const save = useMutation({
    mutationFn: async (next: NonNullable<typeof read>) => {
      const change = { environment: id, was: digest, variables: { ...next } };

      return api.environments.setVariables.mutate({ ...change, ...(await sign({ kind: "environment_variables", ...change })) });
    },
    onSuccess: onDone,
    onSettled: useRefresh(trpc.environments.pathFilter()),
  });
  const change = (key: number, part: Partial<VariableRow>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows((before) => [...before, { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, name: "", type: "text", text: "" }]);
  const submit = () => {
    setTried(true);
    if (read) save.mutate(read);
  };

  return (
    <Form onSubmit={submit} error={save.error}>
      {rows.length === 0 ? <p className="text-sm text-muted">No variables yet.</p> : null}
      {rows.map((row) => (
        <VariableFields
          key={row.key}
          row={row}
          faults={isTried ? findFaults(row, rows) : { name: null, value: null }}
          onChange={(part) => change(row.key, part)}
          onRemove={() => setRows((before) => before.filter(({ key }) => key !== row.key))}
        />
      ))}
      <div>
        <Button size="sm" onClick={add}>
          Add variable
        </Button>
      </div>
      <SignatureNote to={`change the variables of ${title}`} />
      <FormActions submit="Save variables" pending={save.isPending ? "Committing…" : null} onCancel={onDone} />
    </Form>
  );
};
