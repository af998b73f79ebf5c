import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "@/server/testing/database";
import { handleRequests, renderAwayPage } from "@/server/web/answering";

const urls = await testDatabase("web");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const answers = async (url: string): Promise<boolean> => {
  vi.stubEnv("DATABASE_URL", url);
  const { isDatabaseAnswering: databaseAnswers } = await import("@/server/store/ledger/answers");

  return databaseAnswers(performance.now());
};

const changed = (change: Partial<Pick<URL, "port" | "password">>): string => Object.assign(new URL(urls.web), change).toString();

test("an answering database counts even if it refuses us; a closed port does not", async () => {
  expect(await answers(urls.web)).toBe(true);
  vi.resetModules();
  expect(await answers(changed({ password: "wrong" }))).toBe(true);
  vi.resetModules();
  expect(await answers(changed({ port: "1" }))).toBe(false);
});

test("caches an answer for a quarter of a second", async () => {
  vi.stubEnv("DATABASE_URL", changed({ port: "1" }));
  const { isDatabaseAnswering: databaseAnswers } = await import("@/server/store/ledger/answers");
  const first = databaseAnswers(0);

  expect(databaseAnswers(250)).toBe(first);
  expect(databaseAnswers(251)).not.toBe(first);
  expect(await first).toBe(false);
});

test("a handler failing for lack of a database answers 503 with one sentence; other faults stay faults", async () => {
  const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const response = await handleRequests(() => Promise.reject(new Error("a query failed", { cause: gone })))();

  expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
    503,
    "5",
    { error: { code: "database_unreachable", message: "The database is not responding. Try again in a moment." } },
  ]);
  await expect(handleRequests(() => Promise.reject(new Error("a fault of ours")))()).rejects.toThrow("a fault of ours");
  expect([renderAwayPage().status, await renderAwayPage().text()]).toEqual([
    503,
    expect.stringContaining("The database is not responding."),
  ]);
});
