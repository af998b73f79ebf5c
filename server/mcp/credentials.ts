/** What a server is reached with: the secrets that its settings name, opened for one connection and for nobody else. */
import { Headers } from "undici";
import { AppError } from "@/lib/errors";
import { canonicalJson } from "@/lib/json";
import { secretsOfAccess, type McpAccess } from "@/lib/mcp/access";
import { secretsOfEnvironment, type LaunchEnvironment } from "@/lib/mcp/launch";
import type { McpTransport } from "@/lib/mcp/transport";
import { mayReferTo } from "@/lib/secrets/reference";
import type { Clock } from "@/server/clock";
import type { GuardedFetch } from "@/server/security/egress";
import { createTokens } from "./oauth";

/** Opens secrets of a workspace by name. */
export type ReadSecret = {
  /** @returns null when there is none, or none that opens */
  readonly open: (workspace: string, name: string) => Promise<string | null>;
  /** Changes whenever one of them is replaced. */
  readonly version: (workspace: string, names: readonly string[]) => Promise<string>;
};

/** For servers that are reached with nothing. */
export const NO_SECRETS: ReadSecret = { open: async () => null, version: async () => "" };

/** One registered server and how it is reached. */
export type Way = { readonly workspace: string; readonly server: string; readonly transport: McpTransport; readonly access: McpAccess };

export type Credentials = {
  readonly fetch: GuardedFetch;
  /** Grows as tokens come. */
  readonly secrets: readonly string[];
};

const environmentOf = ({ transport }: Way): LaunchEnvironment =>
  transport.type === "stdio" && transport.manifest.source !== "bundled" ? (transport.manifest.env ?? {}) : {};

const namesOf = (way: Way): readonly string[] => [...secretsOfAccess(way.access), ...secretsOfEnvironment(environmentOf(way))];

/** What a connection was made with: another text asks for another connection. */
export const wayText = async (way: Way, secrets: ReadSecret): Promise<string> => {
  const names = namesOf(way);
  const versions = names.length === 0 ? "" : await secrets.version(way.workspace, names);

  return `${canonicalJson({ transport: way.transport, access: way.access })}${versions}`;
};

/** @throws AppError("server_unreachable") naming the secret */
const openNamed = async (way: Way, name: string, secrets: ReadSecret): Promise<string> => {
  const value = mayReferTo("mcp", way.server, name) ? await secrets.open(way.workspace, name) : null;
  if (value === null) throw new AppError("server_unreachable", { message: `The secret ${name} is missing or does not open.` });

  return value;
};

/** The variables of a stdio server, and which of their values are secrets. @throws AppError("server_unreachable") */
export const openEnvironment = async (
  way: Way,
  secrets: ReadSecret,
): Promise<{ readonly env: Readonly<Record<string, string>>; readonly secrets: readonly string[] }> => {
  const opened: string[] = [];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environmentOf(way))) {
    if ("value" in value) env[name] = value.value;
    else {
      env[name] = await openNamed(way, value.secret, secrets);
      opened.push(env[name]);
    }
  }

  return { env, secrets: opened };
};

const isHeaderText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/** Opens what an http server is reached with. @throws AppError("server_unreachable") when a secret is missing or is no header */
export const openCredentials = async (
  way: Way & { readonly transport: { readonly type: "http"; readonly url: string } },
  options: { readonly secrets: ReadSecret; readonly clock: Clock },
): Promise<(fetch: GuardedFetch, origin: string) => Credentials> => {
  const { headers, auth } = way.access;
  const opened: string[] = [];
  const fixed: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if ("value" in value) fixed.push([name, value.value]);
    else {
      const secret = await openNamed(way, value.secret, options.secrets);
      if (!isHeaderText(secret))
        throw new AppError("server_unreachable", { message: `The secret ${value.secret} cannot stand in a header.` });
      opened.push(secret);
      fixed.push([name, `${value.prefix ?? ""}${secret}`]);
    }
  }
  const clientSecret = auth && (await openNamed(way, auth.client_secret.secret, options.secrets));
  if (clientSecret !== null) opened.push(clientSecret);

  return (fetch, origin) => {
    const tokens =
      auth && clientSecret !== null
        ? createTokens({
            auth,
            clientSecret,
            resource: way.transport.url,
            fetch,
            clock: options.clock,
            onToken: (token) => opened.push(token),
          })
        : null;

    return { secrets: opened, fetch: withHeaders(fetch, origin, fixed, tokens) };
  };
};

/** A fetch that says who we are to one origin, and to no other. A token that is not taken is replaced once. */
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
