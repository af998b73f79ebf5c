/** Content depends on the seed; salts and digests do not. */
import path from "node:path";
import { digestOf } from "@/lib/hash";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { PublishedGraph } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import type { Principal } from "@/lib/engine/principal";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import type { ProposalBody } from "@/lib/engine/proposal";
import { decide } from "@/lib/engine/decide";
import { createCopyOnWrite } from "@/lib/engine/copy-on-write";
import { createRunState } from "@/lib/engine/state";
import { readUrls } from "@/bin/start/database-file";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { systemClock } from "@/server/clock";
import { adoptRows } from "@/server/runner/adopt";
import { applyNote, signRecord, storeRecord } from "@/server/runner/commit";
import { loadSigner, type Signer } from "@/server/security/keyring";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { loadVault, type Vault } from "@/server/security/vault";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { notifyRuns } from "@/server/store/notify";
import { createRunHead, releaseLease, takeLease } from "@/server/store/ledger/run-heads";
import { closeConnections, queryOn } from "@/server/testing/connections";
import { longDesk } from "./desk";
import { continueRun, type Writing } from "./plays";

const RECORDS_EACH_VISIT = 3.2;
const LEASE_MS = 3_600_000;
const RECORD_MS = 130;

export type Seeded = {
  readonly runId: string;
  /** Extends slightly further; it ends with its rounds. */
  goOnTo(records: number, onProgress?: (records: number) => void): Promise<number>;
  close(): Promise<void>;
};

export type SeedOptions = {
  readonly seed: string;
  readonly records: number;
  /** Ms since 1970. */
  readonly startedAt: number;
};

const uuidOf = (seed: string, count: number): string => {
  const hex = digestOf("seed", [seed, count]);

  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

type Person = { readonly workspace: string; readonly id: string };

export type SeedPlace = {
  readonly urls: { readonly admin: string; readonly runner: string };
  readonly signer: Signer;
  readonly vault: Vault;
  readonly builder: Person;
  readonly reviewer: Person;
};

const personOf = async (admin: string, role: string): Promise<Person> => {
  const [person] = await queryOn<{ workspace_id: string; user_id: string }>(
    admin,
    `select m.workspace_id, m.user_id from membership m join workspace w on w.id = m.workspace_id where w.demo and m.role = $1 order by 2 limit 1`,
    [role],
  );
  if (!person) throw new Error(`the demo workspace has no ${role}`);

  return { workspace: person.workspace_id, id: person.user_id };
};

const publish = async (admin: string, builder: Person, published: PublishedGraph, graphId: string): Promise<string> => {
  const hash = computeVersionHash(published);
  await queryOn(admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [
    builder.workspace,
    graphId,
    published.graph.name,
  ]);
  await queryOn(
    admin,
    "insert into graph_version (workspace_id, hash, graph_id, number, document, author_id) values ($1, $2, $3, 1, $4, $5) on conflict do nothing",
    [builder.workspace, hash, graphId, toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json), builder.id],
  );

  return hash;
};

/** @throws Error unless `home` runs with its demo open */
export const installedPlace = async (home: string): Promise<SeedPlace> => {
  const urls = readUrls(home);
  if (!urls) throw new Error(`no installation has its state in ${path.resolve(home)}`);
  const [builder, reviewer] = await Promise.all([personOf(urls.admin, "builder"), personOf(urls.admin, "reviewer")]);

  useTrustAnchor(home);

  return { urls, signer: loadSigner(home), vault: loadVault(home), builder, reviewer };
};

/** Lost data is seeded again. */
const useQuickDatabase = (runnerUrl: string): Promise<void> =>
  useDatabase(`${runnerUrl}${runnerUrl.includes("?") ? "&" : "?"}options=-c%20synchronous_commit%3Doff`);

/** This process's database becomes the runner's until closed. */
export const seedRun = async (place: SeedPlace, { seed, records, startedAt }: SeedOptions): Promise<Seeded> => {
  const { urls, signer, vault, builder, reviewer } = place;
  await useQuickDatabase(urls.runner);
  // So that seeds do not share one.
  const published = longDesk(Math.max(1, Math.ceil(records / RECORDS_EACH_VISIT)));
  let made = 0;
  const fresh = () => uuidOf(seed, (made += 1));
  const [graphId, runId] = [fresh(), fresh()];
  const hash = await publish(urls.admin, builder, published, graphId);
  const { workspace: workspaceId } = builder;
  await adoptRows({ clock: systemClock, signer }, createAuthorityReader({ publicKeys: listPublicKeys }), workspaceId);
  await createRunHead({ workspaceId, runId, graphId, graphHash: hash, initiatorId: builder.id, at: startedAt });
  const epoch = (await takeLease(workspaceId, runId, LEASE_MS))?.leaseEpoch;
  if (epoch === undefined) throw new Error("another runner holds the lease of the seeded run");
  let state = createRunState(workspaceId, runId, hash, POLICY_HASH);
  const note = createCopyOnWrite();
  let at = startedAt;

  const writing: Writing = {
    published,
    reviewer: reviewer.id,
    epoch,
    round: 0,
    state: () => state,
    now: () => at,
    pass: (ms) => {
      at += ms;
    },
    propose: async (principal: Principal, body: ProposalBody) => {
      at += RECORD_MS;
      const proposal = {
        id: fresh(),
        workspace: workspaceId,
        run: runId,
        at,
        principal,
        epoch,
        fresh: [fresh(), fresh()] as [string, string],
        body,
      };
      const verdict = decide(published, state, proposal);
      const decided = signRecord(state, proposal, verdict, { published, command: null, signer, vault });
      await storeRecord(decided);
      state = applyNote(decided.state, decided.signed, note);

      return decided.verdict;
    },
  };
  await writing.propose(
    { type: "user", id: builder.id, role: "builder", auditor: false },
    {
      kind: "start",
      graph_hash: hash,
      goal: "Work through the mail",
      constraints: ["one case at a time"],
      inputs: { topic: "plans" },
      model: "scripted:honest",
      author: builder.id,
    },
  );

  return {
    runId,
    goOnTo: async (target, onProgress = () => undefined) => {
      while (state.version < target && (await continueRun(writing))) onProgress(state.version);
      await notifyRuns([runId]);

      return state.version;
    },
    close: async () => {
      await releaseLease(workspaceId, runId, epoch);
      await closeConnections();
      await closeDatabase();
    },
  };
};
