/** Every group of specs, and every retry, starts a copy of an installation with the demo. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "../server/db/connect.ts";
import { runStart, type Running } from "../bin/testing.ts";
import { installationsFolder, type Place } from "./home.ts";

/** Demo right after opening, or an empty folder. */
export type Beginning = "demo" | "empty";

export type Installation = Place & { readonly running: Running; stop(): Promise<void> };

const STOP_MS = 30_000;
const SETTLE_MS = 60_000;

const template = (): string => path.join(installationsFolder(), "demo");

/** Names the folder of Postgres, elsewhere if its user cannot reach the state folder. */
const PLACE = "postgres-place";

const postgresOf = (home: string): string => fs.readFileSync(path.join(home, PLACE), "utf8").trim();

const makeFolder = (folder: string): void => {
  fs.mkdirSync(folder, { recursive: true });
  // As root, the database runs as another user, who must be able to traverse.
  for (const each of [path.dirname(folder), folder]) fs.chmodSync(each, 0o711);
};

/** Neither slots nor test runs with different ports collide. */
const portOf = (slot: number): number => Number(process.env["COUNTERSIGN_E2E_PORT"] ?? 3961) + 2 * slot;

const start = async (home: string, slot: number): Promise<Installation> => {
  const port = portOf(slot);
  const receiverPort = port + 1;
  const running = runStart({
    COUNTERSIGN_HOME: home,
    PORT: String(port),
    HOST: "127.0.0.1",
    COUNTERSIGN_WEBHOOK_ORIGINS: `http://127.0.0.1:${receiverPort}`,
    COUNTERSIGN_SMTP_URL: `smtp://127.0.0.1:${receiverPort}?tls=off`,
    COUNTERSIGN_SMTP_FROM: "Approvals <approvals@harborpoint.example>",
    COUNTERSIGN_NEW_WORKSPACES: "admins",
  });
  await running.seen(/Countersign runs at/u);

  return {
    // Sign-in cookies and redirects are for `localhost`, not for 127.0.0.1.
    origin: `http://localhost:${port}`,
    home,
    receiverPort,
    running,
    stop: async () => {
      running.child.kill("SIGTERM");
      const isStopped = await Promise.race([running.finished.then(() => true), delay(STOP_MS, false, { ref: false })]);
      if (isStopped) return;
      running.child.kill("SIGKILL");
      await running.finished;
    },
  };
};

const openDemo = async (origin: string): Promise<void> => {
  const response = await fetch(`${origin}/api/trpc/setup.createDemo`, {
    method: "POST",
    // The server may close an idle connection just as the second call reuses it.
    headers: { "content-type": "application/json", origin, connection: "close" },
  });
  if (!response.ok) throw new Error(`The demo was not opened: ${await response.text()}`);
};

/** Waits until no demo run works, so that every copy has the same records. */
const settle = async (home: string): Promise<void> => {
  const { admin } = JSON.parse(fs.readFileSync(path.join(home, "database.json"), "utf8")) as { readonly admin: string };
  const untilMs = Date.now() + SETTLE_MS;
  await withClient(admin, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ status: string }>("select status from run");
      const open = rows.filter(({ status }) => status !== "waiting" && status !== "completed");
      if (rows.length > 0 && open.length === 0) return;
      if (Date.now() > untilMs) throw new Error(`The demo's runs do not settle: ${rows.map(({ status }) => status).join(", ")}`);
      await delay(100);
    }
  });
};

/** Starts one, opens the demo and stops it. */
export const makeTemplate = async (): Promise<void> => {
  const home = template();
  fs.rmSync(home, { recursive: true, force: true });
  makeFolder(home);
  const installation = await start(home, 0);
  try {
    await openDemo(installation.origin);
    await settle(home);
    // Adds the fork if its parent finished after the first opening.
    await openDemo(installation.origin);
    await settle(home);
  } finally {
    await installation.stop();
  }
};

const remove = (home: string): void => {
  for (const folder of [postgresOf(home), home]) fs.rmSync(folder, { recursive: true, force: true });
};

export const removeTemplate = (): void => remove(template());

/** Keeps owners, which Postgres checks, and times, by which bundles are rebuilt. */
const copyFolder = (from: string, to: string): void => {
  execFileSync("cp", ["-a", from, to]);
};

const copyTemplate = (home: string, name: string): void => {
  copyFolder(template(), home);
  const from = postgresOf(template());
  const isInside = from.startsWith(`${template()}${path.sep}`);
  const place = isInside ? path.join(home, path.relative(template(), from)) : `${from}-${name}`;
  if (!isInside) copyFolder(from, place);
  fs.writeFileSync(path.join(home, PLACE), `${place}\n`);
};

/** Starts a private installation; stopping it removes its folders. @param name must be unique */
export const startInstallation = async (beginning: Beginning, name: string, slot: number): Promise<Installation> => {
  const home = path.join(installationsFolder(), name);
  fs.rmSync(home, { recursive: true, force: true });
  if (beginning === "demo") copyTemplate(home, name);
  else makeFolder(home);
  const installation = await start(home, slot);

  return {
    ...installation,
    stop: async () => {
      await installation.stop();
      remove(home);
    },
  };
};
