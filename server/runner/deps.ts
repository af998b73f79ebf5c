/** What the runner is given: everything that reaches outside is here, so that a test can start one as it likes. */
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { Clock } from "@/server/clock";
import type { ExecuteNode } from "@/server/executors/contract";
import type { Mcp } from "@/server/mcp/contract";
import type { ModelsFor } from "@/server/models/contract";
import type { Stop } from "@/server/runner/graceful-drain";
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
  readonly execute: ExecuteNode;
  /** What this control plane remembers outside the database. */
  readonly journal: Journal;
  /** The keys of the trust anchor as it is now; the only ones that anything is verified with. */
  readonly publicKeys: () => Promise<PublicKeys>;
  /** What the signed records of each workspace put in force. */
  readonly authority: AuthorityReader;
  /** Tells whoever watches a run that it has moved; never waits and never fails. */
  readonly notify: (runId: string) => void;
  readonly leaseMs: number;
  /** Runs what is not to be put down in the middle: from an intent on record to the call that it is for. */
  readonly track?: <T>(work: () => Promise<T>) => Promise<T>;
  /** When this process is told to end; without it nobody tells it to. */
  readonly stop?: Stop;
};
