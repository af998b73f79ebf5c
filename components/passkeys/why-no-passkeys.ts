"use client";

import { useSyncExternalStore } from "react";
import { getPasskeyHost } from "@/lib/passkey-host";

const never = () => () => undefined;

/** Address first, because users can change it. */
const whyHere = (): string | null => {
  const host = getPasskeyHost(window.location.origin);
  if (!host.ok) return host.why;
  if (!window.isSecureContext) return "Passkeys need a secure page. Open it with https.";

  return "PublicKeyCredential" in window ? null : "This browser doesn't support passkeys.";
};

/** Null on the server, which knows neither address nor browser. */
export const useWhyNoPasskeys = (): string | null => useSyncExternalStore(never, whyHere, () => null);
