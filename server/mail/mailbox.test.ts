import { describe, expect, it, onTestFinished, test } from "vitest";
import type { MailCursor } from "@/lib/graph/triggers/mailbox";
import type { MailServer } from "@/server/smtp-url";
import { readMailbox, type MailboxOptions } from "./mailbox";
import { MOST_MAILS, type MailboxAnswer, type MailboxRequest } from "./mailbox-request";
import { createTxtResolver } from "./resolve-txt";
import { createCertificate } from "./testing/certificate";
import { compose, createDkimKey, nameOf } from "./testing/compose";
import { openDns } from "./testing/dns";
import { openImap, type Imap, type ImapOptions } from "./testing/imap";

const CERTIFICATE = createCertificate();
const DATE = new Date().toUTCString();
const mail = (id: string, text = "x"): string =>
  `From: ada@example.com\r\nSubject: ${id}\r\nDate: ${DATE}\r\nMessage-ID: <${id}@example.com>\r\n\r\n${text}`;

const opened = async (options: ImapOptions = {}) => {
  const imap = await openImap({ certificate: CERTIFICATE, ...options });
  onTestFinished(imap.close);

  return imap;
};

const read = (
  { port }: Pick<Imap, "port">,
  cursor: MailCursor | null = null,
  { server = {}, ...change }: { readonly server?: Partial<MailServer> } & Partial<Omit<MailboxRequest, "server">> = {},
  options: Partial<MailboxOptions> = {},
) =>
  readMailbox(
    {
      server: { host: "127.0.0.1", port, tls: "implicit", user: "desk", password: "right", ...server },
      mailbox: "INBOX",
      cursor,
      domains: [],
      ...change,
    },
    { egress: { allowOrigins: [`https://127.0.0.1:${port}`] }, ca: CERTIFICATE.cert, timeoutMs: 5_000, ...options },
  );

const demand = (answer: MailboxAnswer) => {
  if (!answer.ok) throw new Error(answer.fault);

  return answer;
};

const begin = async (imap: Imap): Promise<MailCursor> => demand(await read(imap)).cursor;

const subjects = (answer: Awaited<ReturnType<typeof read>>) =>
  answer.ok ? answer.mails.map(({ mail: one }) => (typeof one === "string" ? one : one.subject)) : answer.fault;

