import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Json } from "@/lib/json";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { CommandBody } from "@/lib/engine/proposal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { useDatabase } from "@/server/db/client";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { command } from "@/server/runner/testing/desk";
import { decisionFor, readRun } from "@/server/runner/testing/run";
import { queryOn } from "@/server/testing/connections";
import type { Rung } from "./attack";
import type { GraphName } from "./graphs";
import type { InstallationCopy, Version } from "./installation";
import { until } from "./until";

type Person = keyof InstallationCopy["desk"]["people"];

/** Anything else in a ledger is forged. */
export type Request = { readonly user: string; readonly kind: string; readonly run: string };

export type World = InstallationCopy & {
  readonly rung: Rung;
  /** With the attacker's rights. Denials are thrown, and noted in `denied`. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly asWeb: <T>(work: () => Promise<T>) => Promise<T>;
  readonly denied: string[];
  readonly requests: Request[];
  readonly kept: SignedCheckpoint[];
};

const withSetting = (url: string, setting: string): string => {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c ${setting}`);

  return changed.toString();
};

/** Missing rights and triggers. Other errors are faults of the attack. */
const DENIALS: Readonly<Record<string, string>> = { "42501": "permission_denied", P0001: "refused_by_trigger" };

/** Names a denial, or null. */
export const denialOf = (error: unknown): string | null => {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;

  return typeof code === "string" ? (DENIALS[code] ?? null) : null;
};

/** Triggers and foreign keys do not stop the tables' owner; the web process can name any workspace. */
const attackerUrl = ({ urls, workspace }: InstallationCopy["desk"], rung: Rung): string =>
  rung === "database"
    ? withSetting(urls.admin, "session_replication_role=replica")
    : withSetting(urls.web, `countersign.workspace=${workspace}`);

export const makeWorld = (opened: InstallationCopy, rung: Rung): World => {
  const denied: string[] = [];
  const url = attackerUrl(opened.desk, rung);

  return {
    ...opened,
    rung,
    denied,
    asWeb: async (work) => {
      await useDatabase(opened.desk.urls.web);
      try {
        return await work();
      } finally {
        await useDatabase(opened.desk.urls.runner);
      }
    },
    requests: [],
    kept: [],
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
      try {
        return await queryOn<Row>(url, text, values);
      } catch (error) {
        const denial = denialOf(error);
        if (denial) denied.push(denial);
        throw error;
      }
    },
  };
};

export const notifyRunner = async ({ desk }: World, run: string): Promise<void> => {
  await queryOn(desk.urls.admin, "select pg_notify('countersign_command', $1)", [`${desk.workspace} ${run}`]);
};

/** Through an honest web process. @param agoMs age @returns its id */
export const sendCommand = async (
  world: World,
  user: string,
  run: string,
  body: CommandBody | WorkspaceCommand,
  agoMs = 0,
): Promise<string> => {
  world.requests.push({ user, kind: body.kind, run });
  const { desk } = world;
  const clock = { ...desk.deps.clock, now: () => desk.deps.clock.now() - agoMs };
  const id = await command({ ...desk, deps: { ...desk.deps, clock } }, run, user, body);
  await notifyRunner(world, run);

  return id;
};

/** @returns refusal code, or "accepted" */
export const waitForAnswer = (world: World, id: string): Promise<string> =>
  until("a command is answered", async () => {
    const [row] = await queryOn<{ status: string; code: string | null }>(
      world.desk.urls.admin,
      "select status, outcome #>> '{refusal,code}' as code from command where id = $1",
      [id],
    );

    return row === undefined || row.status === "pending" ? null : (row.code ?? row.status);
  });

/** @returns its id */
export const startRun = async (world: World, graph: GraphName | Version = "charge", by: Person = "starter"): Promise<string> => {
  const run = randomUUID();
  const { hash } = typeof graph === "string" ? world.versions[graph] : graph;
  const inputs: Json = { text: "invoice 7", account: "DE02 1203 0000 0000 2020 51" };
  await sendCommand(world, world.desk.people[by], run, {
    kind: "start",
    graph_hash: hash,
    goal: "Pay",
    constraints: [],
    inputs,
    model: "scripted:honest",
  });

  return run;
};

export type RunRow = {
  readonly status: string;
  readonly version: number;
  readonly head: string;
  readonly frozen: string | null;
};

export const readRunRow = async (world: World, run: string): Promise<RunRow | null> => {
  const [row] = await queryOn<RunRow>(world.desk.urls.admin, "select status, version, head, frozen from run where id = $1", [run]);

  return row ?? null;
};

const ENDS = ["completed", "failed", "cancelled", "timeout"];

const hasEnded = (row: RunRow): boolean => row.frozen !== null || ENDS.includes(row.status);

const isStartRefused = async ({ desk }: World, run: string): Promise<boolean> => {
  const rows = await queryOn(desk.urls.admin, "select 1 from command where run_id = $1 and kind = 'start' and status = 'refused'", [run]);

  return rows.length > 0;
};

/** A waiting run unchanged this long is settled. */
const QUIET_MS = 2_500;
const END_MS = 20_000;

/** Waits until a run ends, freezes, waits or is refused; null: no such run. */
export const waitForEnd = async (world: World, run: string): Promise<RunRow | null> => {
  let quiet = { version: -1, sinceMs: 0 };
  await until(
    "a run ends",
    async () => {
      const row = await readRunRow(world, run);
      if (!row) return isStartRefused(world, run);
      if (row.version !== quiet.version) quiet = { version: row.version, sinceMs: performance.now() };

      return hasEnded(row) || (row.status === "waiting" && performance.now() - quiet.sinceMs > QUIET_MS);
    },
    END_MS,
  ).catch(() => undefined);

  return readRunRow(world, run);
};

export const startToGate = async (world: World, graph: GraphName | Version = "charge"): Promise<string> => {
  const run = await startRun(world, graph);
  const row = await until("a run waits", async () => {
    const found = await readRunRow(world, run);

    return found && (found.status === "waiting" || hasEnded(found)) ? found : null;
  });
  if (row.status !== "waiting") throw new Error(`the run does not wait: ${JSON.stringify(row)}`);

  return run;
};

export const buildDecision = async (
  world: World,
  run: string,
  decision: "approve" | "reject" = "approve",
  { published }: Version = world.versions.charge,
): Promise<Extract<CommandBody, { kind: "decision" }>> =>
  decisionFor({ ...world.desk, published }, (await readRun(world.desk, run)).state, decision);

/** @returns refusal code, or "accepted" */
export const decideAs = async (
  world: World,
  run: string,
  user: string,
  decision: "approve" | "reject" = "approve",
  version: Version = world.versions.charge,
): Promise<string> => waitForAnswer(world, await sendCommand(world, user, run, await buildDecision(world, run, decision, version)));

export const completePaidRun = async (world: World): Promise<string> => {
  const run = await startToGate(world);
  const answer = await decideAs(world, run, world.desk.people.reviewer);
  const row = await waitForEnd(world, run);
  if (row?.status !== "completed") throw new Error(`the honest run did not end (${answer}): ${JSON.stringify(row)}`);

  return run;
};

/** @returns refusal code, or "accepted" */
export const sendWorkspaceCommand = async (world: World, user: string, body: WorkspaceCommand): Promise<string> =>
  waitForAnswer(world, await sendCommand(world, user, getWorkspaceLedgerId(world.desk.workspace), body));

export const keepCheckpoint = async (world: World): Promise<void> => {
  world.kept.push(await takeCheckpoint(world.desk.deps, world.desk.workspace));
};
