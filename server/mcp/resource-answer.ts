import { z } from "zod";
import { READ_FAULTS, resourceContentSchema } from "@/lib/graph/triggers/resource";

export const resourceAnswerSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), content: resourceContentSchema, isSubscribed: z.boolean() }),
  z.strictObject({ ok: z.literal(false), fault: z.enum(READ_FAULTS) }),
]);
export type ResourceAnswer = z.infer<typeof resourceAnswerSchema>;
