"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Checkbox } from "@/components/ui/checkbox";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { AGENT_SCOPES } from "@/lib/engine/principal";
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
  scopes: z.array(z.enum(AGENT_SCOPES)).min(1, "Select at least one permission."),
  graph: z.string(),
  integrity: integritySchema,
  lifetime: z.enum(LIFETIMES.map(({ value }) => value)),
  strictErrors: z.boolean(),
});
type MintFields = z.infer<typeof formSchema>;

const INITIAL: MintFields = {
  name: "",
  scopes: ["run.read", "run.drive", "approval.request"],
  graph: ALL,
  integrity: "untrusted",
  lifetime: "30",
  strictErrors: false,
};

const CHOICES = AGENT_SCOPES.map((value) => ({ value, ...SCOPES[value] }));

type Props = { readonly role: Role; readonly onMinted: (token: string) => void; readonly onCancel: () => void };

export const MintForm = ({ role, onMinted, onCancel }: Props) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.connect.graphs.list.queryOptions());
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const form = useZodForm(formSchema, INITIAL);
  const [limitTexts, setLimitTexts] = useState(DEFAULT_LIMIT_TEXTS);
  const { limits, problems, isValid } = readLimits(limitTexts);
  const refresh = useRefresh(trpc.connect.tokens.pathFilter());
  const mint = useMutation({
    mutationFn: async ({ graph, lifetime, strictErrors, ...fields }: MintFields) => {
      const chosen = { ...fields, graphs: graph === ALL ? null : [graph], limits, strictErrors };
      const token = { ...chosen, singleBlock: false, lifetimeMs: Number(lifetime) * DAY_MS };

      return api.connect.tokens.mint.mutate({
        ...chosen,
        expiresInDays: Number(lifetime),
        ...(await sign({ kind: "token_mint", token })),
      });
    },
    onSuccess: async ({ token }) => {
      await refresh();
      onMinted(token);
    },
  });

  return (
    <Form onSubmit={form.handleSubmit((fields) => (isValid ? mint.mutate(fields) : undefined))} error={mint.error}>
      <TextField form={form} name="name" label="Name" hint="Shown in lists and in the ledger." maxLength={MAX_NAME} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          form={form}
          name="graph"
          label="Graphs"
          items={[
            { value: ALL, label: "All graphs for outside agents" },
            ...(graphs.data ?? []).map(({ graphId, name }) => ({ value: graphId, label: name })),
          ]}
        />
        <SelectField form={form} name="lifetime" label="Expires after" items={LIFETIMES} />
      </div>
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <CheckboxGroup legend="Permissions" choices={CHOICES} value={value} error={error?.message} onChange={onChange} />
        )}
      />
      <SelectField
        form={form}
        name="integrity"
        label="Trust in its inputs"
        hint={role === "admin" ? "Recorded in every run that it drives." : "Only admins can select a higher level."}
        items={role === "admin" ? INTEGRITIES : INTEGRITIES.slice(0, 1)}
      />
      <LimitFields texts={limitTexts} problems={problems} onChange={setLimitTexts} />
      <Controller
        control={form.control}
        name="strictErrors"
        render={({ field: { value, onChange } }) => (
          <Checkbox checked={value} onCheckedChange={onChange}>
            Report refusals as errors
            <span className="block text-xs text-muted">For frameworks that only notice errors. The responses stay the same.</span>
          </Checkbox>
        )}
      />
      <SignatureNote to="create this token" />
      <FormActions submit="Create token" pending={mint.isPending ? "Creating…" : null} onCancel={onCancel} />
    </Form>
  );
};
