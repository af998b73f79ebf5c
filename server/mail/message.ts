import { createHash } from "node:crypto";
import PostalMime, { addressParser } from "postal-mime";
import { mailEventSchema, MOST_MAIL_BYTES, type MailArrival } from "@/lib/graph/triggers/mail";
import { splitMessage, verifyDkim, type ResolveTxt } from "./dkim";

const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 262_144, forceRfc822Attachments: true } as const;

const clean = (text = ""): string => text.replaceAll("\0", "").toWellFormed();

const readSender = (raw: Buffer): string | null => {
  const { headers } = splitMessage(raw);
  const [from, ...others] = headers.filter(({ name }) => name === "from");
  if (!from || others.length > 0) return null;
  const [sender, ...more] = addressParser(from.raw.slice(from.raw.indexOf(":") + 1).replaceAll("\r\n", ""), { flatten: true });
  const address = sender?.address ?? "";

  return more.length === 0 && /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,253}$/u.test(address) ? address : null;
};

const keyOf = (raw: Buffer): string => {
  const [id] = splitMessage(raw).headers.filter(({ name }) => name === "message-id");
  const text =
    id?.raw
      .slice(id.raw.indexOf(":") + 1)
      .replaceAll("\r\n", "")
      .trim() ?? "";

  return createHash("sha256")
    .update(text === "" ? raw : text)
    .digest("hex")
    .slice(0, 32);
};

export type ReadMail = Pick<MailArrival, "key" | "mail"> & { readonly unknown: string | null };

/** `unknown`: its key could not be looked up. */
export const readMail = async (raw: Buffer, resolve: ResolveTxt, nowMs: number): Promise<ReadMail> => {
  const key = keyOf(raw);
  if (raw.length > MOST_MAIL_BYTES) return { key, mail: "too_large", unknown: null };
  const from = readSender(raw);
  if (from === null) return { key, mail: "unreadable", unknown: null };
  const domain = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  const [parsed, dkim] = await Promise.all([PostalMime.parse(raw, LIMITS).catch(() => null), verifyDkim(raw, domain, resolve, nowMs)]);
  if (!parsed) return { key, mail: "unreadable", unknown: null };
  const event = mailEventSchema.safeParse({
    from: clean(from),
    subject: clean(parsed.subject),
    text: clean(parsed.text),
    date: parsed.date,
    attachments: parsed.attachments.map(({ filename }) => clean(filename ?? "")),
    dkim: dkim.result === "unknown" ? "fail" : dkim.result,
    dkim_domain: dkim.result === "pass" ? dkim.domain : "",
  });
  const unknown = dkim.result === "unknown" ? dkim.domain : null;
  if (event.success) return { key, mail: event.data, unknown };

  return { key, mail: event.error.issues.some(({ code }) => code === "too_big") ? "too_large" : "unreadable", unknown: null };
};
