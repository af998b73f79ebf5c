import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { passkeySchema, recordedAssertionSchema } from "@/lib/engine/approvals/assertion";
import { timeMsSchema } from "@/lib/engine/event";
import { defineEvent, DIGEST_SHOWN, keepState, LINE_ONLY, step } from "@/lib/engine/events/event-entry";
import { countersignableSchema } from "@/lib/engine/ledger/countersignable";

const adminAreaSchema = z.enum([
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
  "stops",
  "accounts",
  "facts",
  "webhooks",
  "environments",
  "directory",
]);
export type AdminArea = z.infer<typeof adminAreaSchema>;

/** Digests commit to settings without revealing them. */
const adminChangedSchema = z.strictObject({
  type: z.literal("admin_changed"),
  area: adminAreaSchema,
  /** Of a server, provider, person, session, invite, token, workspace, alarm, webhook endpoint or environment, or hash of a version. */
  subject: z.string().min(1).max(120),
  step: z.string().regex(/^[a-z][a-z_]{0,39}$/),
  /** `digestOf("settings", …)` before and after; null: absent. Never of a secret. */
  before: hexDigestSchema.nullable(),
  after: hexDigestSchema.nullable(),
});
export type AdminChanged = z.infer<typeof adminChangedSchema>;

const countersignedSchema = z.strictObject({
  type: z.literal("countersigned"),
  user: uuidSchema,
  asked: countersignableSchema,
  passkey: recordedAssertionSchema,
});
export type Countersigned = z.infer<typeof countersignedSchema>;

export const PASSKEY_EVENTS = {
  passkey_registered: defineEvent({
    schema: z.strictObject({ type: z.literal("passkey_registered"), user: uuidSchema, ...passkeySchema.shape }),
    about: "Workspace ledger: a person registered a passkey.",
    reduce: keepState,
    weight: 34,
    ...LINE_ONLY,
    line: ({ credential_id: id, rp_id: host }) => step("Passkey registered", `${id.slice(0, DIGEST_SHOWN)} for ${host}`),
  }),
  passkey_revoked: defineEvent({
    schema: z.strictObject({
      type: z.literal("passkey_revoked"),
      user: uuidSchema,
      credential_id: passkeySchema.shape.credential_id,
    }),
    about: "Workspace ledger: a passkey was revoked.",
    reduce: keepState,
    weight: 35,
    ...LINE_ONLY,
    line: ({ credential_id: id }) => step("Passkey revoked", id.slice(0, DIGEST_SHOWN)),
  }),
  passkey_allowed: defineEvent({
    schema: z.strictObject({
      type: z.literal("passkey_allowed"),
      user: uuidSchema,
      allowance: uuidSchema,
      expires_at: timeMsSchema,
    }),
    about: "Workspace ledger: a person may register one passkey.",
    reduce: keepState,
    weight: 37,
    ...LINE_ONLY,
    line: ({ user }) => step("New passkey allowed", user),
  }),
};

export const WORKSPACE_EVENTS = {
  ...PASSKEY_EVENTS,
  countersigned: defineEvent({
    schema: countersignedSchema,
    about: "Workspace ledger: a person signed the record with a passkey.",
    reduce: keepState,
    weight: 38,
    ...LINE_ONLY,
    line: ({ asked }) => step("Signed with a passkey", asked.kind.replaceAll("_", " ")),
  }),
  admin_changed: defineEvent({
    schema: adminChangedSchema,
    about: "Workspace ledger: an admin changed a setting. Settings appear as digests only.",
    reduce: keepState,
    weight: 36,
    ...LINE_ONLY,
    line: (event) => step(`Admin changed ${event.area}`, `${event.step.replaceAll("_", " ")}: ${event.subject}`),
  }),
  program_taken_over: defineEvent({
    schema: z.strictObject({
      type: z.literal("program_taken_over"),
      server: idSchema,
      program: idSchema,
      before: hexDigestSchema,
      after: hexDigestSchema,
      /** Digest of the reviewed tools, which the program still has. */
      tools: hexDigestSchema,
    }),
    about: "Workspace ledger: an upgrade changed a bundled MCP server's program, and not its tools, so the review stays.",
    reduce: keepState,
    weight: 47,
    ...LINE_ONLY,
    line: ({ server, program }) => step("Bundled server upgraded", `${server}: ${program}, tools unchanged`),
  }),
};
