/** The event of a workspace's own ledger that an admin changed something: which step, about what, from which settings to which. */
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

/** Settings are told by their digests alone, so that the ledger commits to what was decided and says nothing else. */
export const adminChangedSchema = z.strictObject({
  type: z.literal("admin_changed"),
  area: z.enum(ADMIN_AREAS),
  /** The id of a server, provider, person, session, invite, token, workspace or alarm, or the hash of a version. */
  subject: z.string().min(1).max(120),
  step: z.string().regex(/^[a-z][a-z_]{0,39}$/),
  /** `digestOf("settings", …)` before and after; null: there was nothing, or there is nothing any more. Never of a secret. */
  before: hexDigestSchema.nullable(),
  after: hexDigestSchema.nullable(),
});
export type AdminChanged = z.infer<typeof adminChangedSchema>;
