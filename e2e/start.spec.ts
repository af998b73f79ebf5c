import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { freePort } from "../bin/postgres/cluster.ts";
import { runStart } from "../bin/testing.ts";
import { test } from "./listening.ts";

const readyTimeoutMs = 60_000;

/** By command line or environment. */
const processesOf = (folder: string): string[] =>
  execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(folder));

test("npm start becomes healthy, stops cleanly on Ctrl-C, and restarts in seconds, also after kill -9", async () => {
  test.setTimeout(4 * readyTimeoutMs);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-start-"));
  const port = await freePort();
  const env = { COUNTERSIGN_HOME: home, PORT: String(port) };

  // As root, the database runs as another user.
  fs.chmodSync(home, 0o711);
  try {
    const first = runStart(env);

    await first.seen(/Countersign runs at http:\/\/localhost:\d+/u);
    const link = await first.seen(/http:\/\/localhost:\d+\/setup\?token=[\w-]{43}/u);
    const health = await fetch(`http://localhost:${port}/api/health`);

    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({ web: "ok", runner: "ok", database: "ok" });
    first.child.kill("SIGINT");
    expect((await first.finished).code).toBe(0);
    expect(processesOf(home)).toEqual([]);

    const startedMs = Date.now();
    const second = runStart(env);

    await second.seen(/Countersign runs at/u);
    expect(Date.now() - startedMs).toBeLessThan(20_000);
    // Each start voids the old link until there is an admin.
    expect(await second.seen(/\/setup\?token=[\w-]{43}/u)).not.toBe(new URL(link).pathname + new URL(link).search);
    second.child.kill("SIGKILL");
    await second.finished;

    const third = runStart(env);

    await third.seen(/Countersign runs at/u);
    third.child.kill("SIGTERM");
    expect((await third.finished).code).toBe(0);
    // Leftovers end after a ten-second grace.
    await expect.poll(() => processesOf(home), { timeout: 20_000 }).toEqual([]);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
});
