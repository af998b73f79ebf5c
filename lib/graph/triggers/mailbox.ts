import { z } from "zod";
import { RESOURCE_FAULTS } from "./resource";

/** New: above `uid`, up to `renumbered` only since `sinceMs`. */
export const mailCursorSchema = z.strictObject({
  validity: z.string().regex(/^\d{1,12}$/u),
  uid: z.number().int().min(0).max(4_294_967_295),
  sinceMs: z.number(),
  renumbered: z.number().int().min(0).max(4_294_967_295),
});
export type MailCursor = z.infer<typeof mailCursorSchema>;

export const MAILBOX_FAULTS = ["blocked", "insecure", "unreachable", "timeout", "refused", "missing", "unresolved"] as const;
export type MailboxFault = (typeof MAILBOX_FAULTS)[number];

export const triggerFaultSchema = z.enum([...MAILBOX_FAULTS, ...RESOURCE_FAULTS, "no_secret"]);
export type TriggerFault = z.infer<typeof triggerFaultSchema>;
