import { RelativeTime } from "@/components/ui/relative-time";

type Props = {
  readonly passkeys: readonly { readonly revokedAt: number | null }[];
  /** ms since 1970; null: a signature is required. */
  readonly allowedUntil: number | null;
};

const COMMAND = "npx countersign passkeys allow EMAIL";

export const PasskeyState = ({ passkeys, allowedUntil }: Props) => {
  if (allowedUntil !== null) {
    return (
      <p role="note" className="text-sm">
        You can add one passkey now. Expires <RelativeTime at={allowedUntil} />.
      </p>
    );
  }
  if (passkeys.some(({ revokedAt }) => revokedAt === null)) {
    return (
      <p role="note" className="text-sm text-muted">
        An existing passkey signs for each new one. If you lose all of them, an admin can allow a new one under People, or the operator with{" "}
        <code className="font-mono text-xs">{COMMAND}</code>.
      </p>
    );
  }

  return (
    <p role="note" className="text-sm">
      Ask an admin to open People, find you and select <strong>Allow a new passkey</strong>. You then have 24 hours to add one here. If no
      other admin can, the operator can run <code className="font-mono text-xs">{COMMAND}</code>.
    </p>
  );
};
