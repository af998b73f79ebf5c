import { generateRegistrationOptions, verifyRegistrationResponse, type RegistrationResponseJSON } from "@simplewebauthn/server";
import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { passkeySchema, type Passkey } from "@/lib/engine/approvals/assertion";
import { getPasskeyHost } from "@/lib/passkey-host";
import { systemClock } from "@/server/clock";
import { keepChallenge, listPasskeys, takeChallenge } from "@/server/store/people/passkeys";

const CHALLENGE_MS = 300_000;
const ALGORITHMS = [cose.COSEALG.ES256, cose.COSEALG.EdDSA];

type Person = { readonly workspaceId: string; readonly user: { readonly id: string; readonly name: string; readonly email: string } };

const base64url = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[A-Za-z0-9_-]+$/);

export const registrationSchema = z.object({
  id: passkeySchema.shape.credential_id,
  rawId: passkeySchema.shape.credential_id,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: base64url(5_600), attestationObject: base64url(20_000) }),
});

const refused = (message: string): AppError => new AppError("bad_request", { message });

/** Creates options with a one-time challenge for five minutes. @param host must match @throws AppError bad_request */
export const createRegistrationOptions = async ({ workspaceId, user }: Person, origin: string, host: string | null) => {
  const place = getPasskeyHost(origin);
  if (!place.ok) throw refused(place.why);
  if (host === null || new URL(origin).host !== host) throw refused("This page's address doesn't belong to this server.");
  const own = await listPasskeys(workspaceId, user.id);
  const { extensions: _unused, ...options } = await generateRegistrationOptions({
    rpName: "Countersign",
    rpID: place.rpId,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    attestationType: "none",
    excludeCredentials: own.filter(({ rpId }) => rpId === place.rpId).map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
  });
  const kept = { challenge: options.challenge, rpId: place.rpId, origin };
  await keepChallenge(workspaceId, user.id, kept, systemClock.now() + CHALLENGE_MS);

  return options;
};

/** Null for unsupported kinds. */
const keyText = (encoded: Uint8Array<ArrayBuffer>): string | null => {
  const key = decodeCredentialPublicKey(encoded);
  const algorithm = key.get(cose.COSEKEYS.alg);
  if (cose.isCOSEPublicKeyOKP(key) && algorithm === cose.COSEALG.EdDSA) {
    const x = key.get(cose.COSEKEYS.x);

    return x ? Buffer.from(x).toString("base64url") : null;
  }
  if (!cose.isCOSEPublicKeyEC2(key) || algorithm !== cose.COSEALG.ES256) return null;
  const [x, y] = [key.get(cose.COSEKEYS.x), key.get(cose.COSEKEYS.y)];

  return x && y ? Buffer.concat([Uint8Array.of(0x04), x, y]).toString("base64url") : null;
};

/** Validates a created passkey, using up the challenge. @throws AppError bad_request */
export const verifyRegistration = async ({ workspaceId, user }: Person, answer: z.infer<typeof registrationSchema>): Promise<Passkey> => {
  const asked = await takeChallenge(workspaceId, user.id, systemClock.now());
  if (!asked) throw refused("This took longer than five minutes, or was answered already: start again.");
  const response: RegistrationResponseJSON = { ...answer, clientExtensionResults: {} };
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origin,
      expectedRPID: asked.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const key = verified ? keyText(registrationInfo.credential.publicKey) : null;

    return passkeySchema.parse({
      credential_id: verified ? registrationInfo.credential.id : "",
      public_key: key,
      rp_id: asked.rpId,
      origin: asked.origin,
    });
  } catch (cause) {
    throw new AppError("bad_request", { message: "The authenticator's response doesn't match the request.", cause });
  }
};
