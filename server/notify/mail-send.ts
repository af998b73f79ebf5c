/** SMTP. Runs in a tool host: the control plane opens no connection to a server. */
import { createTransport } from "nodemailer";
import { AppError } from "@/lib/errors";
import type { DeliveryFault } from "@/lib/webhooks/types";
import { connectChecked, resolveWithSystem } from "@/server/security/egress-connect";
import type { MailRequest } from "./mail-request";
import { SEND_TIMEOUT_MS, type Attempt } from "./message";

type SmtpError = Error & { readonly code?: string; readonly responseCode?: number };

const isTlsFault = (code: string, message: string): boolean =>
  code === "ETLS" || /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/u.test(code) || /certificate/iu.test(message);

const faultOf = ({ code = "", message, responseCode }: SmtpError): DeliveryFault => {
  if (isTlsFault(code, message)) return "insecure";
  if (responseCode !== undefined || code === "EAUTH" || code === "EENVELOPE") return "refused";

  return code === "ETIMEDOUT" || /timeout|too long/iu.test(message) ? "timeout" : "unreachable";
};

const attemptOf = (error: unknown): Attempt => {
  if (error instanceof AppError && error.code === "egress_blocked") return { ok: false, code: null, fault: "blocked" };
  if (!(error instanceof Error)) return { ok: false, code: null, fault: "unreachable" };
  const { responseCode = null } = error as SmtpError;

  return { ok: false, code: responseCode, fault: faultOf(error) };
};

export const sendMail = async (
  { server, from, to, messageId, subject, text, html, unsubscribeUrl }: MailRequest,
  { timeoutMs = SEND_TIMEOUT_MS, ca }: { readonly timeoutMs?: number; readonly ca?: string } = {},
): Promise<Attempt> => {
  const { host, port, tls, user, password } = server;
  try {
    // The operator named this one host and port, so its address may be private.
    const connection = await connectChecked(host, port, { mayReach: () => true, resolve: resolveWithSystem, timeoutMs });
    const transport = createTransport({
      host,
      port,
      connection,
      secure: tls === "implicit",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "off",
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(ca === undefined ? {} : { tls: { ca } }),
      ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
    });
    try {
      const { response } = await transport.sendMail({
        from,
        to: { name: "", address: to },
        messageId,
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated" },
        list: { unsubscribe: unsubscribeUrl },
      });

      return { ok: true, code: Number(/^\d{3}/u.exec(response)?.[0] ?? "250") };
    } finally {
      transport.close();
      connection.destroy();
    }
  } catch (error) {
    return attemptOf(error);
  }
};
