import { hexToBytes } from "@noble/hashes/utils.js";
import { bufferToBase64URLString, startAuthentication, WebAuthnError } from "@simplewebauthn/browser";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import type { HexDigest } from "@/lib/hash";
import { isUsableAt, getPasskeyHost } from "@/lib/passkey-host";

/** Passkey of the signer. */
type Usable = {
  readonly credentialId: string;
  readonly rpId: string;
  /** Null: registered before origins were kept. */
  readonly origin: string | null;
  readonly revokedAt: number | null;
};

export type Signed =
  | { readonly ok: true; readonly assertion: Assertion }
  /** `isMissing`: no passkey is usable on this page. */
  | { readonly ok: false; readonly why: string; readonly isMissing: boolean };

const TIMEOUT_MS = 120_000;

const failed = (why: string, isMissing = false): Signed => ({ ok: false, why, isMissing });

const sentence = (error: unknown): string => {
  const cause = error instanceof WebAuthnError ? error.cause : error;
  const name = cause instanceof Error ? cause.name : "";
  // Browsers hide which of these happened.
  if (name === "NotAllowedError" || name === "AbortError") return "Signing was cancelled or timed out. Nothing was sent. Try again.";

  return "This browser could not ask for your passkey. Nothing was sent.";
};

/** @param passkeys of the signer; skips revoked ones and other addresses */
export const askPasskey = async (challenge: HexDigest, passkeys: readonly Usable[]): Promise<Signed> => {
  const host = getPasskeyHost(window.location.origin);
  if (!host.ok) return failed(host.why);
  if (!("PublicKeyCredential" in window)) return failed("This browser doesn't support passkeys.");
  const usable = passkeys.filter(
    ({ rpId, origin, revokedAt }) =>
      revokedAt === null && isUsableAt(rpId, host.rpId) && (origin === null || origin === window.location.origin),
  );
  const [first] = usable;
  if (!first) return failed("This needs a passkey, and you have none for this site.", true);
  try {
    const { id, response } = await startAuthentication({
      optionsJSON: {
        challenge: bufferToBase64URLString(Uint8Array.from(hexToBytes(challenge)).buffer),
        rpId: first.rpId,
        allowCredentials: usable
          .filter(({ rpId }) => rpId === first.rpId)
          .map(({ credentialId }) => ({ id: credentialId, type: "public-key" })),
        userVerification: "required",
        timeout: TIMEOUT_MS,
      },
    });

    return {
      ok: true,
      assertion: {
        credential_id: id,
        authenticator_data: response.authenticatorData,
        client_data_json: response.clientDataJSON,
        signature: response.signature,
      },
    };
  } catch (error) {
    return failed(sentence(error));
  }
};