describe("a mailbox", () => {
  it("is read from the next message on, each once, and left as it was", async () => {
    const imap = await opened();
    imap.add(mail("before"));
    const cursor = await begin(imap);
    expect(subjects(await read(imap, cursor))).toEqual([]);
    imap.add(mail("one"));
    imap.add(mail("two"));
    const answer = await read(imap, cursor);
    expect(subjects(answer)).toEqual(["one", "two"]);
    expect(answer).toMatchObject({ mails: [{ place: "7.2" }, { place: "7.3" }], hasMore: false });
    expect(subjects(await read(imap, demand(answer).cursor))).toEqual([]);
    expect(imap.commands.filter((line) => /STORE|SELECT|EXPUNGE|COPY|MOVE|BODY\[/iu.test(line))).toEqual([]);
  });

  it("is read in portions", async () => {
    const imap = await opened();
    const cursor = await begin(imap);
    for (let at = 0; at < MOST_MAILS + 1; at += 1) imap.add(mail(`m${at}`));
    const answer = await read(imap, cursor);
    expect(answer).toMatchObject({ ok: true, hasMore: true, cursor: { uid: MOST_MAILS } });
    expect(subjects(await read(imap, demand(answer).cursor))).toEqual([`m${MOST_MAILS}`]);
  });

  it("is read again when the server renumbers, but for messages from before the trigger", async () => {
    const imap = await opened();
    imap.add(mail("old"), Date.now() - 86_400_000);
    const cursor = await begin(imap);
    imap.add(mail("new"), Date.now() + 5_000);
    imap.renumber();
    const answer = await read(imap, cursor);
    expect(subjects(answer)).toEqual(["new"]);
    expect(answer).toMatchObject({ cursor: { validity: "8", uid: 2 }, mails: [{ place: "8.2" }] });
    imap.add(mail("moved here"), Date.now() - 3_000_000);
    expect(subjects(await read(imap, demand(answer).cursor))).toEqual(["moved here"]);
  });

  it("gives only the size of a large message, which keeps its id", async () => {
    const imap = await opened();
    const cursor = await begin(imap);
    imap.add(mail("large", "x".repeat(2_200_000)));
    imap.add(mail("large"));
    const answer = await read(imap, cursor);
    expect(subjects(answer)).toEqual(["too_large", "large"]);
    const [large, small] = demand(answer).mails;
    expect(large?.key).toBe(small?.key);
  });

  it("waits at a message whose demanded key can't be looked up", async () => {
    const key = createDkimKey("example.com");
    const records = new Map<string, string | null>([[nameOf(key), null]]);
    const dns = await openDns(records);
    onTestFinished(dns.close);
    const resolveTxt = createTxtResolver([dns.address]);
    const imap = await opened();
    const cursor = await begin(imap);
    imap.add(mail("plain"));
    imap.add(await compose({ from: "ada@example.com", subject: "signed", text: "x" }, key));
    const answer = await read(imap, cursor, { domains: ["example.com"] }, { resolveTxt });
    expect(answer).toMatchObject({ ok: true, fault: "unresolved", cursor: { uid: 1 }, mails: [{ mail: { subject: "plain" } }] });
    expect(subjects(await read(imap, cursor, { domains: ["example.org"] }, { resolveTxt }))).toEqual(["plain", "signed"]);
    records.set(nameOf(key), key.record);
    const later = await read(imap, demand(answer).cursor, { domains: ["example.com"] }, { resolveTxt });
    expect(later).toMatchObject({ fault: null, mails: [{ mail: { subject: "signed", dkim: "pass" } }] });
  });
});

test("stops early behind slow senders, and goes on there", async () => {
  const imap = await opened();
  const cursor = await begin(imap);
  for (const id of ["one", "two", "three"]) imap.add(mail(id));
  let nowMs = Date.now();
  const now = () => (nowMs += 6_000);
  const answer = await read(imap, cursor, {}, { now });
  expect(answer).toMatchObject({ ok: true, hasMore: true, mails: [{ mail: { subject: "one" } }], cursor: { uid: 1 } });
  expect(subjects(await read(imap, demand(answer).cursor))).toEqual(["two", "three"]);
});

describe("a connection to a mailbox", () => {
  it("is encrypted by STARTTLS before it signs in", async () => {
    const imap = await opened({ startsPlain: true });
    expect(await read(imap, null, { server: { tls: "starttls" } })).toMatchObject({ ok: true });
    const names = imap.commands.map((line) => line.split(" ")[1]);
    expect(names.indexOf("STARTTLS")).toBeGreaterThanOrEqual(0);
    expect(names.findIndex((name) => name === "LOGIN" || name === "AUTHENTICATE")).toBeGreaterThan(names.indexOf("STARTTLS"));
  });

  it("never gives the password to a server without TLS, or with another certificate", async () => {
    const plain = await openImap();
    onTestFinished(plain.close);
    expect(await read(plain, null, { server: { tls: "starttls" } })).toEqual({ ok: false, fault: "insecure" });
    const imap = await opened();
    expect(await read(imap, null, {}, { ca: createCertificate().cert })).toEqual({ ok: false, fault: "insecure" });
    expect([...plain.commands, ...imap.commands].filter((line) => /LOGIN|AUTHENTICATE/u.test(line))).toEqual([]);
  });

  it("is in plain text only where the operator opened that origin", async () => {
    const imap = await openImap();
    onTestFinished(imap.close);
    expect(await read(imap, null, { server: { tls: "off" } })).toEqual({ ok: false, fault: "insecure" });
    expect(await read(imap, null, { server: { tls: "off", host: "imap.example.com" } })).toEqual({ ok: false, fault: "insecure" });
    const egress = { allowOrigins: [`http://127.0.0.1:${imap.port}`] };
    expect(await read(imap, null, { server: { tls: "off" } }, { egress })).toMatchObject({ ok: true });
  });

  it("does not reach private addresses, by number or by name", async () => {
    const imap = await opened();
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "mail.internal"])
      expect(await read(imap, null, { server: { host } }, { egress: { allowOrigins: [] } })).toEqual({ ok: false, fault: "blocked" });
    expect(imap.commands).toEqual([]);
  });

  it.each<[string, Parameters<typeof read>[2], string]>([
    ["a wrong password", { server: { password: "wrong" } }, "refused"],
    ["an unknown mailbox", { mailbox: "Nowhere" }, "missing"],
  ])("fails with %s", async (_what, change, fault) => {
    expect(await read(await opened(), null, change)).toEqual({ ok: false, fault });
  });

  it("fails where no server answers", async () => {
    const imap = await openImap({ certificate: CERTIFICATE });
    imap.close();
    expect(await read(imap)).toEqual({ ok: false, fault: "unreachable" });
  });
});
