import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SMTPServerOptions } from "smtp-server";
import type { MailServer } from "@/server/smtp-url";
import type { MailRequest } from "./mail-request";
import { sendMail } from "./mail-send";
import { headerOf, openSmtp, partsOf } from "./testing/smtp";

const request = (port: number, server: Partial<MailServer> = {}): MailRequest => ({
  server: { host: "127.0.0.1", port, tls: "off", user: null, password: null, ...server },
  from: "Approvals <approvals@example.com>",
  to: "jonas.okafor@example.com",
  messageId: "<1@example.com>",
  subject: "Give Ökonom & Söhne a credit\r\nBcc: everyone@example.com",
  text: "Plain “text”\n",
  html: "<p>Markup</p>",
  unsubscribeUrl: "https://desk.example.com/settings#notifications",
});

const opened = async (options: SMTPServerOptions = {}) => {
  const smtp = await openSmtp(options);
  onTestFinished(smtp.close);

  return smtp;
};

describe("an e-mail", () => {
  test("arrives with both parts, its Message-ID and one recipient, whatever the subject holds", async () => {
    const smtp = await opened();
    expect(await sendMail(request(smtp.port))).toEqual({ ok: true, code: 250 });
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(["jonas.okafor@example.com"]);
    expect(headerOf(mail!, "message-id")).toBe("<1@example.com>");
    expect(headerOf(mail!, "bcc")).toBe("");
    const parts = partsOf(mail!);
    expect([parts.get("text/plain")?.trim(), parts.get("text/html")?.trim()]).toEqual(["Plain “text”", "<p>Markup</p>"]);
  });

  test("is sent after signing in, and refused with the wrong password", async () => {
    const smtp = await opened({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === "desk" && password === "right" ? done(null, { user: username }) : done(new Error("wrong")),
    });
    expect(await sendMail(request(smtp.port, { user: "desk", password: "right" }))).toMatchObject({ ok: true });
    expect(await sendMail(request(smtp.port, { user: "desk", password: "wrong" }))).toEqual({ ok: false, code: 535, fault: "refused" });
  });

  test("is not sent in plain text when the server offers no TLS, or by an untrusted certificate", async () => {
    const plain = await opened();
    expect(await sendMail(request(plain.port, { tls: "starttls" }))).toMatchObject({ ok: false, fault: "insecure" });
    const selfSigned = await opened({ disabledCommands: [] });
    expect(await sendMail(request(selfSigned.port, { tls: "starttls" }))).toMatchObject({ ok: false, fault: "insecure" });
    const implicit = await opened({ secure: true });
    expect(await sendMail(request(implicit.port, { tls: "implicit" }))).toMatchObject({ ok: false, fault: "insecure" });
    expect([plain, selfSigned, implicit].flatMap(({ mails }) => mails)).toEqual([]);
  });

  test("fails with the server's reply, or for want of one", async () => {
    const smtp = await opened();
    smtp.answerWith(() => Object.assign(new Error("mailbox full"), { responseCode: 452 }));
    expect(await sendMail(request(smtp.port))).toEqual({ ok: false, code: 452, fault: "refused" });
    const silent = net.createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    expect(await sendMail(request(port), { timeoutMs: 300 })).toEqual({ ok: false, code: null, fault: "timeout" });
    const closed = await openSmtp();
    await closed.close();
    expect(await sendMail(request(closed.port))).toEqual({ ok: false, code: null, fault: "unreachable" });
  });
});
