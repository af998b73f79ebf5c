import fs from "node:fs";
import path from "node:path";
import { digestOf } from "@/lib/hash";
import { BUNDLED_PROGRAMS } from "@/lib/mcp/bundled-program";
import { listHosts, type Program } from "@/lib/mcp/program";
import type { McpAccess } from "@/lib/mcp/access";
import type { McpTransport } from "@/lib/mcp/transport";
import { readEnv } from "@/server/env";
import type { Opening } from "@/server/mcp/connector";
import { getBundledFolder } from "@/server/mcp/programs/bundled";
import { getProgramsFolder, type Installation } from "@/server/mcp/programs/installation";
import { getEntry, isScript } from "@/server/mcp/programs/launch";
import { readPrograms } from "@/server/mcp/programs/list";
import type { Ports, SandboxPolicy } from "@/server/sandbox/policy";
import { buildToolHostPolicy } from "@/server/sandbox/process-policy";
import { buildServerPolicy } from "@/server/sandbox/server-policy";
import type { EgressPolicy } from "@/server/security/egress-url";
import { hostKeySchema, type HostKey } from "./protocol";

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const DNS_PORT = 53;
const POSTGRES_PORT = 5_432;

const portOf = (text: string): number[] => {
  const url = URL.parse(text);
  if (!url) return [];
  if (url.port !== "") return [Number(url.port)];
  if (url.protocol === "https:") return [HTTPS_PORT];

  return url.protocol === "http:" ? [HTTP_PORT] : [];
};

const databasePort = (text: string): number => Number(URL.parse(text)?.port || POSTGRES_PORT);

const webPorts = (policies: readonly EgressPolicy[], addresses: readonly string[]): readonly number[] => {
  const opened = policies.flatMap(({ allowOrigins, localOrigins = [] }) => [...allowOrigins, ...localOrigins]);

  return [...new Set([HTTPS_PORT, DNS_PORT, ...[...opened, ...addresses].flatMap(portOf)])].toSorted((one, other) => one - other);
};

const addressesOf = (transport: McpTransport, access: McpAccess): readonly string[] =>
  transport.type === "http" ? [transport.url, ...(access.auth === null ? [] : [access.auth.url])] : [];

const findProgram = ({ transport }: Opening, programs: readonly Program[]): Program | undefined =>
  transport.type === "stdio" ? programs.find(({ id }) => id === transport.manifest.program) : undefined;

const isContainer = (opening: Opening, programs: readonly Program[]): boolean => findProgram(opening, programs)?.runs.kind === "image";

/** A server cannot exceed its host's network, so networked servers get separate hosts. */
const connectOf = (opening: Opening, policies: readonly EgressPolicy[], programs: readonly Program[]): Ports => {
  const { transport, access, environment } = opening;
  const database = environment["DATABASE_URL"];
  if (database !== undefined) return [databasePort(database)];
  if (transport.type === "stdio") {
    const program = findProgram(opening, programs);
    // The broker reaches a container's hosts.
    if (program?.runs.kind === "image") return [];
    // Named hosts are reached through the host's own proxy port.
    if (program && (program.network !== undefined || listHosts(program, transport.manifest.values).length > 0)) return "any";
  }

  return webPorts(policies, addressesOf(transport, access));
};

export type KeyOptions = { readonly installation: Installation; readonly policies: readonly EgressPolicy[] };

const keyText = (key: HostKey): string => JSON.stringify(key);

const programsIn = ({ home }: Installation): { readonly programs: readonly Program[]; readonly digest: string } => {
  const programs = readPrograms(home);

  return { programs, digest: digestOf("settings", programs) };
};

/** @throws AppError("manifest_invalid") */
export const getHostKey = (opening: Opening, { installation, policies }: KeyOptions): string => {
  const { programs, digest } = programsIn(installation);
  const connect = connectOf(opening, policies, programs);

  return keyText({
    workspace: opening.workspace,
    programs: digest,
    connect: connect === "any" ? connect : [...connect],
    ...(isContainer(opening, programs) ? { containers: true as const } : {}),
  });
};

/** @throws AppError("manifest_invalid") */
export const getSenderKey = (workspace: string, url: string, { installation, policies }: KeyOptions): string =>
  keyText({ workspace, programs: programsIn(installation).digest, connect: [...webPorts(policies, [url])] });

export const needsBroker = (text: string): boolean => hostKeySchema.parse(JSON.parse(text)).containers === true;

const fixedOf = (template: string): string => template.split("{")[0] ?? "";

/** Writable whatever an admin fills in. */
const listGivenTexts = (program: Program): readonly string[] => [
  ...[...program.args, ...Object.values(program.env)].map(fixedOf),
  ...Object.values(program.placeholders).flatMap((placeholder) => (placeholder.type === "folder" ? [placeholder.below] : [])),
];

const policyOf = (program: Program, at: Installation): SandboxPolicy => {
  const entry = getEntry(program, at);
  const command = isScript(entry) ? process.execPath : entry;

  return buildServerPolicy({ entry, command, given: listGivenTexts(program), own: [], read: [], network: null }, at);
};

/** Builds a tool host's sandbox: the union of all offered programs'. */
export const buildHostPolicy = (text: string, scratch: string, at: Installation): SandboxPolicy => {
  const { connect } = hostKeySchema.parse(JSON.parse(text));
  const own = [scratch, ...BUNDLED_PROGRAMS.map((id) => getBundledFolder(id, at))];
  // A rule needs an existing folder.
  for (const folder of own) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const offered = readPrograms(at.home).flatMap((program) => (program.runs.kind === "image" ? [] : [policyOf(program, at)]));
  const { NODE_EXTRA_CA_CERTS: certificates } = readEnv();

  return buildToolHostPolicy(at, {
    connect,
    own,
    read: [
      path.join(at.home, "keys", "programs.json"),
      getProgramsFolder(at.home),
      ...(certificates === undefined ? [] : [certificates]),
      ...offered.flatMap(({ read }) => read),
    ],
    execute: offered.flatMap(({ execute }) => execute),
    write: offered.flatMap(({ write }) => write),
  });
};
