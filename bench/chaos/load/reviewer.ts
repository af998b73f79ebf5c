import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { getClearance } from "@/lib/engine/approvals/policy";
import { getPublishedHere } from "@/lib/engine/frame";
import { loadRun } from "@/server/runner/load";
import type { Vault } from "@/server/security/vault";
import { listPublicKeys } from "@/server/security/trust-anchor";
import type { Ask } from "@/bench/chaos/ask";
import type { People } from "@/bench/chaos/load/people";
import type { RunScript } from "@/bench/chaos/load/script";
import type { Version, Workspace } from "@/bench/chaos/load/workspace";

const LOOK_MS = 400;
const AGAIN_MS = 4_000;

const gateSchema = z.object({ id: z.string(), run: z.string(), version: z.number(), head: z.string(), hash: z.string() });
type Gate = z.infer<typeof gateSchema>;

const OPEN = `select a.id, a.run_id as run, r.version, r.head, r.graph_hash as hash from approval a join run r on r.id = a.run_id
  where a.status = 'open' and a.run_id <> all($1) order by a.opened_at limit 40`;

export type Reviewer = { stop(): Promise<void> };

type Deps = {
  readonly ask: Ask;
  readonly people: People;
  readonly workspace: Workspace;
  readonly vault: Vault;
  readonly scripts: ReadonlyMap<string, Pick<RunScript, "gates">>;
};

const decide = async ({ people, workspace, vault, scripts }: Deps, gate: Gate, version: Version): Promise<void> => {
  const place = { workspaceId: workspace.id, runId: gate.run, version: gate.version, digest: gate.head };
  const { state } = await loadRun(vault, await listPublicKeys(), place, gate.hash);
  const found = state.gates[gate.id];
  if (found?.status !== "open") return;
  const view = buildApprovalView(
    getPublishedHere(version.published, state),
    state,
    found,
    getClearance({ role: "reviewer", auditor: false }),
  );
  const decision = scripts.get(gate.run)?.gates === "reject" ? "reject" : "approve";
  await people.ask(gate.run, workspace.people.reviewer, {
    kind: "decision",
    approval_id: gate.id,
    transition_digest: found.gate.transition_digest,
    view_digest: computeViewDigest(view),
    decision,
    ...(decision === "reject" ? { reason: "No." } : {}),
    nonce: found.gate.nonce,
  });
};

export const startReviewer = (deps: Deps): Reviewer => {
  const { ask, workspace, scripts } = deps;
  const byHash = new Map(Object.values(workspace.versions).map((version) => [version.hash, version]));
  const decidedAt = new Map<string, number>();
  const left = [...scripts].flatMap(([run, { gates }]) => (gates === "leave" ? [run] : []));
  const stopped = new AbortController();

  const look = async (): Promise<void> => {
    const gates = z.array(gateSchema).parse(await ask(OPEN, [left]));
    for (const gate of gates) {
      const version = byHash.get(gate.hash);
      if (!version || Date.now() - (decidedAt.get(gate.id) ?? 0) < AGAIN_MS) continue;
      decidedAt.set(gate.id, Date.now());
      // The run moved, or the database is away: retried.
      await decide(deps, gate, version).catch(() => undefined);
    }
  };
  const work = (async () => {
    while (!stopped.signal.aborted) {
      await look().catch(() => undefined);
      await wait(LOOK_MS);
    }
  })();

  return {
    stop: async () => {
      stopped.abort();
      await work;
    },
  };
};
