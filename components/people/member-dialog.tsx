"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAdminSignature, useIsSigned } from "@/components/passkeys/use-admin-signature";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { MemberPasskeys } from "./member-passkeys";
import { MemberIdentity } from "./member-identity";
import { MemberSessions } from "./member-sessions";
import { RoleForm } from "./role-form";
import type { ShownMember } from "./words";

const OWN = "Nobody changes their own role or access: another admin has to";

type Props = { readonly member: ShownMember; readonly isMe: boolean; readonly onClose: () => void };

const Access = ({ member, isMe }: Omit<Props, "onClose">) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const isDisabled = member.disabledAt !== null;
  const isSigned = useIsSigned();
  const sign = useAdminSignature();
  const set = useMutation(
    trpc.people.setDisabled.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.people.pathKey() }) }),
  );

  const act = async () => {
    const signature = isDisabled ? await sign({ kind: "people_enable", user: member.id }) : {};

    return set.mutateAsync({ user_id: member.id, disabled: !isDisabled, ...signature });
  };

  return (
    <section aria-labelledby="access" className="flex items-center gap-3">
      <div className="flex-1">
        <h3 id="access" className="text-sm font-semibold">
          Access
        </h3>
        <p className="text-sm text-muted">
          {isDisabled
            ? "Disabled: they cannot sign in, and approvals of theirs do not count."
            : "Disabling signs them out everywhere. What they did stays on record."}
        </p>
      </div>
      <ConfirmAction
        label={isDisabled ? "Let them in again…" : "Disable…"}
        title={isDisabled ? `Let ${member.name} in again?` : `Disable ${member.name}?`}
        consequence={
          isDisabled
            ? `They can sign in again, in the role that they had.${isSigned ? ` Sign with your passkey to let ${member.name} in.` : ""}`
            : "Every session of theirs ends, and approvals of theirs that still wait for others lapse."
        }
        confirm={isDisabled ? "Let them in" : "Disable"}
        pending="Committing…"
        disabledReason={isMe ? OWN : null}
        act={act}
      />
    </section>
  );
};

/** One member: what they may do, whether they may come in, and where they are signed in. */
export const MemberDialog = ({ member, isMe, onClose }: Props) => (
  <Dialog open onOpenChange={onClose} size="lg" title={member.name} description={member.email}>
    <div className="flex flex-col gap-6">
      {isMe ? <Callout kind="reviewed" title={`${OWN}.`} /> : null}
      {/* Made anew when somebody else has changed it, so that it never starts from what is not so any more. */}
      <RoleForm key={`${member.role} ${String(member.auditor)}`} member={member} disabledReason={isMe ? OWN : null} />
      <Access member={member} isMe={isMe} />
      <MemberPasskeys member={member} isMe={isMe} />
      <MemberIdentity member={member} isMe={isMe} />
      <MemberSessions member={member} isMe={isMe} />
    </div>
  </Dialog>
);
