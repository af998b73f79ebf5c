/** Acts as the worker's control plane. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import koffi from "koffi";
import { bundlePrograms } from "@/bin/bundle";
import { ensureHome } from "@/bin/start/home";
import type { Isolation } from "@/lib/mcp/isolation";
import { WorkerLost, type ExecutorOutcome, type Gateways } from "@/server/executors/contract";
import { findNode, stageInput } from "@/server/executors/testing/stage";
import { POOL_TIMES } from "@/server/ipc/process-pool";
import { command, openDesk, type Desk } from "@/server/runner/testing/desk";
import { customersOf, drive, readRun } from "@/server/runner/testing/run";
import { probeIsolation } from "@/server/sandbox/probe";
import type { TestDatabase } from "@/server/testing/database";
import { createWorkerPool, type WorkerPool } from "@/server/worker/pool";
import { startWorker, createWorkerSandbox } from "@/server/worker/start";
import { MARK, type Targets } from "./attacks";

/** Null: its channel closed first. */
export type Said = { readonly done?: string; readonly failed?: string } | null;

export type Facts = {
  readonly holdsSecret: (text: string) => boolean;
  readonly arrived: number;
  readonly isVictimAlive: boolean;
  readonly isChanged: boolean;
  readonly foreignCalls: number;
  readonly blockedMs: number;
  /** A customer, or memory closed to its node, changed. */
  readonly isRunChanged: boolean;
};

export type Stand = {
  readonly isolation: Isolation;
  readonly play: (attack: string, isRun: boolean) => Promise<{ readonly said: Said; readonly facts: Facts }>;
  readonly close: () => Promise<void>;
};

const NODE = findNode({ kind: "tool", config: { server: "s", tool: "t", arguments: {} } });
const F_SETFD = 2;
const never = new AbortController().signal;

const unused = (): Promise<never> => Promise.reject(new Error("no gateway of this kind"));

const gatewaysWith = (call: Gateways["tools"]["call"]): Gateways => ({
  tools: { call },
  models: { generate: unused },
  actions: { propose: async () => ({ status: "ok" }) },
  tasks: { failed: async () => undefined },
  verdicts: { given: async () => ({ status: "ok" }) },
});

const slowly: Gateways["tools"]["call"] = async () => {
  await wait(1_000);

  return { status: "ok", result: null };
};

const leakDescriptor = (file: string): number => {
  const fd = fs.openSync(file, "r");
  const fcntl = koffi.load(null).func("fcntl", "int", ["int", "int", "int"]) as (fd: number, command: number, flags: number) => number;
  fcntl(fd, F_SETFD, 0);

  return fd;
};

const openService = async (folder: string) => {
  const arrivals = { count: 0 };
  const socket = path.join(folder, "s");
  const server = net.createServer((client) => {
    arrivals.count += 1;
    client.on("error", () => undefined).resume();
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));

  return { arrivals, socket, close: () => server.close() };
};

const makeHome = async (root: string) => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-worker-rung-"));
  const home = path.join(folder, "home");
  ensureHome(home);
  const build = path.join(home, "build");
  fs.symlinkSync(path.join(root, "node_modules"), path.join(build, "node_modules"));
  await bundlePrograms({ root, outdir: build, entries: { worker: "./bench/adversary/rungs/worker/hostile.ts" } });
  const password = randomBytes(16).toString("hex");
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify({ admin: password }), { mode: 0o600 });

  return { folder, home, password };
};

const saidOf = (outcome: ExecutorOutcome): Said =>
  outcome.type === "failure" && outcome.code === "attack_end" ? (JSON.parse(outcome.detail) as Said) : { done: outcome.type };

const startRun = async (desk: Desk, goal: string): Promise<string> => {
  const run = randomUUID();
  await command(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal,
    constraints: [],
    inputs: { mail_file: "01-upgrade.txt" },
    model: "scripted:honest",
  });

  return run;
};

