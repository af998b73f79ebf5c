import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type Mail = { readonly to: readonly string[]; readonly source: string };

/** Runs when a message is complete, before it is accepted. */
type OnMail = (mail: Mail) => Error | null;

export type SmtpStand = {
  readonly port: number;
  readonly mails: readonly Mail[];
  readonly answerWith: (next: OnMail) => void;
  readonly close: () => Promise<void>;
};

/** Opens a real SMTP server on loopback. */
export const openSmtp = async (options: SMTPServerOptions = {}, port = 0): Promise<SmtpStand> => {
  const mails: Mail[] = [];
  let next: OnMail = () => null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    ...options,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString("utf8") };
        const error = next(mail);
        if (error === null) mails.push(mail);
        done(error);
      });
    },
  });
  // A client that is killed resets its connection.
  server.on("error", () => undefined);
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");

  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    answerWith: (onMail) => {
      next = onMail;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

const unfold = (text: string): string => text.replaceAll(/\r\n[ \t]+/gu, " ");

/** Returns a header's text. */
export const headerOf = ({ source }: Mail, name: string): string =>
  new RegExp(`^${name}: (.*)$`, "imu").exec(unfold(source.slice(0, source.indexOf("\r\n\r\n"))))?.[1]?.trim() ?? "";

const decodeQuoted = (body: string): string => {
  const bytes = body
    .replaceAll(/=\r\n/gu, "")
    .replaceAll(/=([0-9A-F]{2})/gu, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));

  return Buffer.from(bytes, "latin1").toString("utf8");
};

const decodeBody = (encoding: string | undefined, body: string): string => {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");

  return encoding === "quoted-printable" ? decodeQuoted(body) : body;
};

/** Returns the decoded parts by content type. */
export const partsOf = ({ source }: Mail): ReadonlyMap<string, string> => {
  const boundary = /boundary="([^"]+)"/u.exec(source)?.[1] ?? "";
  const parts = source.split(`--${boundary}`).slice(1, -1);

  return new Map(
    parts.map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      const type = /content-type: ([^;\r\n]+)/iu.exec(head)?.[1] ?? "";
      const encoding = /content-transfer-encoding: (\S+)/iu.exec(head)?.[1]?.toLowerCase();

      return [type, decodeBody(encoding, body.join("\r\n\r\n"))];
    }),
  );
};
