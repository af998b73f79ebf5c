/** The operator's SMTP server: `smtps://user:password@host:465`, or `smtp://…:587` for STARTTLS. */
import { z } from "zod";
import { err, ok, type Result } from "@/lib/result";

/** `implicit`: TLS from the first byte; `starttls`: required before anything is sent; `off`: plain text. */
export const mailServerSchema = z.strictObject({
  host: z.string().min(1).max(255),
  port: z.number().int().min(1).max(65_535),
  tls: z.enum(["implicit", "starttls", "off"]),
  user: z.string().max(500).nullable(),
  password: z.string().max(500).nullable(),
});
export type MailServer = z.infer<typeof mailServerSchema>;

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

/** Parses COUNTERSIGN_SMTP_URL. `?tls=off` sends in plain text, for a relay on the same host or network. */
export const parseSmtpUrl = (text: string): Result<MailServer, string> => {
  const url = URL.parse(text);
  const isImplicit = url?.protocol === "smtps:";
  if (!url || (!isImplicit && url.protocol !== "smtp:") || url.hostname === "") return err("an address as smtps://user:password@host:465");
  if ((url.pathname !== "" && url.pathname !== "/") || url.hash !== "") return err("an SMTP address has no path");
  const isOff = url.search === "?tls=off";
  if ((url.search !== "" && !isOff) || (isOff && isImplicit)) return err("the only parameter is tls=off, with smtp://");
  if (isOff && url.password !== "") return err("a password is never sent without TLS");
  try {
    return ok({
      host: url.hostname.replace(/^\[|\]$/gu, ""),
      port: url.port === "" ? (isImplicit ? SMTPS_PORT : SUBMISSION_PORT) : Number(url.port),
      tls: isImplicit ? "implicit" : isOff ? "off" : "starttls",
      user: url.username === "" ? null : decodeURIComponent(url.username),
      password: url.password === "" ? null : decodeURIComponent(url.password),
    });
  } catch {
    return err("user and password are percent-encoded");
  }
};
