"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Form, FormActions } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { checkDraft, NO_ROLE, OTHERWISE_ITEMS, toDraft } from "./mapping-draft";
import { RuleRows } from "./rule-rows";

export type ShownDirectory = Outputs["directory"]["get"];

export const MappingForm = ({ data: { inForce, groups }, onDone }: { readonly data: ShownDirectory; readonly onDone: () => void }) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const [draft, setDraft] = useState(() => toDraft(inForce?.directory ?? null));
  const checked = checkDraft(draft);
  const save = useMutation({
    mutationFn: async () => {
      if ("problem" in checked) return;
      const change = { was: inForce?.digest ?? null, directory: checked.directory };
      await api.directory.set.mutate({ ...change, ...(await sign({ kind: "directory_set", ...change })) });
    },
    onSuccess: onDone,
    onSettled: useRefresh(trpc.directory.pathFilter()),
  });

  return (
    <Form onSubmit={() => save.mutate()} error={save.error} className="flex flex-col gap-4">
      <Field label="Claim" hint="Of the ID token, with the person's groups.">
        <Input
          value={draft.claim}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => setDraft({ ...draft, claim: event.target.value })}
        />
      </Field>
      <RuleRows rows={draft.rows} groups={groups} onChange={(rows) => setDraft({ ...draft, rows })} />
      <Field label="Everyone else" hint="Newcomers without a role get no account; people who came by a group lose access.">
        <Select
          items={OTHERWISE_ITEMS}
          value={draft.otherwise ?? NO_ROLE}
          onValueChange={(role) => setDraft({ ...draft, otherwise: role === NO_ROLE ? null : role })}
        />
      </Field>
      <Checkbox checked={draft.newcomers} onCheckedChange={(newcomers) => setDraft({ ...draft, newcomers })}>
        Create an account at the first sign-in, if the address is verified and free
      </Checkbox>
      {"needsSecond" in checked && checked.needsSecond ? (
        <Callout kind="waiting" title="A second admin must confirm this">
          It lets the provider make admins. The mapping in force stays until then.
        </Callout>
      ) : null}
      <SignatureNote to="change the group mapping" />
      <FormActions
        submit={"needsSecond" in checked && checked.needsSecond ? "Ask a second admin" : "Save mapping"}
        pending={save.isPending ? "Committing…" : null}
        disabledReason={"problem" in checked ? checked.problem : null}
        onCancel={onDone}
      />
    </Form>
  );
};
