/** MCP as the runner has it: the port that runs call through, and the operations of the registry. */
import type { ToolDrift } from "@/lib/mcp/drift";
import type { Clock } from "@/server/clock";
import { env } from "@/server/env";
import { PUBLIC_ONLY, type EgressPolicy } from "@/server/security/egress-url";
import { AppError } from "@/lib/errors";
import { createCall, createCheck } from "./call";
import type { Mcp } from "./contract";
import { inspectServer } from "./inspect";
import { createManager } from "./manager";
import type { Installation } from "./manifest";

export type McpOptions = {
  readonly clock: Clock;
  /** Raw Ed25519 public keys (base64url) by kid: all that the customers server needs to check receipts. */
  readonly publicKeys: () => Promise<Readonly<Record<string, string>>>;
  /** Default: COUNTERSIGN_HOME, and the folder this process was started in. */
  readonly installation?: Installation;
  /** The database URL of the customers role. Default: COUNTERSIGN_CUSTOMERS_URL. */
  readonly customersUrl?: string;
  /** Tests open their own local origins here. */
  readonly egress?: EgressPolicy;
  readonly callTimeoutMs?: number;
};

export type McpService = Mcp & {
  readonly installation: Installation;
  readonly egress: EgressPolicy;
  /** Connects, lists and stores what the server says; drift suspends it. */
  inspect(workspaceId: string, id: string): Promise<readonly ToolDrift[]>;
  /** Ends the server's connection and its process. */
  evict(workspaceId: string, id: string): Promise<void>;
};

/** Opens nothing until something is called. */
export const createMcp = (options: McpOptions): McpService => {
  const egress = options.egress ?? PUBLIC_ONLY;
  const installation = options.installation ?? { home: env().COUNTERSIGN_HOME, root: process.cwd() };
  const customers = async (): Promise<Record<string, string>> => {
    const url = options.customersUrl ?? env().COUNTERSIGN_CUSTOMERS_URL;
    if (url === undefined) throw new AppError("server_unreachable", { message: "The customers server has no database." });

    return { DATABASE_URL: url, COUNTERSIGN_PUBLIC_KEYS: JSON.stringify(await options.publicKeys()) };
  };
  const manager = createManager({
    installation,
    egress,
    environments: { customers },
    clock: options.clock,
    ...(options.callTimeoutMs === undefined ? {} : { callTimeoutMs: options.callTimeoutMs }),
  });

  return {
    installation,
    egress,
    call: createCall(manager, egress),
    check: createCheck(manager, egress),
    inspect: (workspaceId, id) => inspectServer(manager, workspaceId, id, egress),
    evict: manager.evict,
    close: manager.close,
  };
};
