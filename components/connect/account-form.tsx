"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { findTokenObjection, serviceScopeSchema } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import type { Role } from "@/lib/roles";
import { INTEGRITIES, LIFETIMES, SCOPES } from "./labels";
import { LimitFields } from "./limit-fields";
import { DEFAULT_LIMIT_TEXTS, readLimits } from "./token-limits";

const ALL = "all";
const MAX_NAME = 120;
const DAY_MS = 86_400_000;

const formSchema = z.strictObject({
  name: z.string().trim().min(1, "Required.").max(MAX_NAME),
  scopes: z.array(serviceScopeSchema).min(1, "Select at least one permission."),
  graph: z.string(),
  integrity: integritySchema,
  lifetime: z.enum(LIFETIMES.map(({ value }) => value)),
});
type AccountFields = z.infer<typeof formSchema>;

const INITIAL: AccountFields = { name: "", scopes: ["runs:read"], graph: ALL, integrity: "untrusted", lifetime: "30" };

const listChoices = (role: Role) =>
  serviceScopeSchema.options
    .filter((scope) => findTokenObjection(role, { scopes: [scope], integrity: "untrusted" }) === null)
    .map((value) => ({ value, ...SCOPES[value] }));

type Props = { readonly role: Role; readonly onMade: (token: string) => void; readonly onCancel: () => void };

export const AccountForm = ({ role, onMade, onCancel }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const sign = useAdminSignature();
  const form = useZodForm(formSchema, INITIAL);
  const [limitTexts, setLimitTexts] = useState(DEFAULT_LIMIT_TEXTS);
  const { limits, problems, isValid } = readLimits(limitTexts);
  const refresh = useRefresh(trpc.connect.tokens.pathFilter());
  const create = useMutation({
    mutationFn: async ({ graph, lifetime, ...fields }: AccountFields) => {
      const chosen = { ...fields, graphs: graph === ALL ? null : [graph], limits };
      const token = { ...chosen, strictErrors: false, singleBlock: false, lifetimeMs: Number(lifetime) * DAY_MS };

      return api.connect.accounts.create.mutate({
        ...chosen,
        expiresInDays: Number(lifetime),
        ...(await sign({ kind: "token_mint", token })),
      });
    },
    onSuccess: async ({ token }) => {
      await refresh();
      onMade(token);
    },
  });

  return (
    <Form onSubmit={form.handleSubmit((fields) => (isValid ? create.mutate(fields) : undefined))} error={create.error}>
      <TextField form={form} name="name" label="Name" hint="Shown in lists and in the ledger." maxLength={MAX_NAME} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          form={form}
          name="graph"
          label="Graphs"
          items={[{ value: ALL, label: "All graphs" }, ...(graphs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <SelectField form={form} name="lifetime" label="Expires after" items={LIFETIMES} />
      </div>
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <CheckboxGroup legend="Permissions" choices={listChoices(role)} value={value} error={error?.message} onChange={onChange} />
        )}
      />
      <SelectField
        form={form}
        name="integrity"
        label="Trust in its inputs"
        hint={role === "admin" ? "Recorded in every run that it starts." : "Only admins can select a higher level."}
        items={role === "admin" ? INTEGRITIES : INTEGRITIES.slice(0, 1)}
      />
      <LimitFields texts={limitTexts} problems={problems} onChange={setLimitTexts} />
      <SignatureNote to="create this account" />
      <FormActions submit="Create account" pending={create.isPending ? "Creating…" : null} onCancel={onCancel} />
    </Form>
  );
};
