"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/webhooks/confirm-action";
import type { ListedMember } from "@/server/store/members";
import { IdentityLine } from "./identity-line";

/** The identity that somebody signs in with, and its end. */
export const MemberIdentity = ({ member }: { readonly member: ListedMember }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const unlink = useMutation(
    trpc.people.unlinkIdentity.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.people.pathKey() }) }),
  );
  const { identity } = member;
  if (identity === null) return null;

  return (
    <section aria-labelledby="identity" className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <h3 id="identity" className="text-sm font-semibold">
          Identity
        </h3>
        <IdentityLine identity={identity} />
      </div>
      <ConfirmAction
        label="Unlink…"
        title={`Unlink the identity of ${member.name}?`}
        consequence="They sign in with their password only, and every session of theirs ends."
        confirm="Unlink"
        pending="Unlinking…"
        disabledReason={member.signsInBy === "password" ? null : "It is their only way in: disable the account instead"}
        act={() => unlink.mutateAsync({ user_id: member.id, identity: { issuer: identity.issuer, subject: identity.subject } })}
      />
    </section>
  );
};
