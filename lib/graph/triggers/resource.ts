import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";

const MOST_TEXT_CHARS = 100_000;

/** `digest`: of content that can't be an event. */
export const resourceContentSchema = z.union([
  z.strictObject({ mime_type: z.string().max(255), text: z.string().max(MOST_TEXT_CHARS) }),
  z.strictObject({ fault: z.enum(["too_large", "unreadable"]), digest: hexDigestSchema }),
]);
export type ResourceContent = z.infer<typeof resourceContentSchema>;

export const resourceArrivalSchema = z.strictObject({
  eventId: z.string().regex(/^\d{1,15}\.\d{1,15}\.[0-9a-f]{32}$/u),
  content: resourceContentSchema,
});

/** `count`: changes since `sinceMs`. `salt`: sealed, so that digests reveal no guessed content. */
export const resourceCursorSchema = z.strictObject({
  salt: z.base64(),
  digest: hexDigestSchema.nullable(),
  sinceMs: z.number().int().min(0),
  count: z.number().int().min(0),
  failures: z.number().int().min(0),
  isSubscribed: z.boolean(),
});
export type ResourceCursor = z.infer<typeof resourceCursorSchema>;

export const READ_FAULTS = ["unreachable", "timeout", "resource_refused"] as const;
export type ReadFault = (typeof READ_FAULTS)[number];

export const RESOURCE_FAULTS = [...READ_FAULTS, "server_inactive", "server_not_allowed", "server_drifted", "stopped"] as const;
export type ResourceFault = (typeof RESOURCE_FAULTS)[number];
