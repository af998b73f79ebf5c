import { KeyRound } from "lucide-react";
import Link from "next/link";

export const PasskeyNeed = ({ has }: { readonly has: boolean }) => (
  <p className="mb-2 flex items-start gap-2 text-sm">
    <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
    {has ? (
      "You sign this approval with your passkey."
    ) : (
      <span>
        Approving this requires a passkey, and you don&apos;t have one.{" "}
        <Link href="/settings" className="underline">
          Add one in settings
        </Link>
        , then come back. Settings also explain how to get one allowed. You can reject without a passkey.
      </span>
    )}
  </p>
);
