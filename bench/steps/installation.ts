/** No processes. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import type { BenchServer } from "@/bench/server";
import { createAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { CommandBody } from "@/lib/engine/proposal";
import { computeVersionHash } from "@/lib/graph/publish";
import type { PublishedGraph } from "@/lib/graph/document";
import { toCanonicalJson, type Json } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { useSameModels } from "@/server/models/contract";
import { executeInProcess } from "@/server/executors/registry";
import { createModels } from "@/server/models/sdk/in-process";
import { adoptRows } from "@/server/runner/adopt";
import { createStopSwitches } from "@/server/runner/stop-switch";
import type { RunnerDeps } from "@/server/runner/deps";
import { openJournal } from "@/server/security/journal/journal";
import { loadSignerFromPem } from "@/server/security/keyring";
import { createVault } from "@/server/security/vault";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { userAuthor, writeCommand } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { getText } from "./contestant";

export const installedSchema = z.object({
  urls: z.object({ admin: z.string(), web: z.string(), runner: z.string(), customers: z.string() }),
  keys: z.object({ pem: z.string(), vault: z.string() }),
  workspace: z.string(),
  /** Publishes and starts everything. */
  person: z.string(),
});
export type Installed = z.infer<typeof installedSchema>;

export const install = async (server: BenchServer): Promise<Installed> => {
  const urls = await server.migrated();
  const [workspace, person] = [randomUUID(), randomUUID()];
  await queryOn(urls.admin, "insert into workspace (id, name) values ($1, 'Bench')", [workspace]);
  await queryOn(urls.admin, "insert into app_user (id, email, name) values ($1, 'builder@example.com', 'Builder')", [person]);
  await queryOn(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'builder')", [workspace, person]);
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

  return { urls, keys: { pem, vault: randomBytes(32).toString("hex") }, workspace, person };
};

/** @returns the version's hash */
export const publishVersion = async ({ urls, workspace, person }: Installed, published: PublishedGraph): Promise<string> => {
  const [hash, graph] = [computeVersionHash(published), randomUUID()];
  await queryOn(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, graph, published.graph.name]);
  await queryOn(
    urls.admin,
    "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 1, $4, $5)",
    [workspace, hash, graph, toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json), person],
  );

  return hash;
};

/** @param notify called after each record */
export const createRunnerDeps = async (
  { keys, workspace }: Installed,
  leaseMs: number,
  notify: RunnerDeps["notify"],
): Promise<RunnerDeps> => {
  const signer = loadSignerFromPem(keys.pem);
  useTrustAnchor(createAnchor({ kid: signer.kid, public_key: signer.publicKey, since: 0 }));

  const authority = createAuthorityReader({ publicKeys: listPublicKeys });
  const deps: RunnerDeps = {
    clock: systemClock,
    signer,
    vault: createVault(keys.vault),
    // No graph here has a tool.
    mcp: createLocalMcp({ clock: systemClock, installation: { home: os.tmpdir(), root: process.cwd() } }),
    journal: await openJournal(await mkdtemp(path.join(os.tmpdir(), "countersign-bench-")), systemClock),
    modelsFor: useSameModels(createModels({})),
    execute: executeInProcess,
    publicKeys: listPublicKeys,
    authority,
    notify,
    leaseMs,
    switches: createStopSwitches(authority),
  };
  await adoptRows(deps, deps.authority, workspace);

  return deps;
};

/** @returns run ids */
export const askForRuns = (
  { urls, keys, workspace, person }: Installed,
  graphHash: string,
  runs: number,
  stateBytes: number,
): Promise<string[]> => {
  const vault = createVault(keys.vault);
  const ask = async (): Promise<string> => {
    const runId = randomUUID();
    const inputs = { text: getText(stateBytes), count: 0 };
    const body: CommandBody = { kind: "start", graph_hash: graphHash, goal: "", constraints: [], inputs, model: "scripted:honest" };
    await writeCommand(urls.admin, { vault, clock: systemClock }, { workspace, runId, author: userAuthor(person), body });

    return runId;
  };

  return Promise.all(Array.from({ length: runs }, ask));
};
