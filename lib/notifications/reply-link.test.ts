import { ed25519 } from "@noble/curves/ed25519.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyToken, getReplyCommandId, readReplyBody, verifyReplyToken, type ReplyLink } from "./reply-link";

const NOW_MS = Date.UTC(2026, 2, 2);
const randomUUID = (): string => crypto.randomUUID();
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const secret = ed25519.utils.randomSecretKey();
const keys = { k1: toBase64Url(ed25519.getPublicKey(secret)) };
const signDigest = (digest: string): string => toBase64Url(ed25519.sign(hexToBytes(digest), secret));

const link = (changes: Partial<ReplyLink> = {}): ReplyLink => ({
  workspace: randomUUID(),
  approval: randomUUID(),
  user: randomUUID(),
  view: "ab".repeat(32),
  expires: NOW_MS / 1_000 + 60,
  channel: "mail",
  ...changes,
});

describe("a reply token", () => {
  test("says what was signed, in 200 characters of a URL", async () => {
    const given = link();
    const token = createReplyToken(given, signDigest);
    expect(token).toMatch(/^[A-Za-z0-9_-]{200}$/u);
    expect(await verifyReplyToken(token, keys, NOW_MS)).toEqual(given);
  });

  test("is the same for the same link, so that every attempt sends the same message", () => {
    const given = link();
    expect(createReplyToken(given, signDigest)).toBe(createReplyToken(given, signDigest));
  });

  test("is void once it expires, without its key, and with any changed character", async () => {
    const token = createReplyToken(link(), signDigest);
    expect(await verifyReplyToken(token, keys, NOW_MS + 60_000)).toBeNull();
    expect(await verifyReplyToken(token, {}, NOW_MS)).toBeNull();
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom("A", "z", "-", "!", ""), async (at, character) => {
        fc.pre(token[at] !== character);
        const changed = token.slice(0, at) + character + token.slice(at + 1);

        return (await verifyReplyToken(changed, keys, NOW_MS)) === null;
      }),
      { numRuns: 200 },
    );
  });
});

describe("a link is", () => {
  const given = link();
  const reject = { kind: "decision", decision: "reject", approval_id: given.approval, view_digest: given.view };

  test("for rejecting, sending back and commenting on its own request, and nothing else", () => {
    expect(readReplyBody(given, reject)).toBe("reject");
    expect(readReplyBody(given, { kind: "comment", approval_id: given.approval, text: "x" })).toBe("comment");
    expect(readReplyBody(given, { ...reject, decision: "request_changes" })).toBe("request_changes");
    for (const body of [
      { ...reject, decision: "approve" },
      { ...reject, decision: "abstain" },
      { ...reject, approval_id: randomUUID() },
      { ...reject, view_digest: "0".repeat(64) },
      { kind: "comment", approval_id: randomUUID(), text: "x" },
      { ...reject, kind: "edit" },
      { kind: "cancel" },
      null,
    ]) {
      expect(readReplyBody(given, body)).toBeNull();
    }
  });

  test("one command for each action, whenever it was sent", () => {
    const ids = (["reject", "comment"] as const).map((action) => getReplyCommandId(given, action));
    expect(new Set(ids).size).toBe(2);
    expect(ids).toEqual((["reject", "comment"] as const).map((action) => getReplyCommandId({ ...given, expires: 1 }, action)));
    expect(getReplyCommandId({ ...given, view: "cd".repeat(32) }, "reject")).not.toBe(ids[0]);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/u.test(id))).toBe(true);
  });
});

describe("a link that approves", () => {
  const given = link({ channel: "slack", approves: true });
  const ask = (decision: string, change: object = {}) => ({
    kind: "decision",
    decision,
    approval_id: given.approval,
    view_digest: given.view,
    ...change,
  });

  test("does nothing else, and no other link approves", () => {
    expect(readReplyBody(given, ask("approve"))).toBe("approve");
    expect(readReplyBody(given, ask("approve", { view_digest: "cd".repeat(32) }))).toBeNull();
    for (const body of [ask("reject"), ask("request_changes"), { kind: "comment", approval_id: given.approval }]) {
      expect(readReplyBody(given, body)).toBeNull();
    }
    for (const channel of ["mail", "slack", "push"] as const) {
      const { approves: _approves, ...other } = given;
      expect(readReplyBody({ ...other, channel }, ask("approve"))).toBeNull();
    }
  });

  test("is signed as such, so no other link becomes one", async () => {
    expect(await verifyReplyToken(createReplyToken(given, signDigest), keys, NOW_MS)).toEqual(given);
    const { approves: _approves, ...plain } = given;
    const bytes = Buffer.from(createReplyToken(plain, signDigest), "base64url");
    bytes[bytes.length - 65] = 0x81;
    expect(await verifyReplyToken(bytes.toString("base64url"), keys, NOW_MS)).toBeNull();
    expect(() => createReplyToken({ ...given, channel: "mail" }, signDigest)).toThrow(TypeError);
  });
});
