import { Headers } from "undici";
import { AppError } from "@/lib/errors";
import type { Clock } from "@/server/clock";
import type { GuardedFetch } from "@/server/security/egress";
import { createTokens } from "./oauth";
import { createMissingSecret, type OpenedSecrets, type Way } from "./open-transport";
import type { Launch } from "./programs/launch";

export type Credentials = {
  readonly fetch: GuardedFetch;
  /** Grows as tokens arrive. */
  readonly secrets: readonly string[];
};

/** @throws AppError("server_unreachable") naming the secret */
const openedBy = (secrets: OpenedSecrets, name: string): string => {
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (value === undefined) throw createMissingSecret(name);

  return value;
};

/** Resolves variables. @throws AppError("server_unreachable") */
export const openEnvironment = (
  variables: Launch["env"],
  secrets: OpenedSecrets,
): { readonly env: Readonly<Record<string, string>>; readonly secrets: readonly string[] } => {
  const opened: string[] = [];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value === "string") env[name] = value;
    else {
      env[name] = openedBy(secrets, value.secret);
      opened.push(env[name]);
    }
  }

  return { env, secrets: opened };
};

const isHeaderText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/** Opens credentials. @throws AppError("server_unreachable") */
export const openCredentials = (
  way: Pick<Way, "access"> & { readonly transport: { readonly type: "http"; readonly url: string } },
  { secrets, clock }: { readonly secrets: OpenedSecrets; readonly clock: Clock },
): ((fetch: GuardedFetch, origin: string) => Credentials) => {
  const { headers, auth } = way.access;
  const opened: string[] = [];
  const fixed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if ("value" in value) fixed.push([name, value.value]);
    else {
      const secret = openedBy(secrets, value.secret);
      if (!isHeaderText(secret))
        throw new AppError("server_unreachable", { message: `The secret ${value.secret} cannot stand in a header.` });
      opened.push(secret);
      fixed.push([name, `${value.prefix ?? ""}${secret}`]);
    }
  }
  const clientSecret = auth && openedBy(secrets, auth.client_secret.secret);
  if (clientSecret !== null) opened.push(clientSecret);

  return (fetch, origin) => {
    const tokens =
      auth && clientSecret !== null
        ? createTokens({
            auth,
            clientSecret,
            resource: way.transport.url,
            fetch,
            clock,
            onToken: (token) => opened.push(token),
          })
        : null;

    return { secrets: opened, fetch: withHeaders(fetch, origin, fixed, tokens) };
  };
};

/** One origin only; a rejected token is replaced once. */
const withHeaders =
  (fetch: GuardedFetch, origin: string, fixed: readonly [string, string][], tokens: ReturnType<typeof createTokens> | null): GuardedFetch =>
  async (input, init = {}) => {
    if (new URL(String(input)).origin !== origin) return fetch(input, init);
    const send = (token: string | null): ReturnType<GuardedFetch> => {
      const headers = new Headers(init.headers);
      for (const [name, value] of fixed) headers.set(name, value);
      if (token !== null) headers.set("authorization", `Bearer ${token}`);

      return fetch(input, { ...init, headers });
    };
    const token = (await tokens?.get()) ?? null;
    const response = await send(token);
    if (response.status !== 401 || !tokens || token === null) return response;

    await response.body?.cancel();

    return send(await tokens.get(token));
  };
