"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";
import { Failure } from "@/components/ui/failure";
import type { ListedMember } from "@/server/store/people/members";
import { StandingFields } from "./standing-fields";

type Props = { readonly member: ListedMember; readonly disabledReason: string | null };

/** Another role or add-on for somebody. What is shown stays what it was until the ledger has the change. */
export const RoleForm = ({ member, disabledReason }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const was = { role: member.role, auditor: member.auditor };
  const [next, setNext] = useState(was);
  const change = useMutation({
    mutationFn: async () => {
      const signature = await sign({ kind: "people_change", user: member.id, was, standing: next });

      return api.people.change.mutate({ user_id: member.id, was, ...next, ...signature });
    },
    onSuccess: ({ record }) => notify({ title: `${member.name} is ${next.role} now.`, description: `Record ${record} of the workspace.` }),
    onSettled: () => client.invalidateQueries({ queryKey: trpc.people.list.queryKey() }),
  });
  const isSame = next.role === was.role && next.auditor === was.auditor;

  return (
    <section aria-labelledby="what-they-may-do" className="flex flex-col gap-3">
      <h3 id="what-they-may-do" className="text-sm font-semibold">
        What they may do
      </h3>
      <StandingFields value={next} onChange={setNext} disabled={disabledReason !== null} />
      <Failure error={change.error} />
      {isSame || disabledReason !== null ? null : <SignatureNote to={`make ${member.name} ${next.role}`} />}
      <div>
        <Button
          variant="primary"
          disabledReason={disabledReason ?? (isSame ? "Nothing is changed" : null)}
          pending={change.isPending ? "Committing…" : null}
          onClick={() => change.mutate()}
        >
          Change the role
        </Button>
      </div>
    </section>
  );
};
