/** Browsers send a host's cookies to all its ports. */
import { randomUUID } from "node:crypto";
import { getServerSession } from "next-auth";
import { encode } from "next-auth/jwt";
import { afterEach, expect, test, vi } from "vitest";
import { generateSessionSeed } from "@/server/security/session-key";

const SECRET = "s".repeat(32);
const OWN = "http://localhost:3000";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const installationAt = async (url: string) => {
  vi.stubEnv("NEXTAUTH_URL", url);

  return await import("./session-cookie");
};

const CLAIMS = { sub: randomUUID(), sv: 1, sid: randomUUID(), sk: generateSessionSeed() };

const sessionAt = async (url: string, token: Record<string, unknown>, callback: "toSession" | "toShownSession"): Promise<unknown> => {
  const { getSessionCookie: sessionCookie, [callback]: session } = await installationAt(url);
  const options = { secret: SECRET, providers: [], cookies: { sessionToken: sessionCookie() }, callbacks: { session } };
  const request = { headers: {}, cookies: { [sessionCookie().name]: await encode({ token, secret: SECRET }) } };
  const response = { getHeader: () => undefined, setHeader: () => undefined, setCookie: () => undefined };

  return Reflect.apply(getServerSession, undefined, [request, response, options]);
};
const claimsAt = async (url: string, token: Record<string, unknown>) => {
  const { toClaims: claimsOf } = await installationAt(url);

  return claimsOf(await sessionAt(url, token, "toSession"));
};

test("accepts sessions that it opened", async () => {
  expect(await claimsAt(OWN, { ...CLAIMS, at: OWN })).toEqual({
    userId: CLAIMS.sub,
    sessionVersion: 1,
    sessionId: CLAIMS.sid,
    sessionKey: CLAIMS.sk,
  });
});

test("never exposes the session key to the browser", async () => {
  const shown = await sessionAt(OWN, { ...CLAIMS, at: OWN }, "toShownSession");
  expect(shown).toMatchObject({ sessionId: CLAIMS.sid });
  expect(JSON.stringify(shown)).not.toContain(CLAIMS.sk);
});

test("rejects a session from before sessions had keys", async () => {
  const { sk: _sk, ...without } = CLAIMS;
  expect(await claimsAt(OWN, { ...without, at: OWN })).toBeNull();
});

test.each([
  ["on another port", { ...CLAIMS, at: "http://localhost:3398" }],
  ["under another name", { ...CLAIMS, at: "https://us.example.com" }],
  ["before that was kept", CLAIMS],
])("rejects a session opened %s, even with the same key", async (_name, token) => {
  expect(await claimsAt(OWN, token)).toBeNull();
});

test.each([
  ["http://localhost:3000", "countersign.3000.session"],
  ["http://localhost:3398", "countersign.3398.session"],
  ["https://us.example.com", "__Host-countersign.session"],
])("at %s the cookie is %s, so that installations on one machine keep separate cookies", async (url, name) => {
  expect((await installationAt(url)).getSessionCookie().name).toBe(name);
});
