import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll } from "vitest";
import type { Provider } from "@/server/runner/sign-in/id-token";

const CLIENT_ID = "countersign";

type Said = Readonly<Record<string, unknown>>;
type Key = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
type Change = { readonly audience?: string | string[]; readonly issuedAtMs?: number; readonly key?: Key };

/** Starts an identity provider that signs any claims. */
export const startProvider = async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://localhost:${port}`;
    const isKeys = request.url === "/keys";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isKeys ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  let serial = 0;

  return {
    issuer,
    settings: (allowedDomains: readonly string[] = []): Provider => ({ issuer, clientId: CLIENT_ID, allowedDomains }),
    tokenOf: (claims: Said, { audience = CLIENT_ID, issuedAtMs = Date.now(), key: signing = privateKey }: Change = {}): Promise<string> => {
      serial += 1;

      return new SignJWT({ iss: issuer, aud: audience, nonce: String(serial), ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .setIssuedAt(Math.floor(issuedAtMs / 1_000))
        .setExpirationTime(Math.floor(issuedAtMs / 1_000) + 3_600)
        .sign(signing);
    },
  };
};
