/** Carries out what an admin asked of the registry. Expected denials are outcomes; the caller's role is read again here. */
import { AppError } from "@/lib/errors";
import { PINNABLE, STATUS_STEPS, type StatusStep } from "@/lib/mcp/status";
import { registryCommandSchema, type RegistryCommand, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { NO_ACCESS, secretsOfAccess, type McpAccess } from "@/lib/mcp/access";
import type { McpTransport, TransportDraft } from "@/lib/mcp/transport";
import { may } from "@/lib/roles";
import { mayReferTo } from "@/lib/secrets/reference";
import { log } from "@/server/log";
import { checkUrl } from "@/server/security/egress-url";
import { currentMembership } from "@/server/store/commands";
import {
  addMcpServer,
  getMcpServer,
  moveMcpServer,
  pinMcpTools,
  setMcpAllowedAgents,
  setMcpLabels,
  setMcpLimits,
  setMcpTransport,
} from "@/server/store/mcp";
import { sealManifest } from "./manifest";
import type { McpService } from "./service";

type Of<T extends RegistryCommand["type"]> = Extract<RegistryCommand, { type: T }>;

const sealTransport = async (mcp: McpService, draft: TransportDraft): Promise<McpTransport> => {
  if (draft.type === "stdio") return { type: "stdio", manifest: await sealManifest(draft.manifest, mcp.installation) };
  const url = checkUrl(draft.url, mcp.egress);
  if (!url.ok) throw new AppError("egress_blocked");

  return draft;
};

/** What is kept for one server is told to that one alone. @throws AppError("bad_request") */
const accessOf = ({ id, access = NO_ACCESS }: Of<"add" | "set_transport">): McpAccess => {
  if (secretsOfAccess(access).every((name) => mayReferTo("mcp", id, name))) return access;

  throw new AppError("bad_request", { message: "A secret is named that is kept for something else." });
};

const revisionOf = async (mcp: McpService, workspaceId: string, id: string): Promise<number> => {
  const server = await getMcpServer(workspaceId, id, mcp.egress);
  if (!server) throw new AppError("not_found");

  return server.revision;
};

/** Looks at the server; why that failed is noted beside it. */
const tryInspect = async (mcp: McpService, workspaceId: string, id: string): Promise<void> => {
  await mcp.inspect(workspaceId, id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
};

/** Registers and looks at the server once. A server that cannot be reached stays registered, with the reason beside it. */
const add = async (mcp: McpService, workspaceId: string, command: Of<"add">): Promise<number> => {
  const transport = await sealTransport(mcp, command.transport);
  await addMcpServer(workspaceId, { id: command.id, name: command.name, transport, access: accessOf(command) }, mcp.egress);
  await tryInspect(mcp, workspaceId, command.id);

  return revisionOf(mcp, workspaceId, command.id);
};

const inspect = async (mcp: McpService, workspaceId: string, command: Of<"inspect">): Promise<number> => {
  await mcp.inspect(workspaceId, command.id);

  return revisionOf(mcp, workspaceId, command.id);
};

/** A new transport is a new server: nothing of it is trusted until it was reviewed. */
const setTransport = async (mcp: McpService, workspaceId: string, command: Of<"set_transport">): Promise<number> => {
  const transport = await sealTransport(mcp, command.transport);
  const revision = await setMcpTransport(workspaceId, command.id, command.revision, { transport, access: accessOf(command) }, mcp.egress);
  await mcp.evict(workspaceId, command.id);
  await tryInspect(mcp, workspaceId, command.id);

  return revision;
};

/** Looks again first: what is pinned is what the server has now and what the admin looked at. */
const pin = async (mcp: McpService, workspaceId: string, command: Of<"pin">): Promise<number> => {
  await mcp.inspect(workspaceId, command.id);

  return pinMcpTools(workspaceId, command.id, command.revision, new Map(Object.entries(command.expect)), PINNABLE, mcp.egress);
};

const step = async (mcp: McpService, workspaceId: string, command: Of<StatusStep>): Promise<number> => {
  const { from, to } = STATUS_STEPS[command.type];
  if (to === "active" && (await mcp.inspect(workspaceId, command.id)).length > 0) {
    throw new AppError("conflict", { message: "The server's tools are not the reviewed ones; review them first." });
  }
  const revision = await moveMcpServer(workspaceId, command.id, command.revision, {
    from,
    to,
    ...(to === "active" ? { lastError: null } : {}),
  });
  if (to !== "active") await mcp.evict(workspaceId, command.id);

  return revision;
};

const carryOut = (mcp: McpService, workspaceId: string, command: RegistryCommand): Promise<number> => {
  switch (command.type) {
    case "add":
      return add(mcp, workspaceId, command);
    case "inspect":
      return inspect(mcp, workspaceId, command);
    case "set_transport":
      return setTransport(mcp, workspaceId, command);
    case "pin":
      return pin(mcp, workspaceId, command);
    case "set_labels":
      return setMcpLabels(workspaceId, command.id, command.revision, command.tool, {
        effect: command.effect,
        idempotent: command.idempotent,
        output: command.output,
        outward: command.outward,
        clearance: command.clearance,
      });
    case "set_limits":
      return setMcpLimits(workspaceId, command.id, command.revision, command.tool, command.limits);
    case "set_allowed_agents":
      return setMcpAllowedAgents(workspaceId, command.id, command.revision, command.agents);
    case "activate":
    case "suspend":
    case "resume":
    case "revoke":
    default:
      return step(mcp, workspaceId, command);
  }
};

const refused = (error: AppError): RegistryOutcome => ({ ok: false, code: error.code, message: error.message });

/** @param body a `RegistryCommand` out of the database, not parsed yet */
export const applyRegistryCommand = async (
  mcp: McpService,
  workspaceId: string,
  userId: string,
  body: unknown,
): Promise<RegistryOutcome> => {
  const command = registryCommandSchema.safeParse(body);
  if (!command.success) return refused(new AppError("bad_request"));
  const membership = await currentMembership(workspaceId, userId);
  if (!membership || !may(membership.role, "mcp.manage")) return refused(new AppError("forbidden"));

  try {
    return { ok: true, revision: await carryOut(mcp, workspaceId, command.data) };
  } catch (error) {
    if (error instanceof AppError) return refused(error);
    log().error({ err: error, command: command.data.type }, "a registry command failed");

    return refused(new AppError("internal"));
  }
};
