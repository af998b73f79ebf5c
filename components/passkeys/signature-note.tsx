"use client";

import { useIsSigned } from "./use-admin-signature";

/** Says what the person's passkey will sign. @param props.to the change, as in "Sign with your passkey to …" */
export const SignatureNote = ({ to }: { readonly to: string }) =>
  useIsSigned() ? <p className="text-sm text-muted">Sign with your passkey to {to}.</p> : null;
