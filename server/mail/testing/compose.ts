import { generateKeyPairSync, sign as signBytes, createHash } from "node:crypto";
import { createTransport } from "nodemailer";
import type Mail from "nodemailer/lib/mailer";

export type DkimKey = { readonly domain: string; readonly selector: string; readonly pem: string; readonly record: string };

export const createDkimKey = (domain: string, selector = "s1", bits = 2_048): DkimKey => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });

  return {
    domain,
    selector,
    pem: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ format: "der", type: "spki" }).toString("base64")}`,
  };
};

export const nameOf = ({ domain, selector }: DkimKey): string => `${selector}._domainkey.${domain}`;

export const compose = async (mail: Mail.Options, key?: DkimKey): Promise<Buffer> => {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    ...(key ? { dkim: { domainName: key.domain, keySelector: key.selector, privateKey: key.pem } } : {}),
  });
  const { message } = await transport.sendMail(mail);

  return message as Buffer;
};

export const signWithEd25519 = (head: readonly string[], body: string, domain: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bh = createHash("sha256").update(body).digest("base64");
  const names = head.map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
  const unsigned = `v=1; a=ed25519-sha256; c=relaxed/relaxed; d=${domain}; s=ed; h=${names.join(":")}; bh=${bh}; b=`;
  const lines = head.map((line) => `${line.slice(0, line.indexOf(":")).toLowerCase()}:${line.slice(line.indexOf(":") + 1).trim()}\r\n`);
  const data = createHash("sha256")
    .update(`${lines.join("")}dkim-signature:${unsigned}`)
    .digest();
  const b = signBytes(null, data, privateKey).toString("base64");
  const key = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");

  return {
    raw: Buffer.from(`DKIM-Signature: ${unsigned}${b}\r\n${head.join("\r\n")}\r\n\r\n${body}`),
    record: `v=DKIM1; k=ed25519; p=${key}`,
  };
};
