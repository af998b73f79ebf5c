/** Bundled programs that an upgrade of Countersign changed. */
import type { RunEvent } from "@/lib/engine/event";
import { TAKE_OVER } from "@/lib/engine/ledger/program-fold";
import { AppError } from "@/lib/errors";
import { digestOf, type HexDigest } from "@/lib/hash";
import { isBundledProgram, type BundledProgram } from "@/lib/mcp/bundled-program";
import { findDrift, type ToolDrift } from "@/lib/mcp/drift";
import { computeReachedDigest } from "@/lib/mcp/identity";
import { computeProgramDigest } from "@/lib/mcp/program";
import { DRIFTS } from "@/lib/mcp/status";
import type { McpTransport } from "@/lib/mcp/transport";
import { log } from "@/server/log";
import { saveSeen, type Seen } from "@/server/store/mcp/observed-tools";
import { listProgramServers, replaceMcpProgram, type ServerPlace } from "@/server/store/mcp/program-updates";
import type { McpServerRow } from "@/server/store/mcp/row";
import { computeDigests, type Catalog } from "./catalog";
import { readConfirmedServer } from "./confirmed-server";
import { pinsOf, reach, type InspectDeps } from "./inspect";
import { getBundledProgram } from "./programs/bundled";
import type { Installation } from "./programs/installation";
import { recordStepBy, type RecordMcpStep } from "./steps";

const CHANGED = "Countersign was upgraded, and the tools of this bundled server changed.";

type Deps = InspectDeps & { readonly installation: Installation; readonly record: RecordMcpStep };

export type ProgramUpdate = ServerPlace & {
  readonly program: BundledProgram;
  /** Empty: the review stays. */
  readonly tools: readonly ToolDrift[];
};

type Stale = {
  readonly server: McpServerRow;
  readonly program: BundledProgram;
  readonly before: HexDigest;
  readonly after: HexDigest;
  readonly transport: McpTransport;
};

type Listing = { readonly catalog: Catalog; readonly seen: Seen };

/** Null: nothing to compare. */
const findStale = async (deps: Deps, { workspaceId, id }: ServerPlace): Promise<Stale | null> => {
  const server = await readConfirmedServer(deps, workspaceId, id);
  if (!server || server.transport?.type !== "stdio" || !DRIFTS.includes(server.status) || pinsOf(server).size === 0) return null;
  const { manifest } = server.transport;
  const { program, digest: before } = manifest;
  if (!isBundledProgram(program)) return null;
  if (server.pinnedIdentity?.reached !== computeReachedDigest(server.transport, server.access)) return null;
  const after = computeProgramDigest(await getBundledProgram(program, deps.installation));

  return before === after
    ? null
    : { server, program, before, after, transport: { type: "stdio", manifest: { ...manifest, digest: after } } };
};

const listTools = async (deps: Deps, { workspaceId }: ServerPlace, { server, transport }: Stale): Promise<Listing> => {
  const { connection, catalog } = await reach(deps, { workspace: workspaceId }, { ...server, transport }, true);
  const { protocol, identity } = connection;

  return { catalog, seen: { tools: [...catalog.values()], unusable: connection.unusable(), protocol, identity } };
};

const applyUpdate = async (
  deps: Deps,
  { workspaceId, id }: ServerPlace,
  stale: Stale,
  { catalog, seen }: Listing,
): Promise<ProgramUpdate> => {
  const { server, program, before, after, transport } = stale;
  const pins = pinsOf(server);
  const tools = findDrift(pins, computeDigests(catalog));
  const isSame = tools.length === 0 && server.pinnedIdentity?.server?.name === seen.identity?.name;
  await saveSeen(workspaceId, id, seen);
  const event: RunEvent = {
    type: TAKE_OVER,
    server: id,
    program,
    before,
    after,
    tools: digestOf("settings", Object.fromEntries(pins)),
  };
  if (isSame) {
    const identity = { server: seen.identity, reached: computeReachedDigest(transport, server.access) };
    const step = recordStepBy(deps.record, workspaceId, id, TAKE_OVER, { by: null, also: [event] });
    await replaceMcpProgram(workspaceId, server, { transport, identity }, step);
    log().info({ workspace: workspaceId, server: id, program }, "a bundled MCP server was upgraded and keeps its review");
  } else {
    const step = recordStepBy(deps.record, workspaceId, id, "drifted");
    await replaceMcpProgram(workspaceId, server, { transport, reason: CHANGED }, step);
    await deps.manager.evict(workspaceId, id);
    const changes = tools.map(({ tool, kind }) => `${tool} ${kind}`);
    log().warn({ workspace: workspaceId, server: id, program, changes }, "a bundled MCP server was upgraded and waits for a review");
  }

  return { workspaceId, id, program, tools };
};

/** Starts each program once. */
const updateServers = async (deps: Deps, places: readonly ServerPlace[]): Promise<readonly ProgramUpdate[]> => {
  const listings = new Map<BundledProgram, Promise<Listing>>();
  const updates: ProgramUpdate[] = [];
  for (const place of places) {
    try {
      const stale = await findStale(deps, place);
      if (!stale) continue;
      const listing = listings.get(stale.program) ?? listTools(deps, place, stale);
      listings.set(stale.program, listing);
      updates.push(await applyUpdate(deps, place, stale, await listing));
    } catch (error) {
      // Another runner was first.
      if (error instanceof AppError && error.code === "conflict") continue;
      log().warn({ workspace: place.workspaceId, server: place.id, error: String(error) }, "an upgraded MCP server is not compared");
    }
  }

  return updates;
};

/** Keeps reviews whose tools an upgrade left as they were, on record; suspends the others. */
export const takeOverPrograms = async (deps: Deps): Promise<readonly ProgramUpdate[]> => updateServers(deps, await listProgramServers());
