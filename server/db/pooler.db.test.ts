import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "@/bin/postgres/cluster";
import { testDatabase } from "@/server/testing/database";
import { detectPooling } from "./pooler";
import { startTransactionPooler } from "./testing/transaction-pooler";

const urls = await testDatabase("runner");

it("a connection to Postgres keeps its session", async () => {
  expect(await detectPooling(urls.runner)).toEqual({ mode: "session", pooler: null });
});

it.each(["newest", "oldest"] as const)("finds a pooler in transaction mode that hands out the %s connection", async (order) => {
  const pooler = await startTransactionPooler(urls.runner, order);
  try {
    expect(await detectPooling(pooler.url)).toEqual({ mode: "transaction", pooler: null });
  } finally {
    await pooler.close();
  }
});

const hasPgBouncer = (): boolean => {
  try {
    return execFileSync("pgbouncer", ["--version"]).includes("PgBouncer");
  } catch {
    return false;
  }
};

const NOBODY = 65_534;

const withPgBouncer = async (settings: string, work: (url: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "countersign-pgbouncer-"));
  const { hostname, port, pathname, username, password } = new URL(urls.runner);
  const own = await freePort();
  const to = `host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'`;
  writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    `[databases]\n${pathname.slice(1)} = ${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any\n${settings}\n`,
  );
  chmodSync(folder, 0o755);
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn("pgbouncer", [path.join(folder, "pgbouncer.ini")], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("close", () => reject(new Error("PgBouncer ended")));
      child.stderr.on("data", (line: Buffer) => (line.includes("process up") ? resolve() : undefined));
    });
    const url = new URL(urls.runner);
    url.port = String(own);
    await work(url.toString());
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
};

describe.skipIf(!hasPgBouncer())("PgBouncer", () => {
  it.each(["pool_mode = transaction", "pool_mode = transaction\nserver_round_robin = 1", "pool_mode = transaction\ndefault_pool_size = 1"])(
    "is named, with %s",
    (settings) =>
      withPgBouncer(settings, async (url) => {
        expect(await detectPooling(url)).toEqual({ mode: "transaction", pooler: "PgBouncer" });
      }),
  );

  it("in session mode is no fault", () =>
    withPgBouncer("pool_mode = session", async (url) => {
      expect(await detectPooling(url)).toEqual({ mode: "session", pooler: "PgBouncer" });
    }));
});
