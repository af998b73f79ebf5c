import { readUrls } from "@/bin/start/database-file";
import { startInstallation, type Installation } from "@/bench/canvas/installation";
import { loadNow } from "@/bench/machine";
import { figure, markdown, ratio } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { openDemo, signedIn } from "@/bench/web/client";
import { closeConnections } from "@/server/testing/connections";
import { ACCEPTED, readRuns, summarise, type Answered } from "./answered";
import { costOfEach, readCost, type Cost } from "./cost";
import { openSender, sendAtRate, type Ask } from "./open-loop";
import { measureDbos, type PeerStarts } from "./peer";
import { createAccounts, publishStarted, toStarts } from "./place";
import { awaitRuns, demandOnce } from "./runs";

const LOADS = {
  full: { perSecond: 200, seconds: 30, warm: 2_000, warmAccounts: 20, accounts: 40, repeated: 200 },
  quick: { perSecond: 20, seconds: 2, warm: 20, warmAccounts: 1, accounts: 2, repeated: 10 },
} as const;
const PORT = 3_975;

type Ours = {
  readonly countersign: Answered;
  /** Milliseconds for each start and its run. */
  readonly cost: Cost;
  /** From the last arrival until every run was completed. */
  readonly drain_seconds: number;
  readonly refused: readonly string[];
  /** Of the machine, one minute. */
  readonly load: number;
};

export type StartsResult = Ours & { readonly perSecond: number; readonly seconds: number; readonly dbos: PeerStarts | null };

const isRun = (run: string | null): run is string => run !== null;

const measure = async (bench: Bench, { url, pid }: Installation, admin: string): Promise<Ours> => {
  const { perSecond, seconds, warm, warmAccounts, accounts, repeated } = LOADS[bench.scale];
  await openDemo(url);
  const graphId = await publishStarted(await signedIn(url, "builder"));
  const tokens = await createAccounts(await signedIn(url, "admin"), graphId, warmAccounts + accounts);
  const sender = openSender(url);
  const send = (asks: readonly Ask[]) => sendAtRate(sender, asks, perSecond);
  try {
    bench.progress(`${warm} starts to warm up`);
    const warmed = readRuns(await send(toStarts(tokens.slice(0, warmAccounts), graphId, warm))).filter(isRun);
    await awaitRuns(admin, warmed);
    bench.progress(`${perSecond} starts a second for ${seconds} seconds`);
    const asks = toStarts(tokens.slice(warmAccounts), graphId, perSecond * seconds);
    const before = readCost(pid);
    const answers = await send(asks);
    const accepted = readCost(pid);
    const load = loadNow();
    const runs = readRuns(answers);
    const started = runs.filter(isRun);
    const drained = await awaitRuns(admin, started);
    const each = Math.max(1, started.length);
    // Idle connections end, and their processes with them.
    const cost = { ...costOfEach(before, readCost(pid), each), postgresOfWeb: costOfEach(before, accepted, each).postgresOfWeb };
    bench.progress(`${repeated} again, with their keys`);
    const repeats = await send(asks.slice(0, repeated));
    const again = readRuns(repeats);
    const other = again.findIndex((run, index) => runs[index] !== null && run !== runs[index]);
    must(
      other < 0,
      `a repeated start was answered with another run than ${runs[other]}: ${repeats[other]?.status} ${repeats[other]?.text}`,
    );
    await awaitRuns(admin, [...new Set(again.filter(isRun))]);
    await demandOnce(admin, graphId);
    must(new Set(started).size === started.length, "two starts were answered with one run");
    const refused = answers.flatMap(({ status, text }) => (ACCEPTED.includes(status) ? [] : [`${status} ${text}`]));

    return { countersign: summarise(answers), cost, drain_seconds: drained, refused, load };
  } finally {
    await sender.close();
  }
};

const run = async (bench: Bench): Promise<StartsResult> => {
  bench.progress("starting a product as it is delivered; building it takes a minute when it is not built");
  const { perSecond, seconds, warm } = LOADS[bench.scale];
  const installation = await startInstallation(PORT, (line) => bench.progress(line));
  try {
    const admin = readUrls(installation.home)?.admin;
    if (admin === undefined) throw new Error("the installation has no database");
    const ours = await measure(bench, installation, admin);
    const dbos = bench.peers.includes("dbos") ? await measureDbos(bench, admin, { perSecond, seconds, warm }) : null;

    return { perSecond, seconds, ...ours, dbos };
  } finally {
    await closeConnections();
    await installation.stop();
  }
};

const table = ({ perSecond, seconds, countersign, cost, drain_seconds: drain, refused, load, dbos }: StartsResult): string => {
  const ms = (value: number | null) => figure(value, "ms");
  const row = (name: string, { asked, accepted, p50, p95, p99, most }: Answered, all: number | null) => [
    name,
    `${figure((accepted / asked) * 100)} %`,
    ...[p50, p95, p99, most, all].map(ms),
  ];
  const all = [cost.web, cost.controlPlane, cost.postgres].reduce((sum: number, one) => sum + (one ?? Number.NaN), 0);

  return [
    `${perSecond} starts a second for ${seconds} seconds over the HTTP API, open loop, each accepted once it is stored; each accepted one became exactly one run. Load of the machine: ${load}.`,
    markdown(
      ["", "accepted", "p50", "p95", "p99", "most", "processor per start"],
      [row("Countersign", countersign, all), ...(dbos ? [row("DBOS, without Postgres", dbos, dbos.cost)] : [])],
    ),
    `Processor per start, its run included: web ${ms(cost.web)}, control plane ${ms(cost.controlPlane)}, Postgres ${ms(cost.postgres)}, of which ${ms(cost.postgresOfWeb)} for the web. All runs were completed ${figure(drain)} s after the last answer.${dbos ? ` p95: ${ratio(countersign.p95, dbos.p95)} of DBOS.` : ""}`,
    ...[...new Set(refused)].slice(0, 5).map((text) => `- ${text.slice(0, 300)}`),
  ].join("\n\n");
};

export const STARTS: Section<StartsResult> = {
  name: "starts",
  says: "200 starts a second over the HTTP API: accepted, latency, processor; each exactly one run",
  run,
  table,
};
