/** What starts a version without a person. */
import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { expressionSchema } from "@/lib/graph/expression";

export const MOST_TRIGGERS = 20;
const MINUTE_MS = 60_000;
export const MOST_JITTER_MS = 60 * MINUTE_MS;

const base = {
  id: idSchema,
  /** By input of the launch form: CEL over `event`. */
  inputs: z.record(idSchema, expressionSchema).default({}),
  /** Model of agents set to `default`. */
  model: z.string().min(1).max(200).default("default"),
  /** While a run of the trigger is under way, a further event waits, ends that run, or is dropped on record. */
  concurrency: z.enum(["queue", "replace", "drop"]).default("queue"),
};

export const WEBHOOK_SCHEMES = ["standard", "github", "stripe", "slack"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

const END_STATUSES = ["completed", "failed", "cancelled", "timeout"] as const;

export const triggerSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...base,
    kind: z.literal("webhook"),
    scheme: z.enum(WEBHOOK_SCHEMES),
    /** Name of the stored signing secret; without it, nothing starts. */
    secret: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/),
    /** JSON Schema of the payload; properties that it does not name may be there. */
    payload: z.record(z.string().max(200), jsonSchema).default({ type: "object" }),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("schedule"),
    /** Five fields: minute, hour, day of month, month, day of week. */
    cron: z.string().min(1).max(120),
    /** IANA name, such as Europe/Berlin. */
    time_zone: z.string().min(1).max(64).default("UTC"),
    /** What becomes of times that passed unserved: nothing, or one run for all of them. */
    missed: z.enum(["skip", "run_once"]).default("skip"),
    /** Starts this much later at most; fixed for each trigger. */
    jitter_ms: z.number().int().min(0).max(MOST_JITTER_MS).default(0),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("run_end"),
    /** Document id of the graph whose runs are followed. */
    graph_id: idSchema,
    statuses: z.array(z.enum(END_STATUSES)).min(1).max(4).default(["completed"]),
  }),
]);
export type Trigger = z.infer<typeof triggerSchema>;
export type TriggerOf<K extends Trigger["kind"]> = Extract<Trigger, { kind: K }>;

/** Returns whether somebody outside chooses the event. */
export const isFromOutside = ({ kind }: Trigger): boolean => kind !== "schedule";
