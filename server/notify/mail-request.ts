import { z } from "zod";
import { mailServerSchema } from "@/server/smtp-url";

export const mailRequestSchema = z.strictObject({
  server: mailServerSchema,
  from: z.string().max(500),
  to: z.string().max(320),
  messageId: z.string().max(300),
  subject: z.string().max(1_000),
  text: z.string().max(262_144),
  html: z.string().max(524_288),
  unsubscribeUrl: z.string().max(2_000),
});
export type MailRequest = z.infer<typeof mailRequestSchema>;
