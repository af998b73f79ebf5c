import { generateKeyPairSync, sign } from "node:crypto";

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];

  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const time = (date: Date): Buffer => der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/gu, "").slice(2, 14)}Z`));

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const NAME = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("localhost")))));
const ALTERNATIVES = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
const CONSTRAINTS = sequence(der(0x01, Buffer.from([255])));

const toPem = (name: string, bytes: Buffer): string => `-----BEGIN ${name}-----\n${bytes.toString("base64")}\n-----END ${name}-----\n`;

export const createCertificate = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
  const extensions = sequence(
    sequence(oid("551d13"), der(0x01, Buffer.from([255])), der(0x04, CONSTRAINTS)),
    sequence(oid("551d11"), der(0x04, ALTERNATIVES)),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    NAME,
    sequence(time(from), time(to)),
    NAME,
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, extensions),
  );
  const cert = sequence(content, ECDSA_SHA256, bits(sign("sha256", content, privateKey)));

  return { key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(), cert: toPem("CERTIFICATE", cert) };
};
