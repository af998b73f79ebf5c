"use client";

import { useMutation } from "@tanstack/react-query";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { RelativeTime } from "@/components/ui/relative-time";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ShownMember } from "./labels";

const OWN = "Only another admin or the operator can allow a passkey for you";

const countOf = (passkeys: number): string => (passkeys === 0 ? "None yet." : passkeys === 1 ? "1 passkey." : `${passkeys} passkeys.`);

export const MemberPasskeys = ({ member, isMe }: { readonly member: ShownMember; readonly isMe: boolean }) => {
  const trpc = useTRPC();
  const countersign = useCountersign();
  const allow = useMutation(trpc.passkeys.allow.mutationOptions({ onSettled: useRefresh(trpc.people.pathFilter()) }));
  const act = async () => {
    const allowance = crypto.randomUUID();
    const assertion = await countersign({ kind: "passkey_allow", allowance, user: member.id });

    return allow.mutateAsync({ userId: member.id, allowance, ...(assertion ? { assertion } : {}) });
  };

  return (
    <section aria-labelledby="passkeys" className="flex items-center gap-3">
      <div className="flex-1">
        <h3 id="passkeys" className="text-sm font-semibold">
          Passkeys
        </h3>
        <p className="text-sm text-muted">
          {countOf(member.passkeys)}{" "}
          {member.passkeyAllowedUntil === null ? (
            "A first passkey, or a new one after all were lost, must be allowed by an admin."
          ) : (
            <>
              A new one is allowed. Expires <RelativeTime at={member.passkeyAllowedUntil} />.
            </>
          )}
        </p>
      </div>
      <ConfirmAction
        label="Allow a new passkey…"
        title={`Allow a new passkey for ${member.name}?`}
        consequence="They can register one passkey within 24 hours and approve with it. Make sure that the request really comes from them. If you have a passkey, you sign this with it."
        confirm="Allow a new passkey"
        pending="Committing…"
        disabledReason={isMe ? OWN : null}
        act={act}
      />
    </section>
  );
};
