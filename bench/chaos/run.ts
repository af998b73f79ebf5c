import { setTimeout as wait } from "node:timers/promises";
import { loadRunKeys } from "@/bench/chaos/keys";
import { randomOf } from "@/bench/adversary/random";
import { openAsking } from "@/bench/chaos/ask";
import { countConnections, countStatuses, readAudit, readCommands, readCounts, readRuns, readTrust } from "@/bench/chaos/end/collect";
import { createInjector, type Injector } from "@/bench/chaos/faults/inject";
import { planFaults, planText, type Fault, type FaultKind } from "@/bench/chaos/faults/plan";
import { makeHome, type Home } from "@/bench/chaos/home";
import { driveLoad } from "@/bench/chaos/load/driver";
import { createPeople } from "@/bench/chaos/load/people";
import { startReviewer } from "@/bench/chaos/load/reviewer";
import { scriptRuns } from "@/bench/chaos/load/script";
import { makeWorkspace } from "@/bench/chaos/load/workspace";
import { startModels } from "@/bench/chaos/models";
import { judge } from "@/bench/chaos/oracle/all";
import type { Check, End, RunEnd } from "@/bench/chaos/oracle/end";
import { makePostgres, type Postgres } from "@/bench/chaos/postgres";
import { startRunners, type Runners } from "@/bench/chaos/runners";
import { settle } from "@/bench/chaos/settle";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { closeConnections } from "@/server/testing/connections";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { systemClock } from "@/server/clock";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { listPublicKeys } from "@/server/security/trust-anchor";

export type Options = {
  readonly seconds: number;
  readonly runs: number;
  readonly runners: number;
  readonly seed: number;
  readonly only: FaultKind | null;
};

export type Outcome = {
  readonly checks: readonly Check[];
  readonly planned: End["planned"];
  readonly faults: End["faults"];
  readonly skipped: Readonly<Partial<Record<FaultKind, string>>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly takeovers: End["takeovers"];
  readonly records: number;
  readonly settledMs: number;
  readonly ok: boolean;
};

type Say = (line: string) => void;

/** Clocks defer runs by minutes; a full disk delays work. */
const settleMsOf = ({ seconds, runs }: Options): number => 240_000 + seconds * 200 + runs * 100;
const QUIET_MS = 45_000;
const SAY_MS = 5_000;
/** Shorter runs need not hit every fault. */
export const FULL_S = 180;

const tally = (runs: readonly RunEnd[]): Readonly<Record<string, number>> => {
  const words = runs.map(({ status, reason }) => (reason === null || reason === status ? status : `${status} (${reason})`));

  return Object.fromEntries([...Map.groupBy(words.toSorted(), (word) => word)].map(([word, all]) => [word, all.length] as const));
};

const untilReady = async (runners: Runners): Promise<void> => {
  for (let looked = 0; looked < 300; looked += 1) {
    if (Array.from({ length: runners.places }, (_, place) => runners.isReady(place)).every(Boolean)) return;
    await wait(200);
  }
  throw new Error("the runners did not start");
};

const plannedOf = (faults: readonly Fault[]): End["planned"] =>
  [...Map.groupBy(faults, ({ kind }) => kind)].map(([kind, all]) => ({ kind, times: all.length }));

const summary = ({ injected }: Injector): End["faults"] =>
  [...Map.groupBy(injected, ({ kind }) => kind)].map(([kind, all]) => ({
    kind,
    times: all.length,
    hits: all.reduce((sum, { hits }) => sum + hits, 0),
  }));

/** @returns faults that failed */
const injectAll = async (injector: Injector, faults: readonly Fault[], fromMs: number, say: Say): Promise<End["undone"]> => {
  const begun: Promise<void>[] = [];
  const undone: { readonly kind: string; readonly why: string }[] = [];
  const failed = (kind: FaultKind, error: unknown): void => {
    say(`${kind} could not be done: ${String(error)}`);
    undone.push({ kind, why: String(error).slice(0, 200) });
  };
  for (const fault of faults) {
    await wait(Math.max(0, fromMs + fault.atMs - Date.now()));
    begun.push(injector.inject(fault).catch((error: unknown) => failed(fault.kind, error)));
  }
  await Promise.all(begun);
  await injector.settled();

  return undone;
};

/** Minimum, as pools close idle ones. */
const quietConnections = async (count: () => Promise<number>, most: number): Promise<number> => {
  const untilMs = Date.now() + QUIET_MS;
  let least = await count();
  while (least > most && Date.now() < untilMs) {
    await wait(1_000);
    least = Math.min(least, await count());
  }

  return least;
};

