import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { placeFor } from "./temporary.ts";

test("stops with a process killed by -9, and a temporary server removes its folder", async () => {
  const temporary = pathToFileURL(path.join(import.meta.dirname, "temporary.ts")).href;
  const code = `const { temporaryPostgres } = await import(${JSON.stringify(temporary)}); process.stdout.write((await temporaryPostgres()).adminUrl + "\\n");`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve) => owner.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim())));
  const client = new pg.Client({ connectionString: url });

  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
  const folder = path.dirname(rows[0]?.folder ?? "");

  expect(fs.existsSync(folder)).toBe(true);
  owner.kill("SIGKILL");
  await vi.waitFor(() => expect(fs.existsSync(folder)).toBe(false), { timeout: 15_000, interval: 100 });
  await expect(new pg.Client({ connectionString: url }).connect()).rejects.toThrow(/ECONNREFUSED/u);
});

test("keeps in memory only what need not outlive a crash", () => {
  const { bavail, bsize } = fs.statfsSync(fs.existsSync("/dev/shm") ? "/dev/shm" : "/");

  expect(placeFor({ fsync: "off" })).toBe(fs.existsSync("/dev/shm") && bavail * bsize >= 4 * 1024 ** 3 ? "/dev/shm" : os.tmpdir());
  expect(placeFor({ fsync: "on" })).toBe(os.tmpdir());
  expect(placeFor({})).toBe(os.tmpdir());
});
