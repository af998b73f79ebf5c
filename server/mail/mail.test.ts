import { onTestFinished, describe, expect, it } from "vitest";
import { readMail } from "./message";
import { verifyDkim } from "./dkim";
import { createTxtResolver } from "./resolve-txt";
import { compose, createDkimKey, nameOf, signWithEd25519, type DkimKey } from "./testing/compose";
import { openDns } from "./testing/dns";

const KEY = createDkimKey("example.com");
const NOW_MS = Date.now();
const MAIL = {
  from: "Ada <ada@example.com>",
  to: "desk@example.org",
  subject: "Order 7",
  text: "Please ship it.\n",
  messageId: "<7@example.com>",
};

const resolverOf = async (records: Readonly<Record<string, string | null>>) => {
  const dns = await openDns(new Map(Object.entries(records)));
  onTestFinished(dns.close);

  return createTxtResolver([dns.address]);
};

const check = async (raw: Buffer, records: Readonly<Record<string, string | null>> = { [nameOf(KEY)]: KEY.record }) =>
  verifyDkim(raw, "example.com", await resolverOf(records), NOW_MS);

const change = (raw: Buffer, from: string | RegExp, to: string): Buffer => {
  const text = raw.toString("latin1");
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);

  return Buffer.from(changed, "latin1");
};

describe("DKIM", () => {
  it("passes with a signature of the sender's domain", async () => {
    expect(await check(await compose(MAIL, KEY))).toEqual({ result: "pass", domain: "example.com" });
    const sub = await compose({ ...MAIL, from: "ada@shop.example.com" }, KEY);
    expect(await verifyDkim(sub, "shop.example.com", await resolverOf({ [nameOf(KEY)]: KEY.record }), NOW_MS)).toMatchObject({
      result: "pass",
    });
  });

  it("passes with an Ed25519 key", async () => {
    const head = ["From: ada@example.com", "Subject: Order 7", "Date: Fri, 27 Nov 2026 10:00:00 +0000"];
    const { raw, record } = signWithEd25519(head, "Ship it.\r\n", "example.com");
    expect(await check(raw, { "ed._domainkey.example.com": record })).toEqual({ result: "pass", domain: "example.com" });
    expect(await check(change(raw, "Ship it.", "Burn it."), { "ed._domainkey.example.com": record })).toMatchObject({ result: "fail" });
  });

  it.each<[string, (raw: Buffer) => Buffer]>([
    ["its body changed", (raw) => change(raw, "Please ship", "Please burn")],
    ["its subject changed", (raw) => change(raw, "Subject: Order 7", "Subject: Order 8")],
    ["a second sender stands above", (raw) => Buffer.concat([Buffer.from("From: eve@example.com\r\n"), raw])],
    ["a second subject stands above", (raw) => Buffer.concat([Buffer.from("Subject: Order 9\r\n"), raw])],
    ["its signature covers a part of the body", (raw) => change(raw, "v=1;", "v=1; l=3;")],
    ["its signature has expired", (raw) => change(raw, "v=1;", "v=1; x=1000000000;")],
    ["a tag appears twice", (raw) => change(raw, "v=1;", "v=1; d=example.com;")],
    ["its algorithm is SHA-1", (raw) => change(raw, "rsa-sha256", "rsa-sha1")],
  ])("does not pass when %s", async (_what, damage) => {
    expect((await check(damage(await compose(MAIL, KEY)))).result).not.toBe("pass");
  });

  it.each<[string, (key: DkimKey) => Record<string, string | null>]>([
    ["no key", () => ({})],
    ["a revoked key", () => ({ [nameOf(KEY)]: "v=DKIM1; p=" })],
    ["another key", () => ({ [nameOf(KEY)]: createDkimKey("example.com").record })],
    ["a key for other services", ({ record }) => ({ [nameOf(KEY)]: `s=tlsrpt; ${record}`.replace("v=DKIM1; ", "") })],
    ["a key for SHA-1 alone", ({ record }) => ({ [nameOf(KEY)]: `${record}; h=sha1` })],
  ])("fails with %s in the sender's DNS", async (_what, records) => {
    expect(await check(await compose(MAIL, KEY), records(KEY))).toEqual({ result: "fail", domain: "example.com" });
  });

  it("fails with a key of 512 bits", async () => {
    const weak = createDkimKey("example.com", "s1", 512);
    expect(await check(await compose(MAIL, weak), { [nameOf(weak)]: weak.record })).toMatchObject({ result: "fail" });
  });

  it("does not count another domain's signature, nor a header that claims a result", async () => {
    const other = createDkimKey("evil.example");
    const raw = Buffer.concat([
      Buffer.from("Authentication-Results: mx.example.org; dkim=pass header.d=example.com\r\n"),
      await compose(MAIL, other),
    ]);
    expect(await check(raw, { [nameOf(other)]: other.record })).toEqual({ result: "none", domain: null });
    expect((await readMail(raw, await resolverOf({ [nameOf(other)]: other.record }), NOW_MS)).mail).toMatchObject({ dkim: "none" });
  });

  it("is unknown while the resolver fails", async () => {
    expect(await check(await compose(MAIL, KEY), { [nameOf(KEY)]: null })).toEqual({ result: "unknown", domain: "example.com" });
  });
});

describe("a message", () => {
  const read = async (raw: Buffer | string) => readMail(Buffer.from(raw), await resolverOf({ [nameOf(KEY)]: KEY.record }), NOW_MS);

  it("is read as sender, subject, text, date and names of attachments", async () => {
    const raw = await compose({ ...MAIL, attachments: [{ filename: "offer.pdf", content: "%PDF" }] }, KEY);
    const { mail, key } = await read(raw);
    expect(mail).toEqual({
      from: "ada@example.com",
      subject: "Order 7",
      text: expect.stringContaining("Please ship it.") as string,
      date: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      attachments: ["offer.pdf"],
      dkim: "pass",
      dkim_domain: "example.com",
    });
    expect((await read(await compose({ ...MAIL, text: "Again" }))).key).toBe(key);
    expect((await read(await compose({ ...MAIL, messageId: "<8@example.com>" }))).key).not.toBe(key);
  });

  it.each<[string, string]>([
    ["no sender", "Subject: x\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\n\r\nx"],
    ["two senders", "From: a@example.com, b@example.com\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\n\r\nx"],
    ["two headers of the sender", "From: a@example.com\r\nFrom: b@example.com\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\n\r\nx"],
    ["no date", "From: a@example.com\r\n\r\nx"],
    ["bytes that are no message", "\0\u00ff\u00ff"],
  ])("is unreadable with %s", async (_what, raw) => {
    expect((await read(raw)).mail).toBe("unreadable");
  });

  it("is too large with a long text, or with parts within parts without end", async () => {
    expect((await read(await compose({ ...MAIL, text: "x".repeat(100_001) }))).mail).toBe("too_large");
    expect(
      (await read(await compose({ ...MAIL, attachments: Array.from({ length: 101 }, () => ({ filename: "a", content: "a" })) }))).mail,
    ).toBe("too_large");
    const nested = Array.from({ length: 200 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join("");
    expect((await read(`From: a@example.com\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\n${nested}`)).mail).toBe("unreadable");
  });
});
