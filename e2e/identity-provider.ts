/** A certified OpenID Connect provider. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** Besides the subject. */
export type Claims = {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly groups?: readonly string[];
};

export type IdentityProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By login; any password works. */
  readonly people: Map<string, Claims>;
  close(): Promise<void>;
};

export const startIdentityProvider = async (redirectUri: string): Promise<IdentityProvider> => {
  const people = new Map<string, Claims>();
  const [clientId, clientSecret] = ["countersign", "a secret that both sides know"];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL("/sign-in", redirectUri).href],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    // In the ID token, as with most providers.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ["signs the provider's own cookies"] },
    findAccount: (_context, id) => {
      const claims = people.get(id);

      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
  });
  server.on("request", provider.callback());

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
