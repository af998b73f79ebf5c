import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { expressionSchema } from "@/lib/graph/expression";

export const MOST_TRIGGERS = 20;
const MINUTE_MS = 60_000;
export const MOST_JITTER_MS = 60 * MINUTE_MS;
export const LEAST_POLL_S = 10;
/** Below the time after which an idle tool host ends, with its subscriptions. */
export const MOST_POLL_S = 600;

/** Not a template. */
export const resourceUriSchema = z
  .string()
  .max(2_000)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s{}\p{Cc}]+$/iu);

/** A DNS name or an address. */
export const hostSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/u);

const base = {
  id: idSchema,
  /** CEL over `event`, by input. */
  inputs: z.record(idSchema, expressionSchema).default({}),
  /** Absent: the last one. */
  environment: idSchema.exactOptional(),
  model: z.string().min(1).max(200).default("default"),
  /** For events while a run of the trigger is under way. */
  concurrency: z.enum(["queue", "replace", "drop"]).default("queue"),
};

export const WEBHOOK_SCHEMES = ["standard", "github", "stripe", "slack"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

export const triggerSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...base,
    kind: z.literal("webhook"),
    scheme: z.enum(WEBHOOK_SCHEMES),
    /** Name of the stored secret. */
    secret: idSchema,
    /** JSON Schema; objects stay open. */
    payload: z.record(z.string().max(200), jsonSchema).default({ type: "object" }),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("schedule"),
    /** Five fields. */
    cron: z.string().max(120),
    time_zone: z.string().max(64).default("UTC"),
    missed: z.enum(["skip", "run_once"]).default("skip"),
    /** Largest delay; fixed for each trigger. */
    jitter_ms: z.number().int().min(0).max(MOST_JITTER_MS).default(0),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("email"),
    /** Of the IMAP server. */
    host: hostSchema,
    port: z.number().int().min(1).max(65_535).default(993),
    /** `off` needs an origin that the operator opened. */
    tls: z.enum(["implicit", "starttls", "off"]).default("implicit"),
    user: z.string().min(1).max(320),
    /** Name of the stored password. */
    secret: idSchema,
    mailbox: z.string().min(1).max(255).default("INBOX"),
    /** Domains whose DKIM signature must pass; empty: any; absent: none. */
    signed_by: z.array(hostSchema).max(20).exactOptional(),
    /** Between a message's date and its arrival. */
    max_age_hours: z.number().int().min(1).max(720).default(72),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("mcp_resource"),
    /** Id of a registered server. */
    server: idSchema,
    uri: resourceUriSchema,
    /** Longest time between two reads; an announced change is read within seconds. */
    poll_seconds: z.number().int().min(LEAST_POLL_S).max(MOST_POLL_S).default(60),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("run_end"),
    /** Document id. */
    graph_id: idSchema,
    statuses: z
      .array(z.enum(["completed", "failed", "cancelled", "timeout", "budget_exceeded"]))
      .min(1)
      .max(5)
      .default(["completed"]),
  }),
]);
export type Trigger = z.infer<typeof triggerSchema>;
export type TriggerOf<K extends Trigger["kind"]> = Extract<Trigger, { kind: K }>;

export const isFromOutside = ({ kind }: Trigger): boolean => kind !== "schedule";
