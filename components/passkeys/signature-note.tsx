"use client";

import { useIsSigned } from "./use-admin-signature";

/** Tells what the person's passkey is asked for. @param props.to the change, as in "Sign with your passkey to …" */
export const SignatureNote = ({ to }: { readonly to: string }) =>
  useIsSigned() ? <p className="text-sm text-muted">Sign with your passkey to {to}.</p> : null;
