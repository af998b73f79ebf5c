"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Field } from "@/components/ui/field";
import { Form, FormActions } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

type Person = { readonly id: string; readonly name: string };

type Props = { readonly delegates: readonly Person[]; readonly onDone: () => void };

/** Local time of a date and time field, ms since 1970; null: incomplete. */
const parseLocal = (text: string): number | null => {
  const ms = new Date(text).getTime();

  return Number.isNaN(ms) ? null : ms;
};

const toLocal = (ms: number): string => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const DAY_MS = 86_400_000;

export const DelegationForm = ({ delegates, onDone }: Props) => {
  const trpc = useTRPC();
  const [openedMs] = useState(() => Date.now());
  const [to, setTo] = useState(delegates[0]?.id ?? "");
  const [from, setFrom] = useState(toLocal(openedMs));
  const [until, setUntil] = useState(toLocal(openedMs + 7 * DAY_MS));
  const give = useMutation(
    trpc.approvers.delegations.give.mutationOptions({
      onSuccess: onDone,
      onSettled: useRefresh(trpc.approvers.pathFilter()),
    }),
  );
  const [startsAt, endsAt] = [parseLocal(from), parseLocal(until)];
  const isPeriod = startsAt !== null && endsAt !== null && endsAt > Math.max(startsAt, openedMs);

  return (
    <Form
      onSubmit={() => {
        if (isPeriod) give.mutate({ to, startsAt, endsAt });
      }}
      error={give.error}
    >
      <Field label="Delegate">
        <Select items={delegates.map(({ id, name }) => ({ value: id, label: name }))} value={to} onValueChange={setTo} />
      </Field>
      <Field label="From">
        <Input type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      <Field label="Until" error={isPeriod ? null : "The end must be in the future, after the start."}>
        <Input type="datetime-local" value={until} onChange={(event) => setUntil(event.target.value)} />
      </Field>
      <FormActions
        submit="Delegate"
        pending={give.isPending ? "Committing…" : null}
        disabledReason={isPeriod ? null : "Choose a period"}
        onCancel={onDone}
      />
    </Form>
  );
};
