import path from "node:path";
import type { Isolation, SandboxLevel } from "@/lib/mcp/isolation";
import { readEnv } from "@/server/env";
import { createLocalConnector } from "@/server/mcp/local-connector";
import { createMcp, type McpOptions, type McpService } from "@/server/mcp/service";
import { probeIsolation } from "@/server/sandbox/probe";
import { getMcpPolicy } from "@/server/security/mcp-policy";

type LocalOptions = Omit<McpOptions, "connector"> & {
  /** Default: probed on this machine. */
  readonly isolation?: () => Promise<Isolation>;
  /** Default: off, which halves start times. */
  readonly sandboxLevel?: SandboxLevel;
};

export const createLocalMcp = ({ isolation, sandboxLevel, ...options }: LocalOptions): McpService => {
  const installation = options.installation ?? { home: readEnv().COUNTERSIGN_HOME, root: process.cwd() };
  const scratch = path.join(installation.home, "scratch");
  const connector = createLocalConnector({
    installation,
    scratch,
    egress: options.egress ?? getMcpPolicy(),
    clock: options.clock,
    isolation: isolation ?? (() => probeIsolation(installation.root, scratch, readEnv().COUNTERSIGN_SERVER_UIDS.first)),
    sandboxLevel: sandboxLevel ?? "off",
  });

  return createMcp({ ...options, installation, connector });
};
