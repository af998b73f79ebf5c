/** A2: against the real manager, and a run. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { toPlainJson, type Json } from "@/lib/json";
import { findDrift } from "@/lib/mcp/drift";
import { systemClock } from "@/server/clock";
import { computeDigests } from "@/server/mcp/catalog";
import type { Connection } from "@/server/mcp/connection";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { createLocalConnector } from "@/server/mcp/local-connector";
import { createManager, type Manager } from "@/server/mcp/manager";
import { offerFile } from "@/server/mcp/testing/programs";
import { probeIsolation } from "@/server/sandbox/probe";
import { judgeEverything } from "@/bench/adversary/oracle/everything";
import { randomOf, type Random } from "@/bench/adversary/random";
import { SCENARIOS } from "@/bench/adversary/scenarios/all";
import { ask } from "@/bench/adversary/strategies/strategy";
import { work } from "@/bench/adversary/strategies/honest";
import { answer, newWorld, type Violation } from "@/bench/adversary/world";
import { hostileHttp, someReply } from "./hostile-http";

/** Written independently. */
const MOST_BYTES = 262_144;
const MOST_DEPTH = 32;
const LIMITS = { ...DEFAULT_CALL_LIMITS, timeout_ms: 400, total_ms: 400 };
/** Beyond every limit of the manager. */
const PATIENCE_MS = 40_000;

const SHAPES = ["description", "invisible", "schema", "annotations", "added", "removed", "renamed"] as const;
const MISDEEDS = ["oversized", "deep", "nul", "proto", "slow", "crash", "flood", "malformed", "taint", "environment"] as const;

export type Siege = { readonly n: number; readonly answers: number; readonly violations: readonly Violation[] };

type Blame = (property: string, what: string) => void;

const intoRun = (result: Json, random: Random, blame: Blame): void => {
  const scenario = random.some(SCENARIOS.filter(({ published }) => published.graph.start_node === "fetch")) ?? SCENARIOS[0];
  const world = newWorld(scenario);
  ask(world, "docs", "read", { topic: "plans" });
  answer(world, result);
  for (let step = 0; step < 4; step += 1) work(world, random);
  for (const { property, what } of judgeEverything(world)) blame(property, what);
};

const within = async <T>(promise: Promise<T>): Promise<T | "hangs"> => {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<"hangs">((resolve) => {
    timer = setTimeout(() => resolve("hangs"), PATIENCE_MS);
  });

  return Promise.race([promise, patience]).finally(() => clearTimeout(timer));
};

/** Bounded plain JSON, or an error in our words. */
const called = async (
  connection: Connection,
  tool: string,
  args: { readonly [name: string]: Json },
  random: Random,
  blame: Blame,
): Promise<void> => {
  const outcome = await within(
    connection.call({ tool, arguments: args, meta: {}, limits: LIMITS }, AbortSignal.timeout(PATIENCE_MS)).catch(() => null),
  );
  if (outcome === "hangs") return blame("M3", `a call of ${tool} never ended`);
  if (outcome === null) return blame("M3", `a call of ${tool} threw`);
  const plain = toPlainJson(outcome.result, { maxBytes: MOST_BYTES, maxDepth: MOST_DEPTH });
  if (!plain.ok) blame("M1", `an answer of ${tool} is out of bounds: ${plain.error}`);
  if (JSON.stringify(outcome.result).includes(String.raw`\u0000`)) blame("M1", "an answer has a NUL character");
  if (outcome.status !== "ok" && outcome.status !== "tool_error") blame("M1", "an answer is neither one nor an error");
  intoRun(outcome.result, random, blame);

  return undefined;
};

const drifts = async (connection: Connection, pins: ReadonlyMap<string, string>, fresh: boolean): Promise<boolean> => {
  const catalog = await connection.catalog({ fresh }).catch(() => null);

  return catalog === null || findDrift(pins, computeDigests(catalog)).length > 0;
};

