"use client";

import { useIsSigned } from "./use-admin-signature";

/** Names the signed change. @param props.to as in "Sign with your passkey to …" */
export const SignatureNote = ({ to }: { readonly to: string }) =>
  useIsSigned() ? <p className="text-sm text-muted">Sign with your passkey to {to}.</p> : null;
