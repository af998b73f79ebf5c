/** Browsers get links that act in their member's name, so they are on record. */
import { z } from "zod";
import type { Principal } from "@/lib/engine/principal";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";
import { visibleNameSchema } from "@/lib/visible-name";

const keySchema = z.string().regex(/^B[A-Za-z0-9_-]{86}$/u);
const authSchema = z.string().regex(/^[A-Za-z0-9_-]{22}$/u);

export const subscriptionSchema = z.strictObject({ endpoint: z.url().max(1_000), p256dh: keySchema, auth: authSchema });
export type Subscription = z.infer<typeof subscriptionSchema>;

export const browserSchema = subscriptionSchema.extend({ name: visibleNameSchema(60) });
export type Browser = z.infer<typeof browserSchema>;

export const browserIdSchema = hexDigestSchema;

export const browserCommandSchema = z.discriminatedUnion("kind", [
  browserSchema.extend({ kind: z.literal("browser_add") }),
  z.strictObject({ kind: z.literal("browser_remove"), id: browserIdSchema }),
]);
export type BrowserCommand = z.infer<typeof browserCommandSchema>;

export const MOST_BROWSERS = 10;

export const computeBrowserId = (endpoint: string): HexDigest => digestOf("settings", { endpoint });

export const getBrowserSubject = (userId: string, id: string): string => `${userId} push ${id}`;

export const computeBrowserDigest = ({ endpoint, p256dh, auth, name }: Browser): HexDigest =>
  digestOf("settings", { endpoint, p256dh, auth, name });

type Standing = {
  readonly before: HexDigest | null;
  readonly count: number;
  readonly mayReach: boolean;
};

/** @returns the digest afterwards, or why not */
export const decideBrowser = (
  by: Principal | null,
  asked: BrowserCommand,
  { before, count, mayReach }: Standing,
): { readonly after: HexDigest | null } | RefusalCode => {
  if (by?.type !== "user") return "principal_not_allowed";
  if (asked.kind === "browser_remove") return before === null ? "step_refused" : { after: null };
  if (!mayReach || (before === null && count >= MOST_BROWSERS)) return "step_refused";

  return { after: computeBrowserDigest(asked) };
};
