/** Creates a passkey for this page and has the runner record it. */
import { base64URLStringToBuffer, bufferToBase64URLString, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { toApiError } from "@/components/trpc/api-error";
import type { useTRPCClient } from "@/components/trpc/trpc";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import type { Countersignable } from "@/lib/engine/ledger/countersignable";
import { getPasskeyHost } from "@/lib/passkey-host";

type Client = ReturnType<typeof useTRPCClient>;

export type Registered = { readonly ok: true } | { readonly ok: false; readonly why: string };

const SAID: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was created: it was cancelled or timed out.",
  AbortError: "No passkey was created: it was cancelled or timed out.",
  InvalidStateError: "This authenticator already has a passkey of yours for this site.",
  SecurityError: "Passkeys can't be used at this page's address.",
  NotSupportedError: "This authenticator doesn't support the required kind of passkey.",
  ConstraintError: "This authenticator can't verify you. Set up a PIN, fingerprint or similar first.",
};

const sentence = (error: unknown): string => {
  const cause = error instanceof WebAuthnError ? error.cause : error;
  const name = cause instanceof Error ? cause.name : "";

  return SAID[name] ?? "This browser could not create a passkey.";
};

type Answer = Awaited<ReturnType<typeof startRegistration>>;

/** An uncompressed P-256 point or a raw Ed25519 key is what a key's SPKI ends with. */
const KEY_BYTES: Readonly<Record<number, number>> = { [-7]: 65, [-8]: 32 };

/** The passkey as the runner will see it, for the person to sign. */
const passkeyOf = ({ id, response: { publicKey, publicKeyAlgorithm } }: Answer): Passkey | null => {
  const host = getPasskeyHost(window.location.origin);
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
 * @returns the reason for a failure as one sentence; never throws
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
    return { ok: false, why: toApiError(error).message };
  }
};
