/** Has an authenticator make a passkey for this page, and the runner record it. Plain and outside React. */
import { base64URLStringToBuffer, bufferToBase64URLString, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { apiError } from "@/components/trpc/api-error";
import type { useTRPCClient } from "@/components/trpc/trpc";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import type { Countersignable } from "@/lib/engine/ledger/countersignable";
import { passkeyHost } from "@/lib/passkey-host";

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

type Answer = Awaited<ReturnType<typeof startRegistration>>;

/** An uncompressed P-256 point or a raw Ed25519 key is what a key's SPKI ends with. */
const KEY_BYTES: Readonly<Record<number, number>> = { [-7]: 65, [-8]: 32 };

/** The passkey as the runner will see it, so that the person can sign for it. */
const passkeyOf = ({ id, response: { publicKey, publicKeyAlgorithm } }: Answer): Passkey | null => {
  const host = passkeyHost(window.location.origin);
  const bytes = KEY_BYTES[publicKeyAlgorithm ?? 0];
  if (!host.ok || publicKey === undefined || bytes === undefined) return null;
  const key = new Uint8Array(base64URLStringToBuffer(publicKey)).slice(-bytes);

  return { credential_id: id, public_key: bufferToBase64URLString(key.buffer), rp_id: host.rpId, origin: window.location.origin };
};

const answerOf = async (client: Client): Promise<Answer | string> => {
  const optionsJSON = await client.passkeys.begin.mutate({ origin: window.location.origin });
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    return sentence(error);
  }
};

/** Whether a further passkey has to be signed for: one of the person's own can be used here. */
export type Countersign = (asked: Countersignable) => Promise<Assertion | undefined>;

/**
 * Registers a new passkey.
 * @param countersign asks for the signature of a passkey that the person has; null: an allowance is enough
 * @returns why nothing came of it, as one sentence; it never throws
 */
export const registerPasskey = async (client: Client, label: string, countersign: Countersign | null): Promise<Registered> => {
  try {
    const answer = await answerOf(client);
    if (typeof answer === "string") return { ok: false, why: answer };
    const passkey = countersign && passkeyOf(answer);
    const assertion = countersign && passkey ? await countersign({ kind: "passkey_register", passkey }) : undefined;
    const { id, rawId, type, response } = answer;
    const { clientDataJSON, attestationObject } = response;
    await client.passkeys.register.mutate({
      label,
      answer: { id, rawId, type, response: { clientDataJSON, attestationObject } },
      ...(assertion ? { assertion } : {}),
    });

    return { ok: true };
  } catch (error) {
    return { ok: false, why: apiError(error).message };
  }
};
