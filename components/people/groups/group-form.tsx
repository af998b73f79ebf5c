"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Field } from "@/components/ui/field";
import { Form, FormActions } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { groupNameSchema } from "@/lib/people/approvers";
import type { ShownMember } from "@/components/people/labels";

export type ShownGroup = { readonly name: string; readonly people: readonly string[] };

type Props = {
  /** Null: a new one. */
  readonly group: ShownGroup | null;
  readonly members: readonly ShownMember[];
  readonly onDone: () => void;
};

const describeMember = ({ role, disabledAt }: ShownMember): string =>
  disabledAt === null ? (role === "reviewer" ? "reviewer" : `${role}, can't decide`) : "disabled, can't decide";

export const GroupForm = ({ group, members, onDone }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const [name, setName] = useState(group?.name ?? "");
  const [people, setPeople] = useState<readonly string[]>(group?.people ?? []);
  const known = groupNameSchema.safeParse(name.trim());
  const adds = people.some((id) => group?.people.includes(id) !== true);
  const save = useMutation({
    mutationFn: async () => {
      const change = { group: name.trim(), was: group ? [...group.people] : null, people: [...people] };
      const signature = adds ? await sign({ kind: "group_set", ...change }) : {};

      return api.approvers.groups.set.mutate({ ...change, ...signature });
    },
    onSuccess: onDone,
    onSettled: useRefresh(trpc.approvers.pathFilter()),
  });
  const choices = members.map((member) => ({ value: member.id, label: member.name, hint: `${member.email}, ${describeMember(member)}` }));

  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      {group ? null : (
        <Field
          label="Name"
          hint="Graphs refer to the group by its name, so it can't be changed later."
          error={name === "" || known.success ? null : "Use up to 60 letters, digits, spaces, dots, hyphens or underscores."}
        >
          <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <CheckboxGroup legend="People" choices={choices} value={people} onChange={setPeople} />
      {adds ? <SignatureNote to={`add people to ${name.trim() === "" ? "this group" : name.trim()}`} /> : null}
      <FormActions
        submit={group ? "Save group" : "Create group"}
        pending={save.isPending ? "Committing…" : null}
        disabledReason={known.success ? null : "Enter a name"}
        onCancel={onDone}
      />
    </Form>
  );
};
