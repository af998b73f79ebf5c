import { KeyRound } from "lucide-react";
import Link from "next/link";

/** That approving has to be signed, and for whoever has nothing to sign with, where that is added. */
export const PasskeyNeed = ({ has }: { readonly has: boolean }) => (
  <p className="mb-2 flex items-center gap-2 text-sm">
    <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
    {has ? (
      "Approving this is signed with your passkey."
    ) : (
      <span>
        Approving this needs a passkey, and you have none.{" "}
        <Link href="/settings" className="underline">
          Add one in settings
        </Link>
      </span>
    )}
  </p>
);
