"use client";

import { useSyncExternalStore } from "react";
import { passkeyHost } from "@/lib/passkey-host";

const never = () => () => undefined;

/** What keeps this page from using passkeys, as one sentence, or null. The address comes first: it is what one can change. */
const whyHere = (): string | null => {
  const host = passkeyHost(window.location.origin);
  if (!host.ok) return host.why;
  if (!window.isSecureContext) return "Passkeys need a page that nobody on the way could have changed: open it with https.";

  return "PublicKeyCredential" in window ? null : "This browser cannot use passkeys.";
};

/** Null on the server, which does not know the page's address or browser. */
export const useWhyNoPasskeys = (): string | null => useSyncExternalStore(never, whyHere, () => null);
