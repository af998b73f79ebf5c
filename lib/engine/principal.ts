/** Who proposes. The transport fills this in; it is never part of a parsed input. */
import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { roleSchema } from "@/lib/roles";

export const principalSchema = z.discriminatedUnion("type", [
  /** A signed-in person; `role` and `auditor` are as the database had them when the proposal was decided. */
  z.strictObject({ type: z.literal("user"), id: uuidSchema, role: roleSchema, auditor: z.boolean() }),
  /** An executor working on one node under a lease. */
  z.strictObject({ type: z.literal("executor"), node: idSchema, agent: idSchema.nullable(), epoch: z.number().int().min(1) }),
  /** The engine's own timers and recovery. */
  z.strictObject({ type: z.literal("engine"), epoch: z.number().int().min(1) }),
]);
export type Principal = z.infer<typeof principalSchema>;
