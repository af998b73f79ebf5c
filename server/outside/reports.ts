import { z } from "zod";
import type { Json, JsonObject } from "@/lib/json";
import { buildHistory } from "@/lib/outside/history";
import { listActionNodes } from "@/lib/graph/actions";
import { listBlockedActions, listLegalActions } from "@/lib/outside/legal";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { openWholeRun } from "@/server/web/open-run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { runStanding } from "@/server/store/runs/runs";
import type { Standing } from "./answer";
import { openRun, type Opened } from "./open-run";

/** Lists each action with its legality or objection. */
export const describeNext = ({ caller, opened }: Standing): Json => {
  if (opened) {
    const legal = listLegalActions(opened.published, opened.state).map((action) => ({
      action,
      legal: true,
      reason: null,
      condition: null,
    }));

    return [...legal, ...listBlockedActions(opened.published, opened.state).map((blocked) => ({ ...blocked, legal: false }))];
  }
  const { graph } = caller.graph.published;

  return listActionNodes(graph).map(({ id }) => ({
    action: id,
    legal: id === graph.start_node,
    reason: id === graph.start_node ? null : "no_way_from_here",
    condition: null,
  }));
};

/** Converts to wire JSON. */
export const toPlain = (value: object): Json => z.json().parse(JSON.parse(JSON.stringify(value)));

const runsOf = async ({ caller, session, opened }: Standing): Promise<readonly Opened[]> => {
  const runs: Opened[] = [];
  for (const { runId } of session?.runs ?? []) {
    if (runId === opened?.runId) runs.push(opened);
    else if (await runStanding(caller.workspaceId, runId)) runs.push(await openRun(caller, runId));
  }

  return runs;
};

const MOST_ENTRIES = 500;

/** A fork repeats its parent's records. */
const ownEntries = (run: Opened, runs: readonly Opened[]): Json[] => {
  const { parentRun, parentSeq } = run.state.fork ?? { parentRun: null, parentSeq: 0 };
  const from = runs.some(({ runId }) => runId === parentRun) ? parentSeq : 0;
  const { entries } = buildHistory(run.published, run.entries, { limit: MOST_ENTRIES, sealed: run.sealed });

  return entries.filter(({ seq }) => seq >= from).map((entry) => toPlain({ ...entry, app_id: run.runId }));
};

export const listSessionHistory = async (standing: Standing): Promise<Json> => {
  const runs = await runsOf(standing);

  return runs.flatMap((run) => ownEntries(run, runs)).slice(-MOST_ENTRIES);
};

/** Verifies a run in Theodosia's form. */
export const describeVerification = async ({ caller, opened }: Standing): Promise<JsonObject> => {
  if (!opened) return { ok: true, entries: 0, head_hash: null, keyed: true, problems: [] };
  const { ledger } = await openWholeRun(caller.workspaceId, opened.runId);
  const verified = await verifyLedger(ledger, await listPublicKeys());
  const problems = verified.ok ? [] : [{ seq: verified.seq, reason: verified.reason }];

  return { ok: verified.ok, entries: ledger.records.length, head_hash: ledger.head.digest, keyed: true, problems };
};
