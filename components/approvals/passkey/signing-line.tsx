"use client";

import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { Spinner } from "@/components/ui/spinner";
import type { Signing } from "./use-signing";

export const SigningLine = ({ signing }: { readonly signing: Signing }) => {
  if (signing.step === "idle") return null;
  if (signing.step === "asking") {
    return (
      <output className="mb-2 flex items-center gap-2 text-sm">
        <Spinner /> Sign with your passkey in the browser prompt.
      </output>
    );
  }

  return (
    <Callout kind="refused" alert title={signing.why} className="mb-2">
      {signing.isMissing ? (
        <Link href="/settings" className="underline">
          Add a passkey in settings
        </Link>
      ) : null}
    </Callout>
  );
};
