import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { callerAs } from "@/server/testing/caller";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    // Callers throw tRPC's wrapper.
    const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;

    return cause instanceof AppError ? cause.code : String(error);
  }

  return "ok";
};

test("limits a person's live views to 32 without affecting others; closing one makes room", async () => {
  const person = callerAs(desk.workspace, "viewer");
  const openFor = async (caller: typeof person) => {
    const stream = (await caller.runs.live({ runIds: [run] }))[Symbol.asyncIterator]();
    const first = await codeOf(stream.next());

    return { stream, first };
  };
  const views = [];
  for (let opened = 0; opened < 33; opened += 1) views.push(await openFor(person));
  const other = await openFor(callerAs(desk.workspace, "viewer"));
  expect(views.map(({ first }) => first)).toEqual([...Array.from({ length: 32 }, () => "ok"), "rate_limited"]);
  expect(other.first).toBe("ok");

  await views[0]?.stream.return?.();
  await vi.waitFor(async () => expect((await openFor(person)).first).toBe("ok"));
  for (const { stream } of [...views, other]) void stream.return?.();
});

test("limits a person's mutations to 300 per minute, not queries", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const person = callerAs(desk.workspace, "builder");
  const change = () => person.session.end({ sessionId: randomUUID() });
  const codes = new Set<string>();
  for (let made = 0; made < 300; made += 1) codes.add(await codeOf(change()));
  expect(codes).toEqual(new Set(["not_found"]));
  expect(await codeOf(person.graphs.create({ name: "One more" }))).toBe("rate_limited");
  expect(await codeOf(person.graphs.list())).toBe("ok");
  expect(await codeOf(callerAs(desk.workspace, "builder").graphs.create({ name: "One more" }))).toBe("ok");
  vi.setSystemTime(Date.now() + 60_000);
  expect(await codeOf(change())).toBe("not_found");
  vi.useRealTimers();
});
