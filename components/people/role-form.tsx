"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";
import { Failure } from "@/components/ui/failure";
import type { ListedMember } from "@/server/store/people/members";
import { StandingFields } from "./standing-fields";

type Props = { readonly member: ListedMember; readonly disabledReason: string | null };

export const RoleForm = ({ member, disabledReason }: Props) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const was = { role: member.role, auditor: member.auditor };
  const [next, setNext] = useState(was);
  const change = useMutation({
    mutationFn: async () => {
      const signature = await sign({ kind: "people_change", user: member.id, was, standing: next });

      return api.people.change.mutate({ userId: member.id, was, ...next, ...signature });
    },
    onSuccess: ({ record }) => notify({ title: `${member.name} is now ${next.role}.`, description: `Workspace record ${record}.` }),
    onSettled: useRefresh(trpc.people.list.queryFilter()),
  });
  const isSame = next.role === was.role && next.auditor === was.auditor;

  return (
    <section aria-labelledby="what-they-may-do" className="flex flex-col gap-3">
      <h3 id="what-they-may-do" className="text-sm font-semibold">
        Permissions
      </h3>
      <StandingFields value={next} onChange={setNext} disabled={disabledReason !== null} />
      <Failure error={change.error} />
      {isSame || disabledReason !== null ? null : <SignatureNote to={`change the role of ${member.name} to ${next.role}`} />}
      <div>
        <Button
          variant="primary"
          disabledReason={disabledReason ?? (isSame ? "No changes" : null)}
          pending={change.isPending ? "Committing…" : null}
          onClick={() => change.mutate()}
        >
          Save role
        </Button>
      </div>
    </section>
  );
};
