/** Has an authenticator make a passkey for this page, and the runner record it. Plain and outside React. */
import { startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { apiError } from "@/components/trpc/api-error";
import type { useTRPCClient } from "@/components/trpc/trpc";

type Client = ReturnType<typeof useTRPCClient>;

export type Registered = { readonly ok: true } | { readonly ok: false; readonly why: string };

const SAID: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was made: it was cancelled, or took too long.",
  AbortError: "No passkey was made: it was cancelled, or took too long.",
  InvalidStateError: "This authenticator holds a passkey of yours for this site already.",
  SecurityError: "This page's address cannot have passkeys.",
  NotSupportedError: "This authenticator makes no passkeys of a kind that is known here.",
  ConstraintError: "This authenticator cannot make sure that it is you: it needs a PIN, a fingerprint or the like.",
};

const sentence = (error: unknown): string => {
  const cause = error instanceof WebAuthnError ? error.cause : error;
  const name = cause instanceof Error ? cause.name : "";

  return SAID[name] ?? "This browser could not make a passkey.";
};

const answerOf = async (client: Client) => {
  const optionsJSON = await client.passkeys.begin.mutate({ origin: window.location.origin });
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    return sentence(error);
  }
};

/** @returns what came of it as one sentence when nothing did; it never throws */
export const registerPasskey = async (client: Client, label: string): Promise<Registered> => {
  try {
    const answer = await answerOf(client);
    if (typeof answer === "string") return { ok: false, why: answer };
    const { id, rawId, type, response } = answer;
    const { clientDataJSON, attestationObject } = response;
    await client.passkeys.register.mutate({ label, answer: { id, rawId, type, response: { clientDataJSON, attestationObject } } });

    return { ok: true };
  } catch (error) {
    return { ok: false, why: apiError(error).message };
  }
};
