import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";

export const ADMIN_AREAS = [
  "mcp",
  "models",
  "people",
  "passwords",
  "identities",
  "sessions",
  "versions",
  "tokens",
  "workspace",
  "policy",
  "alarms",
] as const;
export type AdminArea = (typeof ADMIN_AREAS)[number];

/** Digests commit to settings without revealing them. */
export const adminChangedSchema = z.strictObject({
  type: z.literal("admin_changed"),
  area: z.enum(ADMIN_AREAS),
  /** Id of a server, provider, person, session, invite, token, workspace or alarm, or hash of a version. */
  subject: z.string().min(1).max(120),
  step: z.string().regex(/^[a-z][a-z_]{0,39}$/),
  /** `digestOf("settings", …)` before and after; null: absent. Never of a secret. */
  before: hexDigestSchema.nullable(),
  after: hexDigestSchema.nullable(),
});
export type AdminChanged = z.infer<typeof adminChangedSchema>;