const play = async (options: Options, home: Home, postgres: Postgres, say: Say): Promise<Outcome> => {
  const random = randomOf(options.seed);
  const faults = planFaults(random, options);
  const scripts = scriptRuns(random, options.runs, options.seconds);
  say(`faults: ${planText(faults)}`);
  const { vault, signer } = loadRunKeys(home.folder);
  const { ask, close: closeAsking } = openAsking(postgres.urls.admin, 6);
  await useDatabase(postgres.urls.runner);
  const models = await startModels(random);
  const workspace = await makeWorkspace(postgres.urls.admin, home);
  const runners = startRunners(home, {
    count: options.runners,
    databaseUrl: postgres.urls.runner,
    customersUrl: postgres.urls.customers,
    modelUrl: models.url,
  });
  const people = createPeople(postgres.urls, workspace.id, vault);
  try {
    await untilReady(runners);
    await wait(2_000);
    const base = await countConnections(ask);
    const gates = new Map(
      scripts.flatMap((script) => [[script.id, script] as const, ...(script.fork ? [[script.fork.id, script] as const] : [])]),
    );
    const reviewer = startReviewer({ ask, people, workspace, vault, scripts: gates });
    const injector = createInjector({ home, postgres, runners, models, ask });
    const fromMs = Date.now();
    const telling = setInterval(() => {
      const done = injector.injected.map(({ kind }) => kind);
      countStatuses(ask, workspace.id)
        .then((statuses) => say(`${Math.round((Date.now() - fromMs) / 1_000)} s, runs ${JSON.stringify(statuses)}, ${done.length} faults`))
        .catch(() => undefined);
    }, SAY_MS);
    const checkpoint = () =>
      takeCheckpoint({ clock: systemClock, signer, publicKeys: listPublicKeys, journal: createMemoryJournal(systemClock) }, workspace.id);
    const driven = driveLoad(scripts, workspace, people, fromMs);
    const undone = await injectAll(injector, faults, fromMs, say);
    await wait(Math.max(0, fromMs + options.seconds * 1_000 - Date.now()));
    await driven;
    const kept = [await checkpoint()];
    say("the faults are over");
    const settlingFrom = Date.now();
    const leave = [...gates].flatMap(([id, script]) => (script.gates === "leave" ? [id] : []));
    const left = await settle(ask, workspace.id, leave, settleMsOf(options), () => undefined);
    const settledMs = Date.now() - settlingFrom;
    clearInterval(telling);
    say(`settled after ${Math.round(settledMs / 1_000)} s; left: ${JSON.stringify(left)}`);
    await reviewer.stop();
    kept.push(await checkpoint());
    const connections = await quietConnections(() => countConnections(ask), base);
    const samples = runners.samples();
    await runners.stop();
    const reading = { ask, workspace, vault, keys: await listPublicKeys() };
    const runs = await readRuns(reading, (done, of) => say(`${done} of ${of} ledgers read`));
    const end: End = {
      workspace: workspace.id,
      runs,
      wanted: scripts.map(({ id }) => id),
      received: readCounts(home.received),
      deeds: readCounts(home.deeds),
      asked: people.asked,
      commands: await readCommands(reading),
      audit: { checkpoints: kept.length, faults: await readAudit(reading, kept) },
      trust: { faults: await readTrust(workspace.id) },
      memory: samples.filter(({ place }) => place === 0),
      connections: { base, end: connections, runners: options.runners },
      log: runners.log(),
      deaths: runners.deaths,
      drains: injector.drains,
      takeovers: injector.takeovers,
      planned: plannedOf(faults),
      skipped: injector.skipped,
      undone,
      faults: summary(injector),
      full: options.seconds >= FULL_S,
    };
    const checks = judge(end);

    return {
      checks,
      planned: end.planned,
      faults: end.faults,
      skipped: injector.skipped,
      statuses: tally(runs),
      takeovers: end.takeovers,
      records: runs.reduce((sum, { records }) => sum + records.length, 0),
      settledMs,
      ok: checks.every(({ failures }) => failures.length === 0),
    };
  } finally {
    await runners.stop();
    await people.close();
    await closeAsking();
    models.close();
  }
};

export const runChaos = async (options: Options, say: Say, keep: boolean): Promise<Outcome> => {
  say("building");
  const home = await makeHome();
  const state: { postgres: Postgres | null } = { postgres: null };
  try {
    if (typeof home.disk === "string") say(`the database has no disk of its own: ${home.disk}`);
    state.postgres = await makePostgres(home.database, `${home.logs}/postgres.log`);

    return await play(options, home, state.postgres, say);
  } finally {
    await closeDatabase();
    await closeConnections();
    await state.postgres?.stop("fast");
    home.remove(keep);
    if (keep) say(`kept files are in ${home.folder}`);
  }
};
