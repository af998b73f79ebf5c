import net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useDatabase } from "@/server/db/client";
import { decideCommands } from "@/server/runner/commands";
import { openRun } from "@/server/runner/open-run";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

/** Longer than the commit timeout. */
const PATIENCE_MS = 30_000;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const relayTo = async (port: number) => {
  let isSilent = false;
  const server = net.createServer((client) => {
    const database = net.connect(port, "127.0.0.1");
    client.pipe(database);
    database.on("data", (chunk) => void (isSilent || client.write(chunk)));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");

  return { port: address.port, silence: () => (isSilent = true), close: () => server.close() };
};

it(
  "an unanswered commit fails, its unstored state is dropped, and the next runner continues",
  async () => {
    const runId = await startRun(desk, "honest", "02-outage-credit.txt");
    const direct = new URL(urls.runner);
    const relay = await relayTo(Number(direct.port));
    const relayed = new URL(urls.runner);
    relayed.port = String(relay.port);
    try {
      await useDatabase(relayed.href);
      const opened = await openRun(desk.deps, desk.workspace, runId);
      if (!opened) throw new Error("the run was not opened");
      const { session, lease } = opened;
      await decideCommands(desk.deps, session);
      lease.end();
      relay.silence();
      const begin = { principal: { type: "engine", epoch: session.epoch }, body: { kind: "begin" } } as const;
      await expect(session.submit(begin)).rejects.toThrow(/timeout/iu);
      expect(session.ended.aborted).toBe(true);
    } finally {
      relay.close();
      await useDatabase(urls.runner);
    }
    await query(urls.admin, "update run set lease_until = null where id = $1", [runId]);
    await drive(desk, runId);
    expect((await readRun(desk, runId)).state.status).toBe("waiting");
  },
  PATIENCE_MS + 30_000,
);
