/** Copied for each attack. Payments are files beyond the database's reach. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundlePrograms } from "@/bin/bundle";
import { freePort } from "@/bin/postgres/cluster";
import { THROW_AWAY } from "@/bin/postgres/temporary";
import { ensureHome } from "@/bin/start/home";
import type { Child } from "@/bench/child";
import { buildRunner, startRunner } from "@/bench/runner-process";
import { startServer, type BenchServer } from "@/bench/server";
import type { PublishedGraph, ToolLabels } from "@/lib/graph/document";
import { systemClock } from "@/server/clock";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { activeServer, serverRow } from "@/server/mcp/testing/registered";
import { makeProgramFolder, offerInPlace } from "@/server/mcp/testing/programs";
import { openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listPinnedTools, setMcpLabels } from "@/server/store/mcp/servers";
import { closeConnections } from "@/server/testing/connections";
import type { TestDatabase } from "@/server/testing/database";
import { GRAPH_NAMES, TILL, findVersion, type GraphName } from "./graphs";

export type Version = { readonly hash: string; readonly published: PublishedGraph };
export type Versions = Readonly<Record<GraphName, Version>>;

export type InstallationCopy = {
  readonly desk: Desk;
  readonly versions: Versions;
  readonly metricsUrl: string;
  /** Since the copy was opened. */
  readonly countPayments: () => number;
  readonly elsewhere: string;
  /** Other rows must be as honest people left them. */
  readonly publish: (published: PublishedGraph, author: string) => Promise<Version>;
  readonly restartRunner: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Installation = {
  readonly open: () => Promise<InstallationCopy>;
  readonly close: () => Promise<void>;
};

const IRREVERSIBLE: ToolLabels = { effect: "irreversible", idempotent: false, output: "internal", outward: false, clearance: "secret" };
const WRITES: ToolLabels = { ...IRREVERSIBLE, effect: "write", idempotent: true };
const READS: ToolLabels = { ...IRREVERSIBLE, effect: "read", idempotent: true };

const KEPT = new Set(["build"]);

const makeHome = async () => {
  const home = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-rungs-"));
  ensureHome(home);
  const program = await buildRunner(home);
  const outside = await makeProgramFolder();
  await bundlePrograms({ root: path.resolve("."), outdir: outside, entries: { till: "./bench/chaos/processes/effects.ts" } });
  const till = Object.fromEntries(
    ["received", "deeds", "elsewhere", "rate", "misdeeds"].map((name) => [name, path.join(outside, name)]),
  ) as Record<"received" | "deeds" | "elsewhere" | "rate" | "misdeeds", string>;
  for (const folder of [till.received, till.deeds, till.elsewhere]) fs.mkdirSync(folder, { recursive: true });
  for (const file of [till.rate, till.misdeeds]) fs.writeFileSync(file, "");

  return { home, program, outside, till };
};

type Home = Awaited<ReturnType<typeof makeHome>>;

const addTill = async ({ workspace, mcp, installation }: Desk, { outside, till }: Home): Promise<void> => {
  const manifest = await offerInPlace(installation, "till", path.join(outside, "till.mjs"), {
    args: [till.received, "{deeds}", till.rate, till.misdeeds],
    placeholders: { deeds: { type: "folder", below: outside } },
    values: { deeds: "deeds" },
  });
  await activeServer(workspace, mcp, { id: TILL.server, manifest, agents: ["node"] });
  for (const [tool, labels] of [
    [TILL.pays, IRREVERSIBLE],
    [TILL.posts, WRITES],
    [TILL.looks, READS],
  ] as const) {
    const { revision } = await serverRow(workspace, TILL.server, mcp);
    await setMcpLabels(workspace, TILL.server, revision, { [tool]: labels });
  }
};

const publishAll = async (desk: Desk): Promise<Versions> => {
  const tools = await listPinnedTools(desk.workspace);
  const made: [GraphName, Version][] = [];
  for (const name of GRAPH_NAMES) {
    const published = findVersion(name, tools);
    made.push([name, { hash: await publishAs(desk, published, desk.people.builder), published }]);
  }

  return Object.fromEntries(made) as Record<GraphName, Version>;
};

const runnerSettings = (customersUrl: string, port: number) => ({
  COUNTERSIGN_CUSTOMERS_URL: customersUrl,
  COUNTERSIGN_RUNNER_PORT: String(port),
  COUNTERSIGN_DRAIN_MS: "100",
});

