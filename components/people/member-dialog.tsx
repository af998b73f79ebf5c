"use client";

import { useMutation } from "@tanstack/react-query";
import { useAdminSignature, useIsSigned } from "@/components/passkeys/use-admin-signature";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { MemberPasskeys } from "./member-passkeys";
import { MemberIdentity } from "./member-identity";
import { MemberSessions } from "./member-sessions";
import { RoleForm } from "./role-form";
import type { ShownMember } from "./labels";

const OWN = "Only another admin can change your role or access";

type Props = { readonly member: ShownMember; readonly isMe: boolean; readonly onClose: () => void };

const Access = ({ member, isMe }: Omit<Props, "onClose">) => {
  const trpc = useTRPC();
  const isDisabled = member.disabledAt !== null;
  const isSigned = useIsSigned();
  const sign = useAdminSignature();
  const set = useMutation(trpc.people.setDisabled.mutationOptions({ onSettled: useRefresh(trpc.people.pathFilter()) }));

  const act = async () => {
    const signature = isDisabled ? await sign({ kind: "people_enable", user: member.id }) : {};

    return set.mutateAsync({ userId: member.id, disabled: !isDisabled, ...signature });
  };

  return (
    <section aria-labelledby="access" className="flex items-center gap-3">
      <div className="flex-1">
        <h3 id="access" className="text-sm font-semibold">
          Access
        </h3>
        <p className="text-sm text-muted">
          {isDisabled
            ? "Disabled. They can't sign in, and their approvals don't count."
            : "Disabling signs them out everywhere. Their past actions stay on record."}
        </p>
      </div>
      <ConfirmAction
        label={isDisabled ? "Enable…" : "Disable…"}
        title={isDisabled ? `Enable ${member.name}?` : `Disable ${member.name}?`}
        consequence={
          isDisabled
            ? `They can sign in again with their previous role.${isSigned ? ` Sign with your passkey to enable ${member.name}.` : ""}`
            : "All their sessions end, and their votes in open approvals lapse."
        }
        confirm={isDisabled ? "Enable" : "Disable"}
        pending="Committing…"
        disabledReason={isMe ? OWN : null}
        act={act}
      />
    </section>
  );
};

export const MemberDialog = ({ member, isMe, onClose }: Props) => (
  <Dialog open onOpenChange={onClose} size="lg" title={member.name} description={member.email}>
    <div className="flex flex-col gap-6">
      {isMe ? <Callout kind="reviewed" title={`${OWN}.`} /> : null}
      {member.isManaged ? (
        <Callout kind="waiting" title="Groups of the identity provider give this role">
          A change here lasts until their next sign-in. Disabling lasts until an admin enables them.
        </Callout>
      ) : null}
      {/* Remounted when the role changes elsewhere. */}
      <RoleForm key={`${member.role} ${String(member.auditor)}`} member={member} disabledReason={isMe ? OWN : null} />
      <Access member={member} isMe={isMe} />
      <MemberPasskeys member={member} isMe={isMe} />
      <MemberIdentity member={member} isMe={isMe} />
      <MemberSessions member={member} isMe={isMe} />
    </div>
  </Dialog>
);
