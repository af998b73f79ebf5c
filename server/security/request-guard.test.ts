import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { guardMutation, measureJsonDepth, MAX_BODY_BYTES, MAX_JSON_DEPTH, readBody } from "./request-guard";

vi.stubEnv("NEXTAUTH_URL", "https://countersign.example");
vi.stubEnv("COUNTERSIGN_LOOPBACK", "1");
vi.stubEnv("PORT", "4000");

const headersOf = (origin: string | null, contentType = "application/json"): Headers =>
  new Headers({ ...(origin ? { origin } : {}), ...(contentType ? { "content-type": contentType } : {}) });

const streamOf = (...parts: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe("a mutation", () => {
  test.each(["https://countersign.example", "http://localhost:4000", "http://127.0.0.1:4000"])("is accepted from %s", (origin) => {
    expect(() => guardMutation(headersOf(origin))).not.toThrow();
  });

  test.each([
    null,
    "null",
    "https://evil.example",
    "http://localhost:4001",
    "https://countersign.example.evil.net",
    "http://countersign.example",
  ])("is refused from the origin %s", (origin) => {
    expect(() => guardMutation(headersOf(origin))).toThrow("another origin");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""])(
    "is refused with the form content type '%s'",
    (contentType) => {
      expect(() => guardMutation(headersOf("http://localhost:4000", contentType))).toThrow("application/json");
    },
  );
});

describe("a body", () => {
  test("is given up beyond 1 MiB, whatever length was declared", async () => {
    await expect(readBody(streamOf(new Uint8Array(MAX_BODY_BYTES), new Uint8Array(1)))).rejects.toThrow("1 MiB");
  });

  test("of exactly 1 MiB is read", async () => {
    expect((await readBody(streamOf(new Uint8Array(MAX_BODY_BYTES).fill(32)))).length).toBe(MAX_BODY_BYTES);
  });

  test("nested too deeply is refused", async () => {
    const text = "[".repeat(MAX_JSON_DEPTH + 1) + "]".repeat(MAX_JSON_DEPTH + 1);

    await expect(readBody(streamOf(new TextEncoder().encode(text)))).rejects.toThrow("nested");
  });

  test("has the depth that parsing finds", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(measureJsonDepth(text)).toBe(depthOf(JSON.parse(text)));
      }),
    );
  });
});
