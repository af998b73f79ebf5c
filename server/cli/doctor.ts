import path from "node:path";
import { describeCheck, type DescribedCheck } from "@/lib/checks";
import { FURTHER_LAYERS, LAYERS, listMissingLayers, type Isolation, type Layer } from "@/lib/mcp/isolation";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import type { Engine } from "@/lib/mcp/image";
import type { Program } from "@/lib/mcp/program";
import { checkInstallation } from "@/server/checks/installation";
import { checkEngines } from "@/server/checks/engines";
import { readEngineEnvironment, readEnv } from "@/server/env";
import { isImageProgram } from "@/server/mcp/containers/engine";
import { listOfferedPrograms } from "@/server/mcp/programs/launch";
import { listAppliedLayers } from "@/server/sandbox/applied";
import { ANY_NETWORK, NO_NETWORK, type NetworkPolicy, type SandboxPolicy } from "@/server/sandbox/policy";
import { probeIsolation } from "@/server/sandbox/probe";
import { buildRunnerPolicy, buildWebPolicy } from "@/server/sandbox/process-policy";
import { buildServerPolicy } from "@/server/sandbox/server-policy";
import { findFirstClosed } from "@/server/sandbox/users";
import { useTrustAnchor } from "@/server/security/trust-anchor";
import { closeStore } from "@/server/store/runs/close";
import { parseArguments } from "./arguments";
import type { CliCommand, CliHost } from "./host";
import { formatJsonLine } from "./problem";

const SAYS: Readonly<Record<Layer, string>> = {
  files: "servers can read and change only their own files",
  network: "servers without network access can't connect to anything",
  ports: "servers with allowed ports can connect only to those",
  memory: "servers can't read the memory or environment of other processes",
  signals: "servers can't signal or limit other processes",
  processes: "servers can't start processes",
  privileges: "servers can't gain privileges through set-user-ID programs",
  namespace: "servers without network access run in an empty network namespace",
  identity: "servers started by root run as a separate user",
};

type Standing = { readonly name: string; readonly layers: readonly Layer[]; readonly network?: string; readonly container?: Engine };

const ONE_PORT: NetworkPolicy = { ...NO_NETWORK, connect: [1] };

const networkOf = ({ id, network, hosts, placeholders }: Program): { readonly says: string; readonly policy: NetworkPolicy } => {
  if (id === "customers" && isBundledProgram(id)) return { says: "its database", policy: ONE_PORT };
  if (network === "direct") return { says: "any address", policy: ANY_NETWORK };
  const named = [...(hosts ?? []), ...Object.entries(placeholders).flatMap(([name, { type }]) => (type === "host" ? [`{${name}}`] : []))];

  return named.length === 0 ? { says: "none", policy: NO_NETWORK } : { says: named.join(" "), policy: ONE_PORT };
};

const serverOf = (program: Program, { home, root }: CliHost, { holds }: Isolation): Standing => {
  const { says, policy } = networkOf(program);
  const entry = program.runs.kind === "file" ? program.runs.path : root;
  const built = buildServerPolicy({ entry, command: process.execPath, given: [], own: [], read: [], network: policy }, { home, root });
  const isOpen = program.runs.kind !== "file" || findFirstClosed({ read: [entry], write: [] }, []) === null;
  if (isImageProgram(program)) return { name: program.id, network: says, layers: [], container: program.runs.engine };
  const full = { ...built, namespace: policy === NO_NETWORK, ...(isOpen ? { user: { uid: 0, groups: [] } } : {}) };

  return { name: program.id, network: says, layers: listAppliedLayers(full).filter((layer) => holds.includes(layer)) };
};

const processesOf = ({ home, root }: CliHost, { holds }: Isolation): readonly Standing[] => {
  const policies: Readonly<Record<string, SandboxPolicy>> = {
    web: buildWebPolicy(
      { home, root },
      { port: readEnv().PORT, databaseUrl: "postgresql://web@127.0.0.1/countersign", certificates: null },
    ),
    runner: buildRunnerPolicy({ home, root }),
  };

  return Object.entries(policies).map(([name, policy]) => ({
    name,
    layers: listAppliedLayers(policy).filter((layer) => holds.includes(layer)),
  }));
};

const isolationOf = ({ layers, container }: Standing): string => {
  if (container !== undefined) return `container by ${container}`;

  return layers.length === 0 ? "not isolated" : layers.join(", ");
};

const lineOf = (standing: Standing): string =>
  `  ${standing.name.padEnd(14)} ${isolationOf(standing)}${standing.network === undefined ? "" : `; network: ${standing.network}`}`;

const verdictOf = (isolation: Isolation, isOff: boolean): string => {
  if (isOff) return "COUNTERSIGN_SANDBOX=off: web, runner and MCP servers are not isolated.";
  const missing = listMissingLayers(isolation);
  if (missing.length === 0) return "All layers of isolation are available.";

  return `${isolation.reason ?? `Missing: ${missing.join(", ")}.`} With COUNTERSIGN_SANDBOX=strict, no MCP server would start on this machine.`;
};

const MARKS = { ok: "✓", skipped: "-", warning: "!", failed: "✗" } as const;

const linesOf = ({ area, code, status, says, todo }: DescribedCheck): readonly string[] => [
  `  ${MARKS[status]} ${area.padEnd(10)} ${says} (${code})`,
  ...(todo === null ? [] : [`               ${todo}`]),
];

const openDatabase = (host: CliHost): boolean => {
  if (!host.openInstalledDatabase()) return false;
  useTrustAnchor(host.home);
  host.defer(closeStore);

  return true;
};

export const runDoctorCommand: CliCommand = async (argv, host) => {
  const { flag } = parseArguments(argv, null, { json: "boolean", reach: "boolean" });
  const isInstalled = openDatabase(host);
  const { COUNTERSIGN_SANDBOX: level, COUNTERSIGN_SERVER_UIDS: users } = readEnv();
  const isolation = await probeIsolation(host.root, path.join(host.home, "scratch"), users.first);
  const applied: Isolation = level === "off" ? { ...isolation, holds: [] } : isolation;
  const offered = await listOfferedPrograms({ home: host.home, root: host.root }).catch(() => null);
  const programs = offered ?? [];
  const checks = await checkInstallation({
    ...host,
    databaseUrl: isInstalled ? (readEnv().DATABASE_URL ?? null) : null,
    isolation,
    programs: offered,
    reaches: flag("reach"),
  });
  const described = [...checks, ...(await checkEngines(programs, readEngineEnvironment()))].map(describeCheck);
  const [processes, servers] = [processesOf(host, applied), programs.map((program) => serverOf(program, host, applied))];
  const layers = [...LAYERS, ...FURTHER_LAYERS].map(
    (layer) => `  ${isolation.holds.includes(layer) ? "✓" : "!"} ${layer.padEnd(10)} ${SAYS[layer]}`,
  );
  const found = described.flatMap(linesOf);
  const lines = [
    "Checks",
    ...found,
    "Isolation on this machine",
    ...layers,
    "Processes",
    ...processes.map(lineOf),
    "MCP servers",
    ...servers.map(lineOf),
  ];
  await host.out(
    flag("json")
      ? formatJsonLine({ level, ...isolation, processes, servers, checks: described })
      : `${lines.join("\n")}\n${verdictOf(isolation, level === "off")}\n`,
  );

  return described.some(({ status }) => status === "failed") ? 1 : 0;
};
