/** OAuth client credentials (RFC 6749, 4.4). Only admins name the endpoint: it receives the client secret. */
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { McpAuth } from "@/lib/mcp/access";
import type { Clock } from "@/server/clock";
import type { GuardedFetch } from "@/server/security/egress";

const TIMEOUT_MS = 10_000;
/** Margin before expiry; life of tokens without one. */
const MARGIN_MS = 60_000;
const UNSAID_LIFE_MS = 300_000;

const tokenSchema = z.object({
  access_token: z
    .string()
    .min(8)
    .max(16_384)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().min(0).max(31_536_000).optional(),
});
const metadataSchema = z.object({ issuer: z.string().max(2_000), token_endpoint: z.string().max(2_000) });

export type TokenOptions = {
  readonly auth: McpAuth;
  readonly clientSecret: string;
  /** RFC 8707. */
  readonly resource: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** For redaction; called on arrival. */
  readonly onToken: (token: string) => void;
};

export type Tokens = {
  /** @param refused to be replaced @throws AppError("server_unreachable") */
  readonly get: (refused?: string) => Promise<string>;
};

/** The answer may hold anything. */
const failed = (message: string): AppError => new AppError("server_unreachable", { message });

const readJson = async (fetch: GuardedFetch, url: string, init: Parameters<GuardedFetch>[1] = {}): Promise<unknown> => {
  const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  if (response.status !== 200) throw failed("The authorization server refused to give a token.");

  return JSON.parse(text);
};

/** RFC 8414. */
const metadataUrl = (issuer: string): string => {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");

  return `${url.origin}/.well-known/oauth-authorization-server${path}`;
};

const tokenEndpoint = async ({ auth, fetch }: TokenOptions): Promise<string> => {
  if (auth.find === "token_url") return auth.url;
  const found = metadataSchema.safeParse(await readJson(fetch, metadataUrl(auth.url)));
  // Otherwise another issuer could name the endpoint.
  if (!found.success || found.data.issuer !== auth.url) throw failed("The authorization server's metadata are not those of the issuer.");

  const endpoint = URL.parse(found.data.token_endpoint);
  if (!endpoint || endpoint.protocol !== new URL(auth.url).protocol) throw failed("The authorization server names no token endpoint.");

  return endpoint.href;
};

const formText = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

const request = ({ auth, clientSecret, resource }: TokenOptions): { headers: Record<string, string>; body: string } => {
  const form = new URLSearchParams({ grant_type: "client_credentials", resource, ...(auth.scope === null ? {} : { scope: auth.scope }) });
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  if (auth.send === "basic") {
    headers["authorization"] = `Basic ${Buffer.from(`${formText(auth.client_id)}:${formText(clientSecret)}`).toString("base64")}`;
  } else {
    form.set("client_id", auth.client_id);
    form.set("client_secret", clientSecret);
  }

  return { headers, body: form.toString() };
};

type Token = { readonly text: string; readonly until: number };

const fetchToken = async (options: TokenOptions): Promise<Token> => {
  try {
    const answer = await readJson(options.fetch, await tokenEndpoint(options), { method: "POST", ...request(options) });
    const parsed = tokenSchema.safeParse(answer);
    if (!parsed.success) throw failed("The authorization server's answer is no bearer token.");
    const { access_token: text, expires_in: seconds } = parsed.data;
    options.onToken(text);
    const lifeMs = seconds === undefined ? UNSAID_LIFE_MS : seconds * 1_000;

    return { text, until: options.clock.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 2) };
  } catch (error) {
    throw error instanceof AppError ? error : failed("The authorization server did not give a token.");
  }
};

/** Keeps one token; callers share requests. */
export const createTokens = (options: TokenOptions): Tokens => {
  let held: Promise<Token> | null = null;

  const renew = (): Promise<Token> => {
    const next = fetchToken(options);
    held = next;
    next.catch(() => {
      if (held === next) held = null;
    });

    return next;
  };

  return {
    get: async (refused) => {
      const known = held;
      const token = await (known ?? renew());
      const isUsable = token.text !== refused && options.clock.now() < token.until;
      if (isUsable) return token.text;
      const current = held === known ? renew() : (held ?? renew());

      return (await current).text;
    },
  };
};
