/** RFC 6376 and RFC 8463, for signatures of the sender's domain. */
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

/** @throws while the resolver does not answer */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

export type DkimResult = { readonly result: "pass" | "fail" | "none" | "unknown"; readonly domain: string | null };

type Header = { readonly name: string; readonly raw: string };
type Tags = ReadonlyMap<string, string>;
type Canonical = "simple" | "relaxed";

export const splitMessage = (raw: Buffer): { readonly headers: readonly Header[]; readonly body: Buffer } => {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.subarray(0, end === -1 ? raw.length : end + 2).toString("latin1");
  const headers = head
    .split(/\r\n(?![ \t])/u)
    .filter((line) => line.includes(":"))
    .map((line) => ({ name: line.slice(0, line.indexOf(":")).trim().toLowerCase(), raw: line }));

  return { headers, body: end === -1 ? Buffer.alloc(0) : raw.subarray(end + 4) };
};

const readTags = (text: string): Tags | null => {
  const pairs = text.split(";").flatMap((part): [string, string][] => {
    const at = part.indexOf("=");

    return at === -1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });

  return new Set(pairs.map(([name]) => name)).size === pairs.length ? new Map(pairs) : null;
};

const withoutSpace = (text = ""): string => text.replaceAll(/\s+/gu, "");

const canonicalHeader = ({ name, raw }: Header, how: Canonical): string => {
  if (how === "simple") return raw;
  const value = raw.slice(raw.indexOf(":") + 1).replaceAll("\r\n", "");

  return `${name}:${value.replaceAll(/[ \t]+/gu, " ").trim()}`;
};

const canonicalBody = (body: Buffer, how: Canonical): Buffer => {
  const text = body.toString("latin1");
  const lines = (how === "simple" ? text : text.replaceAll(/[ \t]+/gu, " ").replaceAll(/ (?=\r\n|$)/gu, "")).split("\r\n");
  while (lines.at(-1) === "") lines.pop();
  const ended = lines.length === 0 ? (how === "simple" ? "\r\n" : "") : `${lines.join("\r\n")}\r\n`;

  return Buffer.from(ended, "latin1");
};

const pickSigned = (headers: readonly Header[], names: readonly string[]): readonly Header[] => {
  const left = headers.toReversed();

  return names.flatMap((name) => {
    const at = left.findIndex((header) => header.name === name);

    return at === -1 ? [] : left.splice(at, 1);
  });
};

const LEAST_RSA_BITS = 1_024;
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

const readKey = (text: string, kind: "rsa" | "ed25519"): KeyObject | null => {
  const tags = readTags(text);
  if (!tags || (tags.get("v") ?? "DKIM1") !== "DKIM1" || (tags.get("k") ?? "rsa") !== kind) return null;
  const isListed = (name: string, accepted: readonly string[]) =>
    !tags.has(name) ||
    withoutSpace(tags.get(name))
      .split(":")
      .some((one) => accepted.includes(one));
  if (!isListed("h", ["sha256"]) || !isListed("s", ["*", "email"])) return null;
  const der = Buffer.from(withoutSpace(tags.get("p")), "base64");
  try {
    const key = createPublicKey({ key: kind === "rsa" ? der : Buffer.concat([ED25519_PREFIX, der]), format: "der", type: "spki" });

    return kind === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS ? null : key;
  } catch {
    return null;
  }
};

const HOST = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62}\.)*[a-z0-9_-]{1,63}$/iu;

const isHost = (text: string): boolean => HOST.test(text) && !text.includes("..");

export const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** Else an unsigned copy could be shown for the signed one. */
const SHOWN = ["from", "subject", "date"];

type Signature = { readonly header: Header; readonly tags: Tags; readonly domain: string };

const readForm = ({ tags }: Signature) => {
  const [head = "simple", body = "simple"] = (tags.get("c") ?? "simple/simple").split("/");
  const algorithm = tags.get("a");
  const isKnown = (how: string): how is Canonical => how === "simple" || how === "relaxed";
  if (!isKnown(head) || !isKnown(body) || (algorithm !== "rsa-sha256" && algorithm !== "ed25519-sha256")) return null;

  return { head, body, kind: algorithm === "rsa-sha256" ? ("rsa" as const) : ("ed25519" as const) };
};

const isTimely = ({ tags }: Signature, nowMs: number): boolean => !tags.has("x") || Number(tags.get("x")) * 1_000 > nowMs;

type Message = ReturnType<typeof splitMessage>;

const verifyOne = async (signature: Signature, { headers, body }: Message, resolve: ResolveTxt, nowMs: number): Promise<boolean> => {
  const { tags, header, domain } = signature;
  const form = readForm(signature);
  const names = withoutSpace(tags.get("h")).toLowerCase().split(":");
  const selector = tags.get("s") ?? "";
  const identity = (tags.get("i") ?? `@${domain}`).split("@").at(-1)?.toLowerCase() ?? "";
  if (tags.get("v") !== "1" || !form || !isHost(selector) || !isWithin(identity, domain) || !isTimely(signature, nowMs)) return false;
  const isCovered = SHOWN.every((name) => {
    const count = headers.filter((one) => one.name === name).length;

    return count === 0 ? name !== "from" : count === 1 && names.includes(name);
  });
  const canonical = canonicalBody(body, form.body);
  if (!isCovered || (tags.has("l") && Number(tags.get("l")) !== canonical.length)) return false;
  if (createHash("sha256").update(canonical).digest("base64") !== withoutSpace(tags.get("bh"))) return false;
  const own = { name: header.name, raw: header.raw.replace(/([;:\s]b\s*=)[^;]*/u, "$1") };
  const signed = [...pickSigned(headers, names).map((one) => `${canonicalHeader(one, form.head)}\r\n`), canonicalHeader(own, form.head)];
  const data = Buffer.from(signed.join(""), "latin1");
  const given = Buffer.from(withoutSpace(tags.get("b")), "base64");
  const records = await resolve(`${selector}._domainkey.${domain}`);
  const keys = records.flatMap((text) => readKey(text, form.kind) ?? []).slice(0, 3);

  return keys.some((key) =>
    form.kind === "rsa" ? verify("sha256", data, key, given) : verify(null, createHash("sha256").update(data).digest(), key, given),
  );
};

const MOST_SIGNATURES = 3;

export const verifyDkim = async (raw: Buffer, from: string, resolve: ResolveTxt, nowMs: number): Promise<DkimResult> => {
  const message = splitMessage(raw);
  const signatures = message.headers
    .filter(({ name }) => name === "dkim-signature")
    .flatMap((header): Signature[] => {
      const tags = readTags(header.raw.slice(header.raw.indexOf(":") + 1).replaceAll("\r\n", ""));
      const domain = tags?.get("d")?.toLowerCase() ?? "";

      return tags && isHost(domain) && isWithin(from, domain) ? [{ header, tags, domain }] : [];
    })
    .slice(0, MOST_SIGNATURES);
  let isUnknown = false;
  for (const signature of signatures) {
    const isValid = await verifyOne(signature, message, resolve, nowMs).catch(() => {
      isUnknown = true;

      return false;
    });
    if (isValid) return { result: "pass", domain: signature.domain };
  }

  return { result: isUnknown ? "unknown" : signatures.length > 0 ? "fail" : "none", domain: signatures[0]?.domain ?? null };
};
