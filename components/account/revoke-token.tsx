import { ConfirmAction } from "@/components/ui/confirm-action";

type Props = {
  readonly name: string;
  readonly consequence: string;
  readonly disabledReason: string | null;
  readonly revoke: () => Promise<unknown>;
};

export const RevokeToken = ({ name, consequence, disabledReason, revoke }: Props) => (
  <ConfirmAction
    label="Revoke…"
    name={`Revoke ${name}`}
    buttonSize="sm"
    title={`Revoke ${name}?`}
    consequence={`${consequence} This can't be undone.`}
    confirm="Revoke"
    pending="Revoking…"
    done="Token revoked."
    disabledReason={disabledReason}
    act={revoke}
  />
);