/** @param isSandboxed false: shows the launcher's effect */
export const makeStand = async (urls: TestDatabase, isSandboxed: boolean): Promise<Stand> => {
  const root = process.cwd();
  const { folder, home, password } = await makeHome(root);
  const key = (name: string): string => fs.readFileSync(path.join(home, "keys", name), "utf8").trim();
  const secrets = [password, ...["signing.key", "session.key", "vault.key", "postgres.key"].map(key), "PATH="];
  const desk = await openDesk(urls, { home, root }, { pem: key("signing.key"), vault: key("vault.key") });
  const service = await openService(folder);
  const leaked = leakDescriptor(path.join(home, "keys", "signing.key"));
  const isolation = await probeIsolation(root, path.join(home, "scratch"));
  const place = { root, home, program: path.join(home, "build", "worker.mjs") };
  const bundle = fs.readFileSync(place.program, "utf8");
  const planted = [path.join(root, "node_modules", ".worker-taken"), path.join(os.tmpdir(), "worker-taken")];
  const sandbox = createWorkerSandbox(place, null, isSandboxed);

  const pool = createWorkerPool({
    start: () => startWorker(place, {}, sandbox),
    maxProcesses: 4,
    times: { ...POOL_TIMES, pingEveryMs: 100, silentMs: 3_000 },
  });

  const targetsFor = (victim: ChildProcess, foreign: string): Targets => ({
    home,
    root,
    socket: service.socket,
    runner: process.pid,
    victim: victim.pid ?? 0,
    database: Number(new URL(urls.admin).port),
    foreign,
  });

  const holdForeign = async (goalOf: (attack: string) => string) => {
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    let calls = 0;
    const call: Gateways["tools"]["call"] = async () => {
      calls += 1;
      begun.resolve();
      await over.promise;

      return { status: "ok", result: null };
    };
    const execute = (attack: string) =>
      pool.execute(
        { kind: "node", input: stageInput(NODE, {}, [], { workspace: "other", goal: goalOf(attack) }) },
        gatewaysWith(call),
        never,
      );
    const held = execute("wait");
    await begun.promise;
    const said = saidOf(await execute("tell the execution before"));

    return {
      id: said?.done ?? "",
      calls: () => calls - 1,
      end: async () => {
        over.resolve();
        await held.catch(() => undefined);
      },
    };
  };

  const playAlone = async (goal: string): Promise<Said> => {
    let isOver = false;
    const once = async (): Promise<Said> => {
      const work = { kind: "node", input: stageInput(NODE, {}, [], { workspace: "own", goal }) } as const;
      try {
        return saidOf(await pool.execute(work, gatewaysWith(slowly), never));
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        isOver = true;

        return null;
      }
    };
    const first = await once();

    return isOver ? null : goal.includes("has ended") ? once() : first;
  };

  const playRun = async (goal: string) => {
    const ends: Said[] = [];
    const execute: WorkerPool["execute"] = async (work, gateways, signal) => {
      const outcome = await pool.execute(work, gateways, signal);
      ends.push(saidOf(outcome));

      return outcome;
    };
    const attacked: Desk = { ...desk, deps: { ...desk.deps, execute } };
    const before = await customersOf(desk);
    const run = await startRun(attacked, goal);
    await drive(attacked, run);
    const { state } = await readRun(attacked, run);
    const isRunChanged = JSON.stringify(state).includes(MARK) || JSON.stringify(await customersOf(desk)) !== JSON.stringify(before);

    return { said: ends[0] ?? null, isRunChanged };
  };

  return {
    isolation,
    play: async (attack, isRun) => {
      service.arrivals.count = 0;
      const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      const lag = monitorEventLoopDelay({ resolution: 20 });
      try {
        const goalFor = (foreign: string) => (name: string) => JSON.stringify({ attack: name, targets: targetsFor(victim, foreign) });
        const foreign = attack.includes("another workspace") ? await holdForeign(goalFor("")) : null;
        lag.enable();
        const goal = goalFor(foreign?.id ?? "")(attack);
        const { said, isRunChanged } = isRun ? await playRun(goal) : { said: await playAlone(goal), isRunChanged: false };
        lag.disable();
        const foreignCalls = foreign?.calls() ?? 0;
        await foreign?.end();

        return {
          said,
          facts: {
            holdsSecret: (text) => secrets.some((secret) => text.includes(secret)),
            arrived: service.arrivals.count,
            isVictimAlive: victim.exitCode === null && victim.signalCode === null,
            isChanged: planted.some((file) => fs.existsSync(file)) || fs.readFileSync(place.program, "utf8") !== bundle,
            foreignCalls,
            blockedMs: lag.max / 1_000_000,
            isRunChanged,
          },
        };
      } finally {
        victim.kill("SIGKILL");
        for (const file of planted) fs.rmSync(file, { force: true });
        fs.writeFileSync(place.program, bundle);
      }
    },
    close: async () => {
      await pool.close();
      fs.closeSync(leaked);
      service.close();
      await desk.mcp.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