const startRunnerIn = ({ home, program }: Home, urls: TestDatabase, port: number): Promise<Child> =>
  startRunner(program, { home, runnerUrl: urls.runner, adminUrl: urls.admin, env: runnerSettings(urls.customers, port) });

const pointAtDatabase = (urls: TestDatabase, name: string): TestDatabase => {
  const of = (url: string): string => {
    const moved = new URL(url);
    moved.pathname = `/${name}`;

    return moved.toString();
  };

  return { admin: of(urls.admin), web: of(urls.web), runner: of(urls.runner), customers: of(urls.customers) };
};

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const keepState = (home: string): { readonly restore: () => void; readonly remove: () => void } => {
  const kept = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-rungs-state-"));
  const names = () => fs.readdirSync(home).filter((name) => !KEPT.has(name));
  for (const name of names())
    fs.cpSync(path.join(home, name), path.join(kept, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });

  return {
    restore: () => {
      for (const name of names()) fs.rmSync(path.join(home, name), { recursive: true, force: true });
      for (const name of fs.readdirSync(kept)) {
        fs.cpSync(path.join(kept, name), path.join(home, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      }
    },
    remove: () => fs.rmSync(kept, { recursive: true, force: true }),
  };
};

const clone = async (server: BenchServer, template: TestDatabase): Promise<TestDatabase> => {
  const name = `attacked_${randomBytes(6).toString("hex")}`;
  await server.query(server.adminUrl, `create database ${name} template ${nameOf(template.admin)}`);

  return pointAtDatabase(template, name);
};

const endProcess = async (child: Child): Promise<void> => {
  child.kill();
  await child.answer.catch(() => undefined);
};

export const makeInstallation = async (say: (line: string) => void): Promise<Installation> => {
  say("building the runner and its servers");
  const folder = await makeHome();
  // Attacks cut no power, and each gets a copy of the database.
  const server = await startServer(THROW_AWAY);
  try {
    const template = await server.migrated();
    await useDatabase(template.runner);
    const read = (name: string) => fs.readFileSync(path.join(folder.home, "keys", name), "utf8");
    const keys = { pem: read("signing.key"), vault: read("vault.key").trim() };
    const desk = await openDesk(template, { home: folder.home, root: path.resolve(".") }, keys);
    await addTill(desk, folder);
    const versions = await publishAll(desk);
    await desk.mcp.close();
    // Copies have the queue's schema.
    const first = await startRunnerIn(folder, template, await freePort());
    await endProcess(first);
    await Promise.all([closeDatabase(), closeConnections()]);
    const state = keepState(folder.home);
    say("the installation is ready");

    return {
      open: async () => {
        state.restore();
        const urls = await clone(server, template);
        const port = await freePort();
        let runner = await startRunnerIn(folder, urls, port);
        await useDatabase(urls.runner);
        const deeds = () => fs.readdirSync(folder.till.deeds).length;
        const before = deeds();
        // Caches of another copy do not apply.
        const authority = createAuthorityReader({ publicKeys: listPublicKeys });
        const copied = { ...desk, urls, deps: { ...desk.deps, authority, journal: createMemoryJournal(systemClock) } };
        const publish = async (published: PublishedGraph, author: string): Promise<Version> => ({
          hash: await publishAs(copied, published, author),
          published,
        });

        return {
          desk: copied,
          publish,
          versions,
          metricsUrl: `http://127.0.0.1:${port}/metrics`,
          countPayments: () => deeds() - before,
          elsewhere: folder.till.elsewhere,
          restartRunner: async () => {
            await endProcess(runner);
            runner = await startRunnerIn(folder, urls, port);
          },
          close: async () => {
            await endProcess(runner);
            await Promise.all([closeDatabase(), closeConnections()]);
            await server.query(server.adminUrl, `drop database if exists ${nameOf(urls.admin)} with (force)`);
          },
        };
      },
      close: async () => {
        await server.stop();
        state.remove();
        for (const each of [folder.home, folder.outside]) fs.rmSync(each, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await Promise.all([closeDatabase(), closeConnections()]);
    await server.stop();
    for (const each of [folder.home, folder.outside]) fs.rmSync(each, { recursive: true, force: true });
    throw error;
  }
};
