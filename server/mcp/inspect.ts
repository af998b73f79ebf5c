import { AppError } from "@/lib/errors";
import { findDrift, hasDrift, NO_DRIFT, type ServerDrift } from "@/lib/mcp/drift";
import { findIdentityDrift, type ServerIdentity } from "@/lib/mcp/identity";
import type { UnusableTool } from "@/lib/mcp/unusable-tool";
import type { HexDigest } from "@/lib/hash";
import { logFailure } from "@/server/failure-log";
import { presentIdentity, type McpServerRow } from "@/server/store/mcp/row";
import { driftMcpServer } from "@/server/store/mcp/servers";
import { saveMcpError, saveSeen } from "@/server/store/mcp/observed-tools";
import type { RecordStep } from "@/server/store/mcp/settings";
import { computeDigests, type Catalog } from "./catalog";
import { readConfirmedServer } from "./confirmed-server";
import type { McpTarget } from "./contract";
import type { Manager } from "./manager";
import { processFailureOf, statusOf } from "./server-failure";
import { recordStepBy, type RecordMcpStep } from "./steps";

export type Live = { readonly catalog: Catalog; readonly identity: ServerIdentity | null };
type Seen = Live & { readonly protocol: string | null; readonly unusable: readonly UnusableTool[] };

export const pinsOf = (server: McpServerRow): ReadonlyMap<string, HexDigest> =>
  new Map(server.tools.flatMap(({ name, pinnedDigest }) => (pinnedDigest === null ? [] : [[name, pinnedDigest] as const])));

/** Drift since the review; none before the first. */
export const findDriftFrom = (server: McpServerRow, { catalog, identity }: Live): ServerDrift => {
  const pins = pinsOf(server);
  const present = presentIdentity({ ...server, identity });
  if (!present || pins.size === 0) return NO_DRIFT;

  return { tools: findDrift(pins, computeDigests(catalog)), identity: findIdentityDrift(server.pinnedIdentity, present) };
};

const reasonOf = ({ tools, identity }: ServerDrift): string =>
  tools.length > 0
    ? "The server's tools are not the reviewed ones."
    : `The server is not the reviewed one: another ${identity.join(", ")}.`;

/** Drift suspends the server. */
export const noteLive = async (
  workspaceId: string,
  server: McpServerRow,
  live: Seen,
  record: RecordMcpStep | null,
): Promise<ServerDrift> => {
  const { catalog, protocol, identity, unusable } = live;
  const step = (name: string) => record && recordStepBy(record, workspaceId, server.id, name);
  await saveSeen(workspaceId, server.id, { tools: [...catalog.values()], unusable, protocol, identity }, step("listed"));
  const drift = findDriftFrom(server, live);
  if (hasDrift(drift)) await driftMcpServer(workspaceId, server.id, reasonOf(drift), step("drifted"));

  return drift;
};

type ReachDeps = { readonly manager: Manager; readonly record: RecordMcpStep | null };

/** A program that a runner finds gone or changed is on record, once until a listing. Its server stays active for other runners. */
const stepOfFault = ({ record }: ReachDeps, workspaceId: string, server: McpServerRow, { code, message }: AppError): RecordStep | null =>
  record && code === "manifest_invalid" && server.lastError !== message
    ? recordStepBy(record, workspaceId, server.id, "program_gone")
    : null;

/** @throws AppError egress_blocked, manifest_invalid or server_unreachable */
export const reach = async (
  deps: ReachDeps,
  { workspace: workspaceId, run, environment }: Pick<McpTarget, "workspace" | "run" | "environment">,
  server: McpServerRow,
  fresh: boolean,
) => {
  try {
    if (!server.transport) {
      throw new AppError("manifest_invalid", {
        message: server.operatorCommand
          ? `This server has its own command, which is no longer run. Ask the operator to run "${server.operatorCommand}", then register the server again.`
          : "The stored way to reach the server is not valid. Enter it again; an address must begin with https://.",
      });
    }
    const { id, transport, access } = server;
    const connection = await deps.manager.open({ workspace: workspaceId, server: id, transport, access }, environment);

    return { connection, catalog: await connection.catalog({ fresh }) };
  } catch (cause) {
    const error = cause instanceof AppError ? cause : new AppError("server_unreachable", { cause });
    const failure = processFailureOf(error);
    const { exitCode = null, errno = null, signal = null } = failure ?? {};
    const status = statusOf(error);
    logFailure({
      event: "server_failed",
      workspace: workspaceId,
      run: run ?? null,
      code: error.code,
      cause: errno ?? signal ?? (status === null ? null : `http_${status}`),
      server: server.id,
      exitCode,
    });
    const noted = { message: error.message, output: failure?.output ?? null };
    await saveMcpError(workspaceId, server.id, noted, stepOfFault(deps, workspaceId, server, error));
    throw error;
  }
};

export type InspectDeps = Parameters<typeof readConfirmedServer>[0] & ReachDeps;

/** @throws ProjectionMismatch, AuthorityUnverified before any start */
export const inspectServer = async (deps: InspectDeps, workspaceId: string, id: string): Promise<ServerDrift> => {
  const { record } = deps;
  const server = await readConfirmedServer(deps, workspaceId, id);
  if (!server) throw new AppError("not_found");
  if (server.status === "revoked") throw new AppError("conflict", { message: "The server is revoked." });
  const { connection, catalog } = await reach(deps, { workspace: workspaceId }, server, true);
  const { protocol, identity } = connection;

  return noteLive(workspaceId, server, { catalog, protocol, identity, unusable: connection.unusable() }, record);
};
