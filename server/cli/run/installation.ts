import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { PinnedTool, PublishedGraph } from "@/lib/graph/document";
import type { PublishedVersion } from "@/lib/graph/facts/facts";
import { getToolId } from "@/lib/graph/tool-ref";
import { executeInProcess } from "@/server/executors/registry";
import { systemClock } from "@/server/clock";
import type { Mcp } from "@/server/mcp/contract";
import { useSameModels, type Models } from "@/server/models/contract";
import type { RunnerDeps } from "@/server/runner/deps";
import { createStopSwitches } from "@/server/runner/stop-switch";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { loadSignerFromPem, type Signer } from "@/server/security/keyring";
import { createVault } from "@/server/security/vault";
import { publishVersion } from "@/server/store/graphs/versions";
import { createGraph } from "@/server/store/graphs/graphs";
import { createHeadlessWorkspace } from "@/server/store/runs/headless";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { listPartProblems, type Part } from "@/server/cli/graph-parts";
import type { CliProblem } from "@/server/cli/problem";
import { STARTER } from "./decisions";

const LEASE_MS = 60_000;
const VAULT_KEY_BYTES = 32;

export const throwAwaySigner = (): Signer =>
  loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());

export const throwAwayAnchor = ({ kid, publicKey }: Signer): TrustAnchor => createAnchor({ kid, public_key: publicKey, since: 0 });

/** Builds dependencies. @param notify called after each record */
export const createRunnerDeps = async (signer: Signer, mcp: Mcp, models: Models, notify: () => void): Promise<RunnerDeps> => {
  useTrustAnchor(throwAwayAnchor(signer));
  const authority = createAuthorityReader({ publicKeys: listPublicKeys });

  return {
    clock: systemClock,
    signer,
    vault: createVault(randomBytes(VAULT_KEY_BYTES).toString("hex")),
    mcp,
    journal: createMemoryJournal(systemClock),
    modelsFor: useSameModels(models),
    execute: executeInProcess,
    publicKeys: listPublicKeys,
    authority,
    notify,
    leaseMs: LEASE_MS,
    switches: createStopSwitches(authority),
  };
};

const lowered = (tools: readonly PinnedTool[], spokenOf: ReadonlySet<string>): PinnedTool[] =>
  tools.map((tool) => (spokenOf.has(getToolId(tool.server, tool.tool)) ? tool : { ...tool, effect: "read" }));

/**
 * Lists problems. Undeclared tools need no drawn gate: pinned as irreversible, they open one per call.
 * @param spokenOf declared tools, as `server__tool`
 */
export const runProblems = (parts: readonly Part[], spokenOf: ReadonlySet<string>): CliProblem[] => {
  const lower = <T extends { readonly tools: PinnedTool[] }>(held: T): T => ({ ...held, tools: lowered(held.tools, spokenOf) });
  const versions = ({ context }: Part): readonly PublishedVersion[] =>
    context.versions.map(({ version, published }) => ({
      version,
      published: { ...lower(published), subgraphs: published.subgraphs.map(lower) },
    }));

  return listPartProblems(
    parts.map((part) => ({
      ...part,
      context: { ...part.context, tools: lowered(part.context.tools, spokenOf), versions: versions(part) },
    })),
  );
};

export type Place = {
  readonly workspaceId: string;
  readonly graphHash: string;
  readonly published: PublishedGraph;
  readonly people: ReadonlyMap<string, string>;
};

const publishPart = async (workspaceId: string, authorId: string, { file, version: { published } }: Part): Promise<void> => {
  const { id: graphId } = await createGraph(workspaceId, { document: file.graph, authorId });
  await publishVersion(workspaceId, { graphId, published, authorId });
};

/** Publishes all parts. @param parts in publishing order; the last one runs */
export const publishHeadless = async (parts: readonly Part[], reviewers: readonly string[]): Promise<Place> => {
  const last = parts.at(-1);
  if (!last) throw new Error("there is no graph to publish");
  const workspaceId = systemClock.id();
  const starterId = systemClock.id();
  const people = reviewers.map((name) => ({ id: systemClock.id(), name, role: "reviewer" as const }));
  await createHeadlessWorkspace(workspaceId, "countersign run", [{ id: starterId, name: STARTER, role: "builder" }, ...people]);
  for (const part of parts) await publishPart(workspaceId, starterId, part);

  return {
    workspaceId,
    graphHash: last.version.version,
    published: last.version.published,
    people: new Map([[STARTER, starterId], ...people.map(({ id, name }) => [name, id] as const)]),
  };
};
