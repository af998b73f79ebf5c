"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";
import { Failure } from "@/components/webhooks/failure";
import type { ListedMember } from "@/server/store/members";
import { StandingFields } from "./standing-fields";

type Props = { readonly member: ListedMember; readonly disabledReason: string | null };

/** Another role or add-on for somebody. What is shown stays what it was until the ledger has the change. */
export const RoleForm = ({ member, disabledReason }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const was = { role: member.role, auditor: member.auditor };
  const [next, setNext] = useState(was);
  const change = useMutation(
    trpc.people.change.mutationOptions({
      onSuccess: ({ record }) =>
        notify({ title: `${member.name} is ${next.role} now.`, description: `Record ${record} of the workspace.` }),
      onSettled: () => client.invalidateQueries({ queryKey: trpc.people.list.queryKey() }),
    }),
  );
  const isSame = next.role === was.role && next.auditor === was.auditor;

  return (
    <section aria-labelledby="what-they-may-do" className="flex flex-col gap-3">
      <h3 id="what-they-may-do" className="text-sm font-semibold">
        What they may do
      </h3>
      <StandingFields value={next} onChange={setNext} disabled={disabledReason !== null} />
      <Failure error={change.error} />
      <div>
        <Button
          variant="primary"
          disabledReason={disabledReason ?? (isSame ? "Nothing is changed" : null)}
          pending={change.isPending ? "Committing…" : null}
          onClick={() => change.mutate({ user_id: member.id, was, ...next })}
        >
          Change the role
        </Button>
      </div>
    </section>
  );
};
