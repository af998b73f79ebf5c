import { AppError } from "@/lib/errors";
import type { Program, StdioManifest } from "@/lib/mcp/program";
import { openEnvironment } from "@/server/mcp/credentials";
import { MCP_LIMITS } from "@/server/mcp/limits";
import type { Opened } from "@/server/mcp/open-program";
import type { OpenedSecrets } from "@/server/mcp/open-transport";
import { buildContainerLaunch } from "@/server/mcp/programs/launch";
import { createProcessTransport } from "@/server/mcp/stdio-transport";
import type { StartContainer } from "./client";

/** The broker checks it all again. */
export const openContainer = (program: Program, manifest: StdioManifest, secrets: OpenedSecrets, start: StartContainer | null): Opened => {
  if (!start) throw new AppError("containers_missing");
  const { secrets: told } = openEnvironment(buildContainerLaunch(program, manifest, {}).env, secrets);

  return {
    transport: createProcessTransport(() => start(manifest, secrets), { secrets: told, maxMessageBytes: MCP_LIMITS.maxMessageBytes }),
    secrets: told,
    dispose: async () => undefined,
  };
};
