/** Rereads the caller's role. */
import { randomUUID } from "node:crypto";
import { toRegistryChange } from "@/lib/admin-change";
import type { Countersigned } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { hasDrift } from "@/lib/mcp/drift";
import { listSecretNames } from "@/lib/mcp/secret-names";
import { mcpStatusSchema, PINNABLE, STATUS_STEPS, type McpStatus, type StatusStep } from "@/lib/mcp/status";
import { findLoosening, registryCommandSchema, type RegistryCommand, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import type { McpTransport } from "@/lib/mcp/transport";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { canReferTo } from "@/lib/secrets/reference";
import { log } from "@/server/log";
import { checkUrl } from "@/server/security/egress-url";
import { createEgressBlocked } from "./blocked";
import {
  addMcpServer,
  getMcpServer,
  moveMcpServer,
  pinMcpTools,
  setMcpAllowedAgents,
  setMcpBlocked,
  setMcpLabels,
  setMcpLimits,
  setMcpTransport,
} from "@/server/store/mcp/servers";
import { isAuthorityError, ProjectionMismatch } from "@/server/store/trust/authority";
import type { RecordStep } from "@/server/store/mcp/settings";
import { demandForDemo } from "./manager";
import { checkManifest } from "./programs/launch";
import type { McpService } from "./service";
import { recordStepBy } from "./steps";

type Of<T extends RegistryCommand["type"]> = Extract<RegistryCommand, { type: T }>;

type Asked = {
  readonly mcp: McpService;
  readonly workspaceId: string;
  readonly by: Extract<Principal, { type: "user" }>;
  readonly commandId: string;
  /** The author's signed statements. */
  readonly also?: readonly Countersigned[];
};

/** @throws AppError */
const demandTransport = async ({ mcp, workspaceId }: Asked, transport: McpTransport): Promise<McpTransport> => {
  if (await mcp.isDemo(workspaceId)) demandForDemo(transport);
  if (transport.type === "stdio") await checkManifest(transport.manifest, mcp.installation);
  else {
    const url = checkUrl(transport.url, mcp.egress);
    if (!url.ok) throw createEgressBlocked(url.error);
  }

  return transport;
};

/** A secret goes to its own server only. @throws AppError("bad_request") */
const accessOf = ({ id, transport, access = NO_ACCESS }: Of<"add" | "set_transport">): McpAccess => {
  if (listSecretNames({ transport, access }).every((name) => canReferTo("mcp", id, name))) return access;

  throw new AppError("bad_request", { message: "A secret is named that is kept for something else." });
};

const revisionOf = async (mcp: McpService, workspaceId: string, id: string): Promise<number> => {
  const server = await getMcpServer(workspaceId, id, mcp.egress);
  if (!server) throw new AppError("not_found");

  return server.revision;
};

const recordOf = ({ mcp, workspaceId, by, commandId, also = [] }: Asked, { id, type }: RegistryCommand): RecordStep | null =>
  mcp.record && recordStepBy(mcp.record, workspaceId, id, type, { by, commandId, also });

/** @returns events or a refusal */
const verifySigned = async ({ mcp, workspaceId, by }: Asked, command: RegistryCommand): Promise<readonly Countersigned[] | RefusalCode> => {
  const server = mcp.verifyChange && (await getMcpServer(workspaceId, command.id, mcp.egress));
  const loosening = server && findLoosening(command, server);

  return loosening ? ((await mcp.verifyChange?.(workspaceId, by.id, toRegistryChange(loosening))) ?? []) : [];
};

/** Neither starts nor connects. */
const add = async (asked: Asked, command: Of<"add">): Promise<number> => {
  const { mcp, workspaceId } = asked;
  const transport = await demandTransport(asked, command.transport);
  const server = { id: command.id, name: command.name, transport, access: accessOf(command) };
  await addMcpServer(workspaceId, server, mcp.egress, recordOf(asked, command));

  return revisionOf(mcp, workspaceId, command.id);
};

/** @throws AppError not_found or conflict */
const demandServer = async (
  { mcp, workspaceId }: Asked,
  { id, revision }: Of<"inspect" | "pin" | StatusStep>,
  from: readonly McpStatus[],
) => {
  const server = await getMcpServer(workspaceId, id, mcp.egress);
  if (!server) throw new AppError("not_found");
  if (server.revision !== revision || !from.includes(server.status)) throw new AppError("conflict");
};

const inspect = async (asked: Asked, command: Of<"inspect">): Promise<number> => {
  const { mcp, workspaceId } = asked;
  await demandServer(asked, command, mcpStatusSchema.options);
  await mcp.inspect(workspaceId, command.id);

  return revisionOf(mcp, workspaceId, command.id);
};

/** A new transport needs a review. */
const setTransport = async (asked: Asked, command: Of<"set_transport">): Promise<number> => {
  const { mcp, workspaceId } = asked;
  const way = { transport: await demandTransport(asked, command.transport), access: accessOf(command) };
  const revision = await setMcpTransport(workspaceId, command.id, command.revision, way, mcp.egress, recordOf(asked, command));
  await mcp.evict(workspaceId, command.id);

  return revision;
};

/** Only what the server has now and the admin reviewed. */
const pin = async (asked: Asked, command: Of<"pin">): Promise<number> => {
  const { mcp, workspaceId } = asked;
  await demandServer(asked, command, PINNABLE);
  await mcp.inspect(workspaceId, command.id);

  return pinMcpTools(workspaceId, command.id, command.revision, new Map(Object.entries(command.expect)), PINNABLE, mcp.egress, {
    identity: command.identity,
    record: recordOf(asked, command),
  });
};

const step = async (asked: Asked, command: Of<StatusStep>): Promise<number> => {
  const { mcp, workspaceId } = asked;
  const { from, to } = STATUS_STEPS[command.type];
  await demandServer(asked, command, from);
  if (to === "active" && hasDrift(await mcp.inspect(workspaceId, command.id))) {
    throw new AppError("conflict", { message: "The server is not the reviewed one; review it first." });
  }
  const revision = await moveMcpServer(
    workspaceId,
    command.id,
    command.revision,
    { from, to, ...(to === "active" ? { lastError: null } : {}) },
    recordOf(asked, command),
  );
  if (to !== "active") await mcp.evict(workspaceId, command.id);

  return revision;
};

const carryOut = (asked: Asked, command: RegistryCommand): Promise<number> => {
  const { workspaceId } = asked;
  const { id } = command;
  const record = recordOf(asked, command);
  switch (command.type) {
    case "add":
      return add(asked, command);
    case "inspect":
      return inspect(asked, command);
    case "set_transport":
      return setTransport(asked, command);
    case "pin":
      return pin(asked, command);
    case "set_labels":
      return setMcpLabels(workspaceId, id, command.revision, command.labels, record);
    case "set_limits":
      return setMcpLimits(workspaceId, id, command.revision, command.tool, command.limits, record);
    case "set_allowed_agents":
      return setMcpAllowedAgents(workspaceId, id, command.revision, command.agents, record);
    case "block_tool":
    case "unblock_tool":
      return setMcpBlocked(workspaceId, id, command.revision, command.tool, command.type === "block_tool", record);
    case "activate":
    case "suspend":
    case "resume":
    case "revoke":
      return step(asked, command);
    default:
      return command satisfies never;
  }
};

const refused = (error: AppError): RegistryOutcome => ({ ok: false, code: error.code, message: error.message });

/** Failed inspections are no steps. */
const recordRefused = async ({ mcp, workspaceId, by, commandId }: Asked, command: RegistryCommand, code: RefusalCode): Promise<void> => {
  if (command.type === "inspect") return;
  const { id: subject, type } = command;
  await mcp.record?.(workspaceId, { by, subject, step: type, before: null, after: null, refused: code, commandId });
};

/** Handles a command. @param by null: not a member @param body unparsed */
export const applyRegistryCommand = async (
  mcp: McpService,
  workspaceId: string,
  by: Extract<Principal, { type: "user" }> | null,
  body: unknown,
  commandId: string = randomUUID(),
): Promise<RegistryOutcome> => {
  const parsed = registryCommandSchema.safeParse(body);
  if (!parsed.success) return refused(new AppError("bad_request"));
  const command = parsed.data;
  if (!by) return refused(new AppError("forbidden"));
  const asked: Asked = { mcp, workspaceId, by, commandId };
  if (!isAllowed(by.role, "mcp.manage")) {
    await recordRefused(asked, command, "role_missing");

    return refused(new AppError("forbidden"));
  }

  try {
    const also = await verifySigned(asked, command);
    if (typeof also === "string") {
      await recordRefused(asked, command, also);

      return { ok: false, code: "refused", message: REFUSALS[also].message };
    }

    return { ok: true, revision: await carryOut({ ...asked, also }, command) };
  } catch (error) {
    if (isAuthorityError(error)) {
      const code = error instanceof ProjectionMismatch ? "projection_mismatch" : "authority_unverified";
      await recordRefused(asked, command, code);

      return refused(new AppError("conflict", { message: REFUSALS[code].message }));
    }
    if (!(error instanceof AppError)) log().error({ err: error, command: command.type }, "a registry command failed");
    await recordRefused(asked, command, "step_refused");

    return refused(error instanceof AppError ? error : new AppError("internal"));
  }
};
