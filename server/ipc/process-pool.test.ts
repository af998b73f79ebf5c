/** Real processes that echo, hang, crash and break the protocol. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundlePrograms } from "@/bin/bundle";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "@/server/sandbox/system-files";
import { NO_NETWORK, type SandboxPolicy } from "@/server/sandbox/policy";
import { probeIsolation } from "@/server/sandbox/probe";
import { PeerLost, RemoteFailure } from "./errors";
import { createProcessPool, POOL_TIMES, type PoolOptions, type ProcessPool } from "./process-pool";
import { spawnWithChannel } from "./spawn";
import { childProtocol, parentProtocol } from "./testing/protocol";

type Options = PoolOptions<typeof parentProtocol, typeof childProtocol>;
type Pool = ProcessPool<typeof childProtocol>;

const root = process.cwd();
let folder = "";
let pools: Pool[] = [];

beforeAll(async () => {
  folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "countersign-pool-")));
  await fs.symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await bundlePrograms({ root, outdir: folder, entries: { child: "./server/ipc/testing/child.ts" } });
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});
afterAll(() => fs.rm(folder, { recursive: true }));

const createPool = (options: Partial<Options> = {}, sandbox: SandboxPolicy | null = null): Pool =>
  createProcessPool<typeof parentProtocol, typeof childProtocol>({
    name: "echo",
    start: () => spawnWithChannel({ root, args: [path.join(folder, "child.mjs")], env: { GIVEN: "1" }, sandbox }),
    serves: parentProtocol,
    handlersFor: (key) => ({ greet: async (text) => `${key} says ${text}` }),
    calls: childProtocol,
    maxProcesses: 4,
    ...options,
  });

const openPool = (...given: Parameters<typeof createPool>): Pool => {
  const pool = createPool(...given);
  pools.push(pool);

  return pool;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);

    return true;
  } catch {
    return false;
  }
};

const pidOf = async (pool: Pool, key: string): Promise<number> => (await pool.use(key, (peer) => peer.call("environment", null))).pid;

describe("a pool of processes", () => {
  it("has one process per key, with that key's handlers", async () => {
    const pool = openPool();
    const say = (key: string) => pool.use(key, (peer) => peer.call("relay", "hello"));
    expect(await Promise.all([say("a"), say("b"), say("a")])).toEqual(["a says hello", "b says hello", "a says hello"]);
    expect(pool.pids()).toHaveLength(2);
  });

  it("gives a process only its own variables", async () => {
    const pool = openPool();
    const { names } = await pool.use("a", (peer) => peer.call("environment", null));
    expect(names).toEqual(["GIVEN", "NODE_ENV"]);
  });

  it("passes failures with their code", async () => {
    const pool = openPool();
    const failure = await pool.use("a", (peer) => peer.call("fail", "some_code")).catch((error: unknown) => error);
    expect(failure).toEqual(new RemoteFailure("some_code", "asked to fail", { code: "some_code" }));
  });

  it("ends idle processes, the longest idle first when full", async () => {
    const pool = openPool({ maxProcesses: 2 });
    const [a, b] = [await pidOf(pool, "a"), await pidOf(pool, "b")];
    await pidOf(pool, "a");
    await pidOf(pool, "c");
    await expect.poll(() => isAlive(b)).toBe(false);
    expect(await pidOf(pool, "a")).toBe(a);

    const short = openPool({ times: { ...POOL_TIMES, idleMs: 50 } });
    const idle = await pidOf(short, "a");
    await expect.poll(() => isAlive(idle)).toBe(false);
  });

  it("waits for a place while all processes are in use", async () => {
    const pool = openPool({ maxProcesses: 1 });
    const controller = new AbortController();
    const first = pool.use("a", (peer) => peer.call("wait", null, controller.signal)).catch(() => "given up");
    await expect.poll(() => pool.pids().length).toBe(1);
    const second = pool.use("b", (peer) => peer.call("echo", "at last"));
    controller.abort(new Error("given up"));
    expect(await Promise.all([first, second])).toEqual(["given up", "at last"]);
  });

  it("keeps a spare process for the next key", async () => {
    const pool = openPool({ hasSpare: true });
    await pidOf(pool, "a");
    expect(await pool.use("b", (peer) => peer.call("relay", "hello"))).toBe("b says hello");
  });

  it("ends every process when closed, spares included", async () => {
    const pool = openPool({ hasSpare: true });
    const pid = await pidOf(pool, "a");
    await pool.close();
    expect(isAlive(pid)).toBe(false);
    await expect(pool.use("a", (peer) => peer.call("echo", ""))).rejects.toThrow(PeerLost);
  });

  it("works with sandboxed processes", async (context) => {
    const scratch = path.join(folder, "scratch");
    context.skip((await probeIsolation(root, scratch)).holds.length === 0, "no sandbox on this machine");
    const read = [...SYSTEM_READ, folder, root];
    const execute = [...SYSTEM_EXECUTE, process.execPath];
    const policy = { read, execute, write: SYSTEM_WRITE, network: NO_NETWORK, processes: false, limits: null, capabilities: false };
    expect(await openPool({}, policy).use("a", (peer) => peer.call("relay", "hello"))).toBe("a says hello");
  });
});

describe("a process that misbehaves", () => {
  let pool: Pool;
  beforeAll(() => {
    pool = createPool({ times: { ...POOL_TIMES, pingEveryMs: 50, silentMs: 1_500 } });
  });
  afterAll(() => pool.close());

  it.each(["crash", "garbage", "huge", "unasked", "hang"] as const)(
    "ends the process and its key's calls on %s, and starts another",
    async (how) => {
      const neighbour = await pidOf(pool, "b");
      const before = await pidOf(pool, "a");
      const beside = pool.use("a", (peer) => peer.call("wait", null)).catch((error: unknown) => error);
      await expect(pool.use("a", (peer) => peer.call("misbehave", how))).rejects.toThrow(PeerLost);
      expect(await beside).toBeInstanceOf(PeerLost);
      expect(await pool.use("a", (peer) => peer.call("echo", "again"))).toBe("again");
      await expect.poll(() => isAlive(before)).toBe(false);
      expect(await pidOf(pool, "b")).toBe(neighbour);
    },
  );
});
