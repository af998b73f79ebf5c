import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { withClient } from "@/server/db/connect";
import { startEmbedded } from "../start/embedded.ts";
import { ensureHome } from "../start/home.ts";
import { superviseCluster } from "./supervise.ts";

const supervised = async (home: string, backoffMs?: readonly number[]) => {
  ensureHome(home);
  const { adminUrl, cluster, dataDir, restart } = await startEmbedded(home, new AbortController().signal, () => undefined);
  const crashes: string[] = [];
  const givenUp = Promise.withResolvers<string>();
  const pids = [cluster.process.pid];
  const stop = superviseCluster(cluster, {
    restart: async () => {
      const next = await restart();
      pids.push(next.process.pid);

      return next;
    },
    onCrash: (how) => crashes.push(how),
    onGivenUp: givenUp.resolve,
    ...(backoffMs && { backoffMs }),
  });

  return { adminUrl, dataDir, crashes, givenUp: givenUp.promise, pids, stop };
};

const answer = (adminUrl: string): Promise<unknown> =>
  withClient(adminUrl, async (client) => (await client.query<{ n: number }>("select n from kept")).rows).catch(() => null);

test("restarts a killed server on the same port, with its committed rows", { timeout: 90_000 }, () =>
  inTemporaryFolder(async (home) => {
    const { adminUrl, crashes, pids, stop } = await supervised(home);
    await withClient(adminUrl, (client) => client.query("create table kept (n int); insert into kept values (7)"));
    for (const killed of [1, 2]) {
      process.kill(pids.at(-1) ?? 0, "SIGKILL");
      await expect.poll(() => pids.length, { timeout: 30_000 }).toBe(killed + 1);
      await expect.poll(() => answer(adminUrl), { timeout: 10_000 }).toEqual([{ n: 7 }]);
    }
    expect(crashes.filter((how) => how === "it ended with SIGKILL")).toHaveLength(2);
    await stop();
    expect(await answer(adminUrl)).toBeNull();
    expect(pids).toHaveLength(3);
  }),
);

test("gives up a server that fails every start attempt, with the reason", { timeout: 90_000 }, () =>
  inTemporaryFolder(async (home) => {
    const { dataDir, crashes, givenUp, pids, stop } = await supervised(home, [10, 20]);
    fs.renameSync(path.join(dataDir, "global"), path.join(dataDir, "gone"));
    process.kill(pids[0] ?? 0, "SIGKILL");

    expect(await givenUp).toContain("global");
    expect(crashes).toHaveLength(2);
    expect(pids).toHaveLength(1);
    await stop();
  }),
);

test("keeps a server stopped that was stopped while waiting for its next start", { timeout: 60_000 }, () =>
  inTemporaryFolder(async (home) => {
    const { adminUrl, crashes, pids, stop } = await supervised(home, [60_000]);
    process.kill(pids[0] ?? 0, "SIGKILL");
    await expect.poll(() => crashes.length).toBe(1);
    await stop();

    expect(pids).toHaveLength(1);
    expect(await answer(adminUrl)).toBeNull();
  }),
);
