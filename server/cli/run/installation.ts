/** A whole installation for one run: keys that nobody keeps, people, servers, a published version. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Agent, Graph, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { publishedGraphOf } from "@/lib/graph/publish";
import { validateGraph } from "@/lib/graph/validate";
import { toolId } from "@/lib/graph/tool-ref";
import { systemClock } from "@/server/clock";
import type { Mcp } from "@/server/mcp/contract";
import type { Models } from "@/server/models/contract";
import type { RunnerDeps } from "@/server/runner/deps";
import { signerFromPem, type Signer } from "@/server/security/keyring";
import { vaultFrom } from "@/server/security/vault";
import { publishVersion } from "@/server/store/graph-versions";
import { createGraph } from "@/server/store/graphs";
import { createHeadlessWorkspace } from "@/server/store/headless";
import { registerPublicKey, listPublicKeys } from "@/server/store/signing-keys";
import { cliProblem, type CliProblem } from "@/server/cli/problem";
import { STARTER } from "./decisions";

const LEASE_MS = 60_000;
const VAULT_KEY_BYTES = 32;

export const throwAwaySigner = (): Signer =>
  signerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());

/** @param notify called after each record */
export const runnerDeps = async (signer: Signer, mcp: Mcp, models: Models, notify: () => void): Promise<RunnerDeps> => {
  await registerPublicKey(signer.kid, signer.publicKey);

  return {
    clock: systemClock,
    signer,
    vault: vaultFrom(randomBytes(VAULT_KEY_BYTES).toString("hex")),
    mcp,
    models,
    publicKeys: listPublicKeys,
    notify,
    leaseMs: LEASE_MS,
  };
};

/**
 * What keeps the graph from running. A tool that nobody has spoken of needs no drawn gate here: it is pinned as irreversible,
 * so the engine opens one before each call of it.
 * @param spokenOf tools whose effect the operator named, as `server__tool`
 */
export const runProblems = (
  graph: Graph,
  agents: readonly Agent[],
  tools: readonly PinnedTool[],
  spokenOf: ReadonlySet<string>,
): CliProblem[] =>
  validateGraph(graph, {
    agents,
    versions: [],
    tools: tools.map((tool) => (spokenOf.has(toolId(tool.server, tool.tool)) ? tool : { ...tool, effect: "read" })),
  }).map(cliProblem);

export type Place = {
  readonly workspaceId: string;
  readonly graphHash: string;
  readonly published: PublishedGraph;
  readonly people: ReadonlyMap<string, string>;
};

/** @param reviewers by name */
export const publishHeadless = async (
  graph: Graph,
  agents: readonly Agent[],
  tools: readonly PinnedTool[],
  reviewers: readonly string[],
): Promise<Place> => {
  const workspaceId = systemClock.id();
  const starterId = systemClock.id();
  const people = reviewers.map((name) => ({ id: systemClock.id(), name, role: "reviewer" as const }));
  await createHeadlessWorkspace(workspaceId, "countersign run", [{ id: starterId, name: STARTER, role: "builder" }, ...people]);
  const published = publishedGraphOf(graph, { agents, tools, versions: [] });
  const { id: graphId } = await createGraph(workspaceId, { document: graph, authorId: starterId });
  const { hash } = await publishVersion(workspaceId, { graphId, published, authorId: starterId });

  return {
    workspaceId,
    graphHash: hash,
    published,
    people: new Map([[STARTER, starterId], ...people.map(({ id, name }) => [name, id] as const)]),
  };
};
