"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { toPersonalToken } from "@/lib/outside/personal-token";

const ALL = "all";
const MAX_NAME = 120;

const LIFETIMES = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
] as const;

const formSchema = z.strictObject({
  name: z.string().trim().min(1, "Required.").max(MAX_NAME),
  graph: z.string(),
  lifetime: z.enum(LIFETIMES.map(({ value }) => value)),
});
type Fields = z.infer<typeof formSchema>;

const INITIAL: Fields = { name: "", graph: ALL, lifetime: "7" };

type Props = { readonly onMade: (token: string) => void; readonly onCancel: () => void };

export const PersonalTokenForm = ({ onMade, onCancel }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const sign = useAdminSignature();
  const form = useZodForm(formSchema, INITIAL);
  const refresh = useRefresh(trpc.connect.pathFilter());
  const create = useMutation({
    mutationFn: async ({ name, graph, lifetime }: Fields) => {
      const wanted = { name, graphs: graph === ALL ? null : [graph], expiresInDays: Number(lifetime) };

      return api.connect.personal.create.mutate({ ...wanted, ...(await sign({ kind: "token_mint", token: toPersonalToken(wanted) })) });
    },
    onSuccess: async ({ token }) => {
      await refresh();
      onMade(token);
    },
  });

  return (
    <Form onSubmit={form.handleSubmit((fields) => create.mutate(fields))} error={create.error}>
      <TextField form={form} name="name" label="Name" hint="For example the program that will use it." maxLength={MAX_NAME} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          form={form}
          name="graph"
          label="Graphs"
          items={[{ value: ALL, label: "All graphs" }, ...(graphs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <SelectField form={form} name="lifetime" label="Expires after" items={LIFETIMES} />
      </div>
      <SignatureNote to="create this token" />
      <FormActions submit="Create token" pending={create.isPending ? "Creating…" : null} onCancel={onCancel} />
    </Form>
  );
};
