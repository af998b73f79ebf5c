/** An id is the registration and its MAC: nothing is stored (RFC 7591, A.5.2). */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { isRedirectUri } from "@/lib/outside/redirect-uri";
import { visibleNameSchema } from "@/lib/visible-name";
import { readEnv } from "@/server/env";

const MOST_BYTES = 1_000;

export const redirectUrisSchema = z.array(z.string().refine(isRedirectUri)).min(1).max(5);
export const clientNameSchema = visibleNameSchema(60);

const clientSchema = z.strictObject({ name: clientNameSchema, redirectUris: redirectUrisSchema });
export type OauthClient = z.infer<typeof clientSchema>;

const macOf = (body: string): Buffer => {
  const { NEXTAUTH_SECRET: secret } = readEnv();
  if (!secret) throw new Error("NEXTAUTH_SECRET is not set");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "countersign oauth client v1", 32));

  return createHmac("sha256", key).update(body).digest();
};

export const registerClient = (client: OauthClient): string | null => {
  const text = JSON.stringify(client);
  const body = Buffer.from(text).toString("base64url");

  return Buffer.byteLength(text) > MOST_BYTES ? null : `${body}.${macOf(body).toString("base64url")}`;
};

const FORM = /^([\w-]{1,1400})\.([\w-]{43})$/;

export const readClient = (id: string): OauthClient | null => {
  const [, body = "", mac = ""] = FORM.exec(id) ?? [];
  const expected = macOf(body);
  const given = Buffer.from(mac, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;

  return clientSchema.safeParse(JSON.parse(Buffer.from(body, "base64url").toString())).data ?? null;
};
