import { z } from "zod";

export const MOST_MAIL_BYTES = 2 * 1_048_576;
const MOST_TEXT_CHARS = 100_000;
const MOST_ATTACHMENTS = 100;

export const mailEventSchema = z.strictObject({
  from: z.string().min(3).max(320),
  subject: z.string().max(1_000),
  text: z.string().max(MOST_TEXT_CHARS),
  date: z.iso.datetime(),
  attachments: z.array(z.string().max(255)).max(MOST_ATTACHMENTS),
  dkim: z.enum(["pass", "fail", "none"]),
  dkim_domain: z.string().max(253),
});
export type MailEvent = z.infer<typeof mailEventSchema>;

export const mailArrivalSchema = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/u),
  place: z.string().regex(/^\d{1,12}\.\d{1,12}$/u),
  arrivedMs: z.number(),
  mail: z.union([mailEventSchema, z.enum(["too_large", "unreadable"])]),
});
export type MailArrival = z.infer<typeof mailArrivalSchema>;

const MOST_SHOWN_CHARS = 80;

export const getMailEventId = ({ key, place, mail }: MailArrival): string => {
  if (typeof mail === "string") return `${key}.${place}`;
  const { dkim, dkim_domain: domain } = mail;

  return `${key}.${place}.${dkim}${domain !== "" && domain.length <= MOST_SHOWN_CHARS ? `.${domain}` : ""}`;
};

export const getMailKey = (eventId: string): string => eventId.slice(0, 33);
