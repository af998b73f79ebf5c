import { z } from "zod";
import { mailArrivalSchema } from "@/lib/graph/triggers/mail";
import { MAILBOX_FAULTS, mailCursorSchema } from "@/lib/graph/triggers/mailbox";
import { mailServerSchema } from "@/server/smtp-url";

export const MOST_MAILS = 20;

export const mailboxRequestSchema = z.strictObject({
  server: mailServerSchema,
  mailbox: z.string().min(1).max(255),
  /** Null: begins with the next message. */
  cursor: mailCursorSchema.nullable(),
  domains: z.array(z.string().max(253)).max(20),
});
export type MailboxRequest = z.infer<typeof mailboxRequestSchema>;

export const mailboxAnswerSchema = z.discriminatedUnion("ok", [
  z.strictObject({
    ok: z.literal(true),
    cursor: mailCursorSchema,
    mails: z.array(mailArrivalSchema).max(MOST_MAILS),
    hasMore: z.boolean(),
    fault: z.literal("unresolved").nullable(),
  }),
  z.strictObject({ ok: z.literal(false), fault: z.enum(MAILBOX_FAULTS) }),
]);
export type MailboxAnswer = z.infer<typeof mailboxAnswerSchema>;

export type ReadMailbox = (workspaceId: string, request: MailboxRequest) => Promise<MailboxAnswer>;
