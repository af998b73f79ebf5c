/** Creates a passkey that the runner records. */
import { base64URLStringToBuffer, bufferToBase64URLString, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type { useTRPCClient } from "@/components/trpc/trpc";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import type { Countersignable } from "@/lib/engine/ledger/countersignable";
import { getPasskeyHost } from "@/lib/passkey-host";
import { NotSigned } from "./not-signed";

type Client = ReturnType<typeof useTRPCClient>;

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

/** Lengths of a P-256 point and an Ed25519 key at the end of SPKI. */
const KEY_BYTES: Readonly<Record<number, number>> = { [-7]: 65, [-8]: 32 };

/** As the runner sees it. */
const passkeyOf = ({ id, response: { publicKey, publicKeyAlgorithm } }: Answer): Passkey | null => {
  const host = getPasskeyHost(window.location.origin);
  const bytes = KEY_BYTES[publicKeyAlgorithm ?? 0];
  if (!host.ok || publicKey === undefined || bytes === undefined) return null;
  const key = new Uint8Array(base64URLStringToBuffer(publicKey)).slice(-bytes);

  return { credential_id: id, public_key: bufferToBase64URLString(key.buffer), rp_id: host.rpId, origin: window.location.origin };
};

const answerOf = async (client: Client): Promise<Answer> => {
  const optionsJSON = await client.passkeys.begin.mutate({ origin: window.location.origin });
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    throw new NotSigned(sentence(error));
  }
};

/** Signs for a further passkey, if one is usable here. */
export type Countersign = (asked: Countersignable) => Promise<Assertion | undefined>;

/** Registers a passkey. @param countersign null: allowed without a signature @throws NotSigned, or the server's error */
export const registerPasskey = async (client: Client, label: string, countersign: Countersign | null): Promise<void> => {
  const answer = await answerOf(client);
  const passkey = countersign && passkeyOf(answer);
  const assertion = countersign && passkey ? await countersign({ kind: "passkey_register", passkey }) : undefined;
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, attestationObject } = response;
  await client.passkeys.register.mutate({
    label,
    answer: { id, rawId, type, response: { clientDataJSON, attestationObject } },
    ...(assertion ? { assertion } : {}),
  });
};
