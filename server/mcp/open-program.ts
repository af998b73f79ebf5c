import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import type { Isolation, SandboxLevel } from "@/lib/mcp/isolation";
import type { ProcessFailure } from "@/lib/mcp/process-failure";
import type { StdioManifest } from "@/lib/mcp/program";
import type { Clock } from "@/server/clock";
import type { EgressPolicy } from "@/server/security/egress-url";
import { openEnvironment } from "./credentials";
import { MCP_LIMITS } from "./limits";
import type { OpenedSecrets } from "./open-transport";
import type { Installation } from "./programs/installation";
import type { Launch } from "./programs/launch";
import { createSandboxFor } from "./sandbox";
import { createStdioTransport } from "./stdio-transport";

export type ProgramOptions = {
  readonly installation: Installation;
  readonly scratch: string;
  readonly egress: EgressPolicy;
  readonly clock: Clock;
  readonly isolation: () => Promise<Isolation>;
  readonly sandboxLevel: SandboxLevel;
};

export type Opened = {
  readonly transport: Transport & { readonly failure?: () => Promise<ProcessFailure> };
  readonly secrets: readonly string[];
  dispose(): Promise<void>;
};

/** Error messages may contain a password without its URL. */
const secretsOf = (env: Readonly<Record<string, string>>): string[] => {
  const url = env["DATABASE_URL"];
  const password = url === undefined ? undefined : URL.parse(url)?.password;

  return [url, password].filter((secret): secret is string => secret !== undefined && secret.length >= 8);
};

export type ProgramOpening = {
  readonly manifest: StdioManifest;
  readonly launch: Launch;
  readonly secrets: OpenedSecrets;
  readonly environment: Readonly<Record<string, string>>;
};

/** @throws AppError("sandbox_missing"), or AppError("server_unreachable") naming a missing secret */
export const openProgram = async (opening: ProgramOpening, options: ProgramOptions): Promise<Opened> => {
  const { manifest, launch, environment: own } = opening;
  const given = openEnvironment(launch.env, opening.secrets);
  await mkdir(options.scratch, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(path.join(options.scratch, "mcp-"));
  const env = { ...given.env, ...own };
  const secrets = [...secretsOf(own), ...given.secrets];

  return {
    transport: createStdioTransport({
      command: launch.command,
      args: launch.args,
      env: { ...env, HOME: scratch, TMPDIR: scratch },
      secrets,
      cwd: scratch,
      sandbox: await createSandboxFor({ manifest, launch, env, scratch }, options),
      maxMessageBytes: MCP_LIMITS.maxMessageBytes,
    }),
    secrets,
    dispose: () => rm(scratch, { recursive: true, force: true }),
  };
};
