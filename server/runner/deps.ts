import type { CodeRunner } from "@/server/code/code-runner";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { Clock } from "@/server/clock";
import type { ExecuteNode } from "@/server/executors/contract";
import type { Mcp } from "@/server/mcp/contract";
import type { Circuits } from "@/server/models/circuits";
import type { ModelsFor } from "@/server/models/contract";
import type { Stop } from "@/server/runner/graceful-drain";
import type { SaidKeeper } from "@/server/runner/said";
import type { StopSwitches } from "@/server/runner/stop-switch";
import type { Journal } from "@/server/security/journal/journal";
import type { Signer } from "@/server/security/keyring";
import type { Vault } from "@/server/security/vault";
import type { AuthorityReader } from "@/server/store/trust/authority";

export type RunnerDeps = {
  readonly clock: Clock;
  readonly signer: Signer;
  readonly vault: Vault;
  readonly mcp: Mcp;
  readonly modelsFor: ModelsFor;
  /** Absent: no provider is refused while it is down. */
  readonly circuits?: Pick<Circuits, "probe">;
  readonly execute: ExecuteNode;
  /** Absent: no code runs. */
  readonly code?: CodeRunner;
  /** Absent: nothing streams. */
  readonly said?: SaidKeeper;
  /** State remembered outside the database. */
  readonly journal: Journal;
  /** The only keys used for verification. */
  readonly publicKeys: () => Promise<PublicKeys>;
  readonly authority: AuthorityReader;
  /** Never waits or fails. */
  readonly notify: (runId: string) => void;
  readonly leaseMs: number;
  /** Tracks work that a drain must not interrupt. */
  readonly track?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly stop?: Stop;
  readonly switches: StopSwitches;
};
