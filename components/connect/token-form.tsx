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
import { AGENT_SCOPES, findTokenObjection, serviceScopeSchema, TOKEN_SCOPES, type TokenScope } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { DEFAULT_SCOPES } from "@/lib/outside/oauth-grant";
import type { Role } from "@/lib/roles";
import { INTEGRITIES, LIFETIMES, SCOPES } from "./labels";
import { LimitFields } from "./limit-fields";
import { DEFAULT_LIMIT_TEXTS, readLimits } from "./token-limits";

const ALL = "all";
const MAX_NAME = 120;
const DAY_MS = 86_400_000;

const formSchema = z.strictObject({
  name: z.string().trim().min(1, "Required.").max(MAX_NAME),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, "Select at least one permission."),
  graph: z.string(),
  environment: z.string(),
  integrity: integritySchema,
  lifetime: z.enum(LIFETIMES.map(({ value }) => value)),
  strictErrors: z.boolean(),
});
type Fields = z.infer<typeof formSchema>;

const INITIAL: Omit<Fields, "scopes"> = {
  name: "",
  graph: ALL,
  environment: ALL,
  integrity: "untrusted",
  lifetime: "30",
  strictErrors: false,
};

type Terms = {
  readonly scopes: readonly TokenScope[];
  readonly initial: TokenScope[];
  readonly allGraphs: string;
  readonly does: string;
  readonly noun: string;
};

const HOLDERS = {
  agent: {
    scopes: AGENT_SCOPES,
    initial: [...DEFAULT_SCOPES],
    allGraphs: "All graphs for outside agents",
    does: "drives",
    noun: "token",
  },
  account: { scopes: serviceScopeSchema.options, initial: ["runs:read"], allGraphs: "All graphs", does: "starts", noun: "account" },
} satisfies Record<string, Terms>;
export type Holder = keyof typeof HOLDERS;

const listChoices = (role: Role, scopes: readonly TokenScope[]) =>
  scopes
    .filter((scope) => findTokenObjection(role, { scopes: [scope], integrity: "untrusted" }) === null)
    .map((value) => ({ value, ...SCOPES[value] }));

const useGraphs = (holder: Holder): readonly { readonly value: string; readonly label: string }[] => {
  const trpc = useTRPC();
  const driven = useQuery({ ...trpc.connect.graphs.list.queryOptions(), enabled: holder === "agent" });
  const all = useQuery({ ...trpc.graphs.list.queryOptions(), enabled: holder === "account" });

  return holder === "agent"
    ? (driven.data ?? []).map(({ graphId, name }) => ({ value: graphId, label: name }))
    : (all.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
};

type Props = {
  readonly role: Role;
  readonly holder: Holder;
  readonly onMade: (token: string) => void;
  readonly onCancel: () => void;
};

export const TokenForm = ({ role, holder, onMade, onCancel }: Props) => {
  const { scopes: possible, initial, allGraphs, does, noun }: Terms = HOLDERS[holder];
  const trpc = useTRPC();
  const graphs = useGraphs(holder);
  const environments = useQuery(trpc.environments.list.queryOptions()).data?.environments ?? [];
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const form = useZodForm(formSchema, { ...INITIAL, scopes: initial });
  const [limitTexts, setLimitTexts] = useState(DEFAULT_LIMIT_TEXTS);
  const { limits, problems, isValid } = readLimits(limitTexts);
  const refresh = useRefresh(trpc.connect.tokens.pathFilter());
  const mint = useMutation({
    mutationFn: async ({ graph, environment, lifetime, strictErrors, ...fields }: Fields) => {
      const chosen = {
        ...fields,
        graphs: graph === ALL ? null : [graph],
        ...(environment === ALL ? {} : { environments: [environment] }),
        limits,
      };
      const token = { ...chosen, strictErrors, singleBlock: false, lifetimeMs: Number(lifetime) * DAY_MS };
      const wanted = { ...chosen, expiresInDays: Number(lifetime), ...(await sign({ kind: "token_mint", token })) };

      return holder === "agent"
        ? api.connect.tokens.mint.mutate({ ...wanted, strictErrors, scopes: z.array(z.enum(AGENT_SCOPES)).parse(chosen.scopes) })
        : api.connect.accounts.create.mutate({ ...wanted, scopes: z.array(serviceScopeSchema).parse(chosen.scopes) });
    },
    onSuccess: async ({ token }) => {
      await refresh();
      onMade(token);
    },
  });

  return (
    <Form onSubmit={form.handleSubmit((fields) => (isValid ? mint.mutate(fields) : undefined))} error={mint.error}>
      <TextField form={form} name="name" label="Name" hint="Shown in lists and in the ledger." maxLength={MAX_NAME} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField form={form} name="graph" label="Graphs" items={[{ value: ALL, label: allGraphs }, ...graphs]} />
        {environments.length < 2 ? null : (
          <SelectField
            form={form}
            name="environment"
            label="Starts runs in"
            items={[{ value: ALL, label: "All environments" }, ...environments.map(({ id, title }) => ({ value: id, label: title }))]}
          />
        )}
        <SelectField form={form} name="lifetime" label="Expires after" items={LIFETIMES} />
      </div>
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <CheckboxGroup
            legend="Permissions"
            choices={listChoices(role, possible)}
            value={value}
            error={error?.message}
            onChange={onChange}
          />
        )}
      />
      <SelectField
        form={form}
        name="integrity"
        label="Trust in its inputs"
        hint={role === "admin" ? `Recorded in every run that it ${does}.` : "Only admins can select a higher level."}
        items={role === "admin" ? INTEGRITIES : INTEGRITIES.slice(0, 1)}
      />
      <LimitFields texts={limitTexts} problems={problems} onChange={setLimitTexts} />
      {holder === "agent" ? (
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
      ) : null}
      <SignatureNote to={`create this ${noun}`} />
      <FormActions submit={`Create ${noun}`} pending={mint.isPending ? "Creating…" : null} onCancel={onCancel} />
    </Form>
  );
};
