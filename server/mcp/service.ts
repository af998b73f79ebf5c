import type { ServerDrift } from "@/lib/mcp/drift";
import type { Program } from "@/lib/mcp/program";
import type { Clock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import type { EgressPolicy } from "@/server/security/egress-url";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import { AppError } from "@/lib/errors";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import { getAnchorFile } from "@/server/security/anchor-file";
import type { Vault } from "@/server/security/vault";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { isDemo } from "@/server/store/people/principals";
import { readSecret, getSecretVersions } from "@/server/store/ledger/secrets";
import { createAdmission } from "./admission";
import { createCall, createCheck, createStanding } from "./call";
import { createTryOut, type TryOut } from "./console";
import type { Connector } from "./connector";
import type { Mcp } from "./contract";
import { inspectServer } from "./inspect";
import { createHealth } from "./health";
import type { ReadSecret } from "./open-transport";
import { createManager } from "./manager";
import { takeOverPrograms, type ProgramUpdate } from "./program-updates";
import type { Installation } from "./programs/installation";
import { createPresentPrograms } from "./programs/present";
import { createProgressKeeper } from "./progress";
import { createReadResource, createResourceChanges, type ReadRemote, type ResourceChanges } from "./read-resource";
import type { RecordMcpStep, VerifyChange } from "./steps";

export type McpOptions = {
  readonly clock: Clock;
  /** Default: COUNTERSIGN_HOME and the working folder. */
  readonly installation?: Installation;
  /** Default: COUNTERSIGN_CUSTOMERS_URL. */
  readonly customersUrl?: string;
  /** Default: the environment's. */
  readonly egress?: EgressPolicy;
  readonly connector: Connector;
  /** For calls without their own limits. */
  readonly callTimeoutMs?: number;
  /** Default: progress is not kept. */
  readonly vault?: Vault;
  /** Default, for tests: rows count unverified. */
  readonly authority?: AuthorityReader;
  /** Default, for tests: not recorded. */
  readonly record?: RecordMcpStep;
  /** Default, for tests: no signature needed. */
  readonly verifyChange?: VerifyChange;
};

export type McpService = Mcp & {
  readonly installation: Installation;
  readonly egress: EgressPolicy;
  readonly record: RecordMcpStep | null;
  readonly verifyChange: VerifyChange | null;
  /** Those that can start here; none while the list is unreadable. */
  programs(): Promise<readonly Program[]>;
  readonly isDemo: (workspaceId: string) => Promise<boolean>;
  /** Drift suspends the server. */
  inspect(workspaceId: string, id: string): Promise<ServerDrift>;
  /** At start. */
  takeOverPrograms(): Promise<readonly ProgramUpdate[]>;
  readonly tryOut: TryOut;
  readonly resources: { readonly read: ReadRemote; readonly takeChanged: ResourceChanges["take"] };
  evict(workspaceId: string, id: string): Promise<void>;
};

const secretsOf = (vault: Vault | undefined): ReadSecret => ({
  open: async (workspace, name, scope) => (vault ? readSecret(vault, workspace, name, scope) : null),
  version: getSecretVersions,
});

/** Opens nothing until called. */
export const createMcp = (options: McpOptions): McpService => {
  const egress = options.egress ?? getMcpPolicy();
  const installation = options.installation ?? { home: readEnv().COUNTERSIGN_HOME, root: process.cwd() };
  const customers = (): Record<string, string> => {
    const url = options.customersUrl ?? readEnv().COUNTERSIGN_CUSTOMERS_URL;
    if (url === undefined) throw new AppError("server_unreachable", { message: "The customers server has no database." });

    return { DATABASE_URL: url, COUNTERSIGN_TRUST_ANCHOR: getAnchorFile(installation.home) };
  };
  const { authority = null } = options;
  const present = createPresentPrograms(installation, options.clock);
  const changes = createResourceChanges();
  const connector: Connector = {
    ...options.connector,
    open: (opening) => {
      const { workspace, server, transport } = opening;

      return options.connector
        .open(opening, (uri) => changes.note({ workspace, server, uri }))
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === "manifest_invalid" && transport.type === "stdio")
            present.doubt(transport.manifest.program);
          throw error;
        });
    },
  };
  const isDemoWorkspace = async (workspaceId: string): Promise<boolean> => authority !== null && isDemo(authority, workspaceId);
  const manager = createManager({
    isDemo: isDemoWorkspace,
    installation,
    environments: { customers },
    secrets: secretsOf(options.vault),
    connector,
  });
  const { callTimeoutMs = null } = options;
  const health = createHealth();
  const progress = createProgressKeeper(options.vault ?? null);
  const record = options.record ?? null;
  const deps = {
    record,
    authority,
    manager,
    egress,
    clock: options.clock,
    admission: createAdmission(options.clock),
    health,
    progress,
    limits: callTimeoutMs === null ? DEFAULT_CALL_LIMITS : { ...DEFAULT_CALL_LIMITS, timeout_ms: callTimeoutMs, total_ms: callTimeoutMs },
  };

  return {
    installation,
    egress,
    record,
    verifyChange: options.verifyChange ?? null,
    programs: () =>
      present.list().catch((error: unknown) => {
        log().error({ err: error }, "the operator's list of programs cannot be read");

        return [];
      }),
    isDemo: isDemoWorkspace,
    call: createCall(deps),
    check: createCheck(deps),
    tryOut: createTryOut(deps),
    resources: { read: createReadResource(deps, changes), takeChanged: changes.take },
    standing: createStanding(deps),
    inspect: (workspaceId, id) => inspectServer(deps, workspaceId, id),
    takeOverPrograms: async () => (record ? takeOverPrograms({ ...deps, record, installation }) : []),
    evict: manager.evict,
    close: async () => {
      await manager.close();
      await Promise.all([health.close(), progress.close()]);
    },
  };
};
