import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import type { ToolLabels } from "@/lib/graph/document";
import type { BundledProgram } from "@/lib/mcp/bundled-program";
import { computeProgramDigest } from "@/lib/mcp/program";
import type { RegistryCommand, RegistryOutcome } from "@/lib/mcp/registry-command";
import type { McpStatus } from "@/lib/mcp/status";
import type { McpTransport } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { listPrograms } from "@/server/store/health";
import type { McpServerRow } from "@/server/store/mcp/row";
import { getMcpServer } from "@/server/store/mcp/servers";

/** Unnamed tools keep the strictest label. */
export type DemoServer = {
  readonly id: string;
  readonly name: string;
  readonly program: BundledProgram;
  readonly allowedAgents: readonly string[];
  readonly labels: Readonly<Record<string, ToolLabels>>;
  /** Changes after its review, to show drift; graphs that use it are published before. */
  readonly changes?: true;
};

export type SubmitRegistryCommand = (command: RegistryCommand) => Promise<RegistryOutcome>;

const revisionAfter = async (submit: SubmitRegistryCommand, command: RegistryCommand): Promise<number> => {
  const outcome = await submit(command);
  if (!outcome.ok) throw new AppError("server_unreachable", { message: `${command.id}: ${outcome.message}` });

  return outcome.revision;
};

const lookAgain = async (submit: SubmitRegistryCommand, id: string, revision: number): Promise<void> => {
  const suspended = await revisionAfter(submit, { type: "suspend", id, revision });
  await revisionAfter(submit, { type: "inspect", id, revision: suspended });
};

const rowOf = async (workspaceId: string, id: string): Promise<McpServerRow> => {
  const row = await getMcpServer(workspaceId, id);
  if (!row) throw new AppError("not_found");

  return row;
};

const seenDigests = (row: McpServerRow): Record<string, string> =>
  Object.fromEntries(row.tools.flatMap((tool) => (tool.seenDigest === null ? [] : [[tool.name, tool.seenDigest]])));

const UNFINISHED: readonly McpStatus[] = ["discovered", "quarantined", "reviewed"];

const LOOK_EVERY_MS = 100;
/** A fresh runner reports its programs with its first heartbeat. */
const OFFERED_MS = 20_000;

const transportOf = async ({ id, program }: DemoServer): Promise<McpTransport> => {
  const untilMs = systemClock.now() + OFFERED_MS;
  for (;;) {
    const offered = (await listPrograms()).find((each) => each.id === program);
    if (offered) return { type: "stdio", manifest: { program, digest: computeProgramDigest(offered), values: {} } };
    if (systemClock.now() > untilMs) throw new AppError("runner_silent", { message: `${id}: no runner offers this server yet.` });
    await delay(LOOK_EVERY_MS);
  }
};

/** Activates a server, from any earlier state. */
export const bringUpServer = async (workspaceId: string, server: DemoServer, submit: SubmitRegistryCommand): Promise<void> => {
  const { id, name, labels, allowedAgents } = server;
  const known = await getMcpServer(workspaceId, id);
  // Keeps an admin's later changes.
  if (known && !UNFINISHED.includes(known.status)) return;
  const added = known?.revision ?? (await revisionAfter(submit, { type: "add", id, name, transport: await transportOf(server) }));
  await revisionAfter(submit, { type: "inspect", id, revision: added });

  const row = await rowOf(workspaceId, id);
  if (row.tools.length === 0) throw new AppError("server_unreachable", { message: `${id}: ${row.lastError ?? "no tools"}` });
  let revision = await revisionAfter(submit, { type: "pin", id, revision: row.revision, expect: seenDigests(row) });
  revision = await revisionAfter(submit, { type: "set_labels", id, revision, labels });
  revision = await revisionAfter(submit, { type: "set_allowed_agents", id, revision, agents: [...allowedAgents] });
  await revisionAfter(submit, { type: "activate", id, revision });
};

/** Lists a server again that changes after its review, which suspends it. */
export const showDrift = async (workspaceId: string, { id }: DemoServer, submit: SubmitRegistryCommand): Promise<void> => {
  const { status, revision } = await rowOf(workspaceId, id);
  if (status === "active") await lookAgain(submit, id, revision);
};
