import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { SignedIn } from "@/server/auth/signed-in";
import { handleTrpc } from "./handler";
import type { RequestContext } from "./init";

vi.stubEnv("NEXTAUTH_URL", "http://localhost:4000");
vi.stubEnv("LOG_LEVEL", "silent");

const contextWith = (signedIn: () => Promise<SignedIn | null>): RequestContext => ({
  requestId: "request-1",
  address: "test",
  host: "localhost:4000",
  signedIn,
});

const anonymous = contextWith(async () => null);

const post = (path: string, body: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://localhost:4000/api/trpc/${path}`, {
    method: "POST",
    body,
    headers: { origin: "http://localhost:4000", "content-type": "application/json", ...headers },
  });

const get = (path: string): Request => new Request(`http://localhost:4000/api/trpc/${path}`);

const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    data: z.strictObject({
      code: z.string(),
      refusal: z.null(),
      requestId: z.literal("request-1"),
      httpStatus: z.number(),
      issues: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  }),
});

const failureOf = async (response: Response) => ({ status: response.status, ...errorSchema.parse(await response.json()).error });

describe("the tRPC handler", () => {
  test("answers null without a session, uncacheable", async () => {
    const response = await handleTrpc(get("session.current"), anonymous);

    expect(await response.json()).toEqual({ result: { data: null } });
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("requires sign-in, with a code and the request id", async () => {
    expect(await failureOf(await handleTrpc(get("session.trustAnchor"), anonymous))).toMatchObject({
      status: 401,
      data: { code: "unauthenticated" },
    });
  });

  test("reports an unavailable database with 503, without details", async () => {
    const gone = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
    const response = await handleTrpc(
      get("session.trustAnchor"),
      contextWith(() => Promise.reject(gone)),
    );

    expect(await failureOf(response)).toMatchObject({
      status: 503,
      message: "The database is not responding. Try again in a moment.",
      data: { code: "database_unreachable" },
    });
  });

  test("reveals only the request id of a fault", async () => {
    const broken = contextWith(() => Promise.reject(new Error("password=hunter2 at 10.0.0.7")));
    const response = await handleTrpc(get("session.trustAnchor"), broken);
    const text = await response.clone().text();

    expect(await failureOf(response)).toMatchObject({
      status: 500,
      data: { code: "internal" },
      message: "Something went wrong on our side.",
    });
    expect(text).not.toMatch(/hunter2|10\.0\.0\.7|stack|\.ts/);
  });

  test("rejects a cross-origin mutation before reading it", async () => {
    const request = post("setup.createDemo", "{}", { origin: "https://evil.example" });

    expect(await failureOf(await handleTrpc(request, anonymous))).toMatchObject({ status: 403, data: { code: "forbidden" } });
    expect(request.bodyUsed).toBe(false);
  });

  test("rejects a form-compatible mutation", async () => {
    const request = post("setup.createDemo", "{}", { "content-type": "text/plain" });

    expect(await failureOf(await handleTrpc(request, anonymous))).toMatchObject({ status: 400, data: { code: "bad_request" } });
  });

  test("rejects a mutation by GET", async () => {
    expect(await failureOf(await handleTrpc(get("setup.createDemo"), anonymous))).toMatchObject({
      status: 400,
      data: { code: "bad_request" },
    });
  });

  test("rejects a body above 1 MiB", async () => {
    const request = post("setup.createAdmin", JSON.stringify({ name: "x".repeat(1024 * 1024) }));

    expect(await failureOf(await handleTrpc(request, anonymous))).toMatchObject({ status: 400, message: "The body is larger than 1 MiB." });
  });

  test("names invalid fields without their values", async () => {
    const response = await handleTrpc(
      post("setup.createAdmin", JSON.stringify({ token: "t", email: "SECRET-VALUE", password: "SECRET-VALUE" })),
      anonymous,
    );
    const text = await response.clone().text();
    const { data, status } = await failureOf(response);

    expect(status).toBe(400);
    expect(data.issues.map(({ path }) => path)).toEqual(expect.arrayContaining(["name", "email", "workspaceName"]));
    expect(text).not.toContain("SECRET-VALUE");
  });

  test("rejects unknown procedures", async () => {
    expect(await failureOf(await handleTrpc(get("no.such"), anonymous))).toMatchObject({ status: 404, data: { code: "not_found" } });
  });
});
