import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "@/bin/postgres/cluster";
import { ROOT } from "@/bin/start/settings";
import { inTemporaryFolder, runStart } from "@/bin/testing";

test("serves pages, restarts the runner after a change, and ends everything it started", { timeout: 240_000 }, () =>
  inTemporaryFolder(async (home) => {
    const port = await freePort();
    const dev = runStart({ COUNTERSIGN_HOME: home, PORT: String(port) }, [], "dev.mjs");
    await dev.seen(/reloads on changes/u);
    const page = await fetch(`http://localhost:${port}/sign-in`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Sign in")]);
    const now = new Date();
    fs.utimesSync(path.join(ROOT, "server", "runner", "main.ts"), now, now);
    await dev.seen(/Runner restarted/u);
    dev.child.kill("SIGTERM");
    expect((await dev.finished).code).toBe(0);
    await expect(fetch(`http://localhost:${port}/sign-in`)).rejects.toThrow("fetch failed");
  }),
);
