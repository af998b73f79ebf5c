"use client";

import { useMutation } from "@tanstack/react-query";
import { useAdminSignature, useIsSigned } from "@/components/passkeys/use-admin-signature";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ListedMember } from "@/server/store/people/members";
import { IdentityLine } from "@/components/account/identity-line";

export const MemberIdentity = ({ member, isMe }: { readonly member: ListedMember; readonly isMe: boolean }) => {
  const trpc = useTRPC();
  const unlink = useMutation(trpc.people.unlinkIdentity.mutationOptions({ onSettled: useRefresh(trpc.people.pathFilter()) }));
  const isSigned = useIsSigned() && !isMe;
  const sign = useAdminSignature();
  const { identity: linked } = member;
  if (linked === null) return null;
  const identity = { issuer: linked.issuer, subject: linked.subject };
  const act = async () => {
    const signature = isMe ? {} : await sign({ kind: "people_unlink_identity", user: member.id, identity });

    return unlink.mutateAsync({ userId: member.id, identity, ...signature });
  };

  return (
    <section aria-labelledby="identity" className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <h3 id="identity" className="text-sm font-semibold">
          Identity
        </h3>
        <IdentityLine identity={linked} />
      </div>
      <ConfirmAction
        label="Unlink…"
        title={`Unlink the identity of ${member.name}?`}
        consequence={`They can then sign in only with their password, and all their sessions end.${isSigned ? ` Sign with your passkey to unlink it.` : ""}`}
        confirm="Unlink"
        pending="Unlinking…"
        disabledReason={member.signsInBy === "password" ? null : "It is their only way to sign in. Disable the account instead"}
        act={act}
      />
    </section>
  );
};
