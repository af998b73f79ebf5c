import fs from "node:fs";
import path from "node:path";
import { isIP } from "node:net";
import { AppError } from "@/lib/errors";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import type { StdioManifest } from "@/lib/mcp/program";
import { isIsolated, listMissingLayers, type Isolation, type SandboxLevel } from "@/lib/mcp/isolation";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { ANY_NETWORK, NO_NETWORK, type NetworkPolicy, type SandboxPolicy } from "@/server/sandbox/policy";
import { buildServerPolicy } from "@/server/sandbox/server-policy";
import { SYSTEM_WRITE } from "@/server/sandbox/system-files";
import { findFirstClosed, makePassable, shareFolder } from "@/server/sandbox/users";
import type { EgressPolicy } from "@/server/security/egress-url";
import { SETTLED } from "@/server/security/settled-file";
import { getBundledFolder } from "./programs/bundled";
import { listPythonFolders } from "./programs/python-launch";
import { getProgramsFolder, type Installation } from "./programs/installation";
import type { Launch } from "./programs/launch";
import type { ServerSandbox } from "./server-process";

export type Started = {
  readonly manifest: StdioManifest;
  readonly launch: Launch;
  readonly env: Readonly<Record<string, string>>;
  readonly scratch: string;
};

type Where = {
  readonly installation: Installation;
  readonly isolation: () => Promise<Isolation>;
  readonly sandboxLevel: SandboxLevel;
  readonly egress: EgressPolicy;
};

const POSTGRES_PORT = 5432;

/** Allows only the database. */
const databaseNetwork = (text: string): NetworkPolicy => {
  const { hostname, port } = new URL(text);
  const isNamed = isIP(hostname.replaceAll(/[[\]]/g, "")) === 0;

  return { ...NO_NETWORK, connect: [port === "" ? POSTGRES_PORT : Number(port)], datagrams: isNamed };
};

/** Named hosts need a proxy. */
const networkOf = ({ program }: Launch, variables: Readonly<Record<string, string>>): NetworkPolicy => {
  if (!isBundledProgram(program.id)) return program.network === "direct" ? { ...ANY_NETWORK, listen: [], localSockets: false } : NO_NETWORK;
  const url = variables["DATABASE_URL"];

  return url === undefined ? NO_NETWORK : databaseNetwork(url);
};

/** @throws AppError("sandbox_missing") */
const refuseBelow = ({ manifest, launch }: Started, isolation: Isolation, level: SandboxLevel): void => {
  const missing = listMissingLayers(isolation);
  if (level === "strict" && missing.length > 0) {
    throw new AppError("sandbox_missing", {
      message: `This machine does not isolate servers as COUNTERSIGN_SANDBOX=strict demands. Missing: ${missing.join(", ")}.`,
    });
  }
  // The operator accepted bundled servers.
  if (isBundledProgram(manifest.program) || manifest.unisolated === true) return;
  // Without port rules, one host opens all.
  if (isIsolated(isolation) && (launch.hosts.length === 0 || !missing.includes("ports"))) return;
  throw new AppError("sandbox_missing");
};

type Placed = {
  readonly launch: Launch;
  readonly policy: SandboxPolicy;
  readonly scratch: string;
  readonly state: readonly string[];
  readonly anchor: string | undefined;
};

/** If its files permit another user. */
const usersFor = ({ launch, policy, scratch, state, anchor }: Placed, { home }: Installation): Pick<ServerSandbox, "users"> => {
  const range = readEnv().COUNTERSIGN_SERVER_UIDS;
  const programs = getProgramsFolder(home);
  const folders = ["build", "scratch"].map((name) => path.join(home, name));
  makePassable([...folders, path.dirname(scratch), programs, path.join(programs, launch.program.id)]);
  if (anchor !== undefined) makePassable([path.dirname(anchor), path.join(path.dirname(anchor), SETTLED["trust-anchor.json"])]);
  for (const folder of state) shareFolder(folder, range.first);
  const given = policy.write.filter((file) => file !== scratch && !SYSTEM_WRITE.includes(file));
  const groups = [...new Set(given.map((file) => fs.statSync(file).gid))].filter((gid) => gid !== 0);
  const closed = findFirstClosed(
    { read: [launch.entry, ...listPythonFolders(launch.program), ...(anchor === undefined ? [] : [anchor])], write: given },
    groups,
  );
  if (closed === null) return { users: { range, groups } };
  log().warn({ program: launch.program.id, path: closed }, "a server keeps the runner's user, because another one cannot use this path");

  return {};
};

/** Builds a sandbox; null where disabled or accepted. @throws AppError("sandbox_missing") */
export const createSandboxFor = async (started: Started, where: Where): Promise<ServerSandbox | null> => {
  const { launch, env: variables, scratch } = started;
  const { installation, sandboxLevel } = where;
  if (sandboxLevel === "off") return null;
  const isolation = await where.isolation();
  refuseBelow(started, isolation, sandboxLevel);
  if (!isIsolated(isolation)) return null;
  const { id } = launch.program;
  const isBundled = isBundledProgram(id);
  const state = isBundled ? [getBundledFolder(id, installation)] : [];
  // A rule needs an existing folder.
  for (const folder of state) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const anchor = variables["COUNTERSIGN_TRUST_ANCHOR"];
  // Key handover replaces the file.
  const read = anchor === undefined ? [] : [anchor, path.join(path.dirname(anchor), SETTLED["trust-anchor.json"])];
  const program = {
    entry: launch.entry,
    command: launch.command,
    given: launch.writable,
    own: [scratch, ...state],
    read: [...read, ...listPythonFolders(launch.program)],
    network: networkOf(launch, variables),
  };

  const policy = buildServerPolicy(program, installation);
  const isOffline = policy.network === NO_NETWORK && launch.hosts.length === 0;

  return {
    root: installation.root,
    policy: { ...policy, namespace: isOffline && isolation.holds.includes("namespace") },
    ...(launch.hosts.length === 0 ? {} : { egress: { hosts: launch.hosts, policy: where.egress } }),
    ...(isolation.holds.includes("identity") ? usersFor({ launch, policy, scratch, state, anchor }, installation) : {}),
  };
};