const stdioEpisode = async (manager: Manager, home: string, index: number, random: Random, blame: Blame): Promise<number> => {
  const at = { home, root: process.cwd() };
  const manifest = await offerFile(at, "hostile", path.resolve("server/mcp/testing/rug-pull.ts"));
  const open = async () => manager.open({ workspace: "w", server: `s${index}`, transport: { type: "stdio", manifest } });
  const pins = computeDigests(await (await open()).catalog({ fresh: true }));
  const answers = 2 + random.int(3);
  for (let call = 0; call < answers; call += 1)
    await called(await open(), "misbehave", { how: random.some(MISDEEDS) ?? "taint" }, random, blame);
  const healthy = await open();
  const echo = await healthy
    .call({ tool: "echo", arguments: { text: "after" }, meta: {}, limits: LIMITS }, AbortSignal.timeout(PATIENCE_MS))
    .catch(() => null);
  if (echo?.status !== "ok") blame("M3", "an honest call after a bad answer did not get through");
  if (await drifts(healthy, pins, true)) blame("M2", "tools that are the reviewed ones count as others");
  const announce = random.chance(0.5);
  const shape = random.pick(SHAPES);
  await healthy
    .call({ tool: "become", arguments: { shape, announce }, meta: {}, limits: LIMITS }, AbortSignal.timeout(PATIENCE_MS))
    .catch(() => null);
  // Announced changes are checked at once, others before an approved effect.
  if (!(await drifts(healthy, pins, !announce))) blame("M2", `the change ${shape} went unnoticed`);
  await manager.evict("w", `s${index}`);

  return answers + 2;
};

const httpEpisode = async (home: string, random: Random, blame: Blame): Promise<number> => {
  const server = await hostileHttp();
  const manager = managerIn(home, [server.origin]);
  const reply = someReply(random);
  server.behave(reply, random.pick(["tools/call", "tools/call", "initialize", "nothing"]));
  try {
    const opened = await within(
      manager.open({ workspace: "w", server: "h", transport: { type: "http", url: `${server.origin}/mcp` } }).catch(() => null),
    );
    if (opened === "hangs") blame("M3", `a server that answers ${reply} is waited for without end`);
    else if (opened) {
      await within(opened.catalog({ fresh: true }).catch(() => null));
      await called(opened, "echo", { text: "x" }, random, blame);
    }
    if (server.asked() > 0) blame("M4", `${reply}: contacted an address that is not allowed`);
  } finally {
    server.close();
    await within(manager.close());
  }

  return 1;
};

const managerIn = (home: string, allowOrigins: readonly string[]): Manager => {
  const installation = { home, root: process.cwd() };

  return createManager({
    installation,
    environments: { customers: () => ({}) },
    secrets: { open: async () => null, version: async () => ({ text: "", scope: null }) },
    isDemo: async () => false,
    connector: createLocalConnector({
      installation,
      scratch: path.join(home, "scratch"),
      egress: { allowOrigins },
      clock: systemClock,
      isolation: () => probeIsolation(process.cwd(), home),
      sandboxLevel: "available",
    }),
  });
};

/** @param n episodes, half over stdio; run in the project's folder */
export const besiege = async (n: number, seed: number, say: (done: number) => void = () => undefined): Promise<Siege> => {
  const violations: Violation[] = [];
  const folder = path.resolve("node_modules/.cache/countersign-adversary-servers");
  await mkdir(folder, { recursive: true });
  const home = await mkdtemp(path.join(folder, "home-"));
  const manager = managerIn(home, []);
  let answers = 0;
  try {
    for (let index = 0; index < n; index += 1) {
      const random = randomOf(seed + index);
      const blame: Blame = (property, what) => violations.push({ property, what: `seed ${seed + index}: ${what}` });
      answers += index % 2 === 0 ? await stdioEpisode(manager, home, index, random, blame) : await httpEpisode(home, random, blame);
      say(index + 1);
    }
  } finally {
    await manager.close();
    await rm(home, { recursive: true, force: true });
  }

  return { n, answers, violations };
};
