/** Client ID metadata documents: the client id is the https address of its registration. */
import { z } from "zod";
import type { Clock } from "@/server/clock";
import { createEgress, type GuardedFetch } from "@/server/security/egress";
import type { Resolve } from "@/server/security/egress-connect";
import { clientNameSchema, redirectUrisSchema, type OauthClient } from "./client";

const MAX_BYTES = 10_240;
const TIMEOUT_MS = 5_000;
const FRESH_MS = 300_000;
const FAILED_MS = 30_000;
const MOST_KEPT = 200;
const MOST_CHARS = 300;

export const isDocumentId = (id: string): boolean => {
  const url = id.length > MOST_CHARS ? null : URL.parse(id);
  if (url?.protocol !== "https:" || url.href !== id) return false;

  return url.pathname !== "/" && url.username === "" && url.password === "" && !/[?#]/.test(id);
};

export const getDocumentHost = (id: string): string | null => (isDocumentId(id) ? new URL(id).host : null);

const documentSchema = z.object({
  client_id: z.string(),
  client_name: clientNameSchema.optional(),
  redirect_uris: redirectUrisSchema,
  grant_types: z.array(z.string()).default(["authorization_code"]),
  response_types: z.array(z.string()).default(["code"]),
  token_endpoint_auth_method: z.literal("none").default("none"),
});

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:;|$)/i;

/** Null: unreachable, not of this id, or not usable. */
export const readDocument = async (id: string, fetch: GuardedFetch): Promise<OauthClient | null> => {
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(id, { headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200 || !JSON_TYPE.test(response.headers.get("content-type") ?? "")) {
      await response.body?.cancel();

      return null;
    }
    const { data } = documentSchema.safeParse(JSON.parse(await response.text()));
    if (data?.client_id !== id || !data.grant_types.includes("authorization_code") || !data.response_types.includes("code")) return null;

    return { name: data.client_name ?? new URL(id).host.slice(0, 60), redirectUris: data.redirect_uris };
  } catch {
    return null;
  }
};

type Kept = { readonly client: Promise<OauthClient | null>; readonly until: number };

export const createClientDocuments = ({ clock, resolve }: { readonly clock: Clock; readonly resolve?: Resolve }) => {
  const kept = new Map<string, Kept>();

  const load = async (id: string): Promise<OauthClient | null> => {
    const egress = createEgress({
      policy: { allowOrigins: [], requireHttps: true },
      maxResponseBytes: MAX_BYTES,
      headTimeoutMs: TIMEOUT_MS,
      idleTimeoutMs: TIMEOUT_MS,
      ...(resolve ? { resolve } : {}),
    });
    const client = await readDocument(id, egress.fetch);
    await egress.close();
    if (client === null) kept.set(id, { client: Promise.resolve(null), until: clock.now() + FAILED_MS });

    return client;
  };

  return async (id: string): Promise<OauthClient | null> => {
    if (!isDocumentId(id)) return null;
    const known = kept.get(id);
    if (known && known.until > clock.now()) return known.client;
    kept.delete(id);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    const client = load(id);
    kept.set(id, { client, until: clock.now() + FRESH_MS });

    return client;
  };
};
