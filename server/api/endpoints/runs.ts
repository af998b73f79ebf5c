import { isTerminal } from "@/lib/engine/event";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { SERVICE_CLEARANCE } from "@/lib/engine/approvals/policy";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { demandGraph, demandRun, findRun, type Account } from "@/server/api/account";
import type { Handlers } from "@/server/api/endpoint";
import { createPlaces } from "@/server/api/places";
import { readCursor } from "@/server/api/problem";
import { findQueuedRun } from "@/server/api/queued-run";
import { findStarted, toStart } from "@/server/api/started-version";
import { receiveUpload } from "@/server/artifacts/upload";
import { systemClock } from "@/server/clock";
import { awaitRest } from "@/server/outside/command";
import { openApprovalsOf } from "@/server/store/approvals/approvals";
import { listRuns, runCursorSchema } from "@/server/store/runs/list";
import { getRun, type RunRow } from "@/server/store/runs/runs";
import { followRuns } from "@/server/trpc/routers/runs/live";
import { readState } from "@/server/trpc/routers/runs/state";
import { verifyStoredRun } from "@/server/trpc/routers/runs/verify-replay";
import { writeBundle } from "@/server/web/bundle-stream";
import { exportContent } from "@/server/web/export-run";
import { cancelRun, forkRun, startRun, submitToWait } from "@/server/trpc/run-commands";
import { deriveWaitToken, generateWaitToken } from "@/server/waits/wait-token";
import { getWaitUrl } from "@/server/waits/wait-url";
import { awaitOutcome, submitCommand } from "@/server/web/submit-command";

const toAsker = ({ workspaceId, author }: Account, command: string) => ({ workspaceId, author, command });

/** Waiting requests hold a connection, and ask the database twice a second. */
const waits = createPlaces({ perKey: 8, inAll: 64 });

const isAtRest = ({ status, frozen }: RunRow): boolean => frozen !== null || status === "waiting" || isTerminal(status);

export const RUNS: Handlers<
  | "createArtifact"
  | "listRuns"
  | "startRun"
  | "getRun"
  | "getRunState"
  | "followRun"
  | "exportRun"
  | "verifyRun"
  | "cancelRun"
  | "forkRun"
  | "takeWaitToken"
  | "answerWait"
> = {
  createArtifact: ({ account: { workspaceId, reader }, file }) => receiveUpload({ workspaceId, givenBy: reader.id }, file),

  listRuns: async ({ account, query: { cursor, limit, status, graphId, environment, waiting = false, active = false } }) => {
    if (graphId !== undefined) await demandGraph(account, graphId);
    const filter = runFilterSchema.parse({
      status: status ?? null,
      graphId: graphId ?? null,
      environment: environment ?? null,
      waiting,
      active,
    });
    const reader = { workspaceId: account.workspaceId, userId: account.token.ownerId, graphs: account.token.graphs };
    const page = await listRuns(reader, filter, { cursor: readCursor(runCursorSchema, cursor), limit });

    return { items: page.runs, nextCursor: page.nextCursor };
  },

  startRun: async ({ account, body, command }) => startRun(toAsker(account, command), toStart(body, await findStarted(account, body))),

  getRun: async ({ account, params: { runId }, query: { wait } }) => {
    const untilMs = systemClock.now() + wait * 1_000;
    const { workspaceId, token, signal } = account;
    const stored = await getRun(workspaceId, runId);
    const queued = stored ? null : await findQueuedRun(account, runId);
    const isDecided =
      queued && wait > 0 && (await waits.hold(token.id, () => awaitOutcome(workspaceId, runId, queued.command, wait * 1_000)));
    if (queued && !isDecided) return queued.run;
    const found = stored ? await demandRun(account, stored) : await findRun(account, runId);
    if (wait > 0 && !isAtRest(found)) {
      await waits.hold(token.id, () => awaitRest(account, runId, -1, { untilMs, signal, onProgress: async () => undefined }));
    }
    const run = (await getRun(workspaceId, runId)) ?? found;
    const open = await openApprovalsOf(workspaceId, runId);

    return { ...run, waitingFor: open.map(({ id: approvalId, node, openedAt }) => ({ approvalId, node, openedAt })) };
  },

  getRunState: async ({ account, params: { runId }, query: { seq } }) => {
    await findRun(account, runId);

    return readState(account.workspaceId, runId, SERVICE_CLEARANCE, seq);
  },

  followRun: async function* ({ account, params: { runId } }) {
    await findRun(account, runId);
    yield* followRuns(account.workspaceId, [runId], account.signal);
  },

  exportRun: async ({ account, params: { runId } }) => {
    await findRun(account, runId);
    const { workspaceId, author, token } = account;
    // The runner signs the head that the bundle ends at.
    await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body: { kind: "attest", run: runId } });
    const exporter = { workspaceId, userId: token.id, role: "viewer", auditor: false } as const;

    return writeBundle(await exportContent(exporter, runId, systemClock.now()));
  },

  verifyRun: async ({ account, params: { runId } }) => {
    await findRun(account, runId);
    const verified = await verifyStoredRun(account.workspaceId, runId);

    return verified.ok ? { ...verified, notProved: [...verified.notProved] } : verified;
  },

  cancelRun: async ({ account, params: { runId }, body: { reason }, command }) => {
    await findRun(account, runId);

    return cancelRun(toAsker(account, command), runId, reason === undefined ? {} : { reason });
  },

  forkRun: async ({ account, params: { runId }, body, command }) => {
    await findRun(account, runId);

    return forkRun(toAsker(account, command), { parent: runId, ...body, change: { type: "none" } });
  },

  takeWaitToken: async ({ account, params: { runId }, command }) => {
    await findRun(account, runId);
    const { signer, workspaceId } = account;
    const place = { workspaceId, runId };
    const token = signer.type === "token" ? deriveWaitToken(place, signer.key, command) : generateWaitToken(place);
    const body = { kind: "take_wait_token", token_hash: computeWaitTokenHash(token) } as const;
    const { seq } = await submitToWait(toAsker(account, command), runId, body);
    const state = await readState(workspaceId, runId, SERVICE_CLEARANCE, seq);
    const until = state.waiting_timeout_at;

    return { token, url: getWaitUrl(token), node: state.current_node, expiresAt: until === null ? null : Date.parse(until) };
  },

  answerWait: async ({ account, params: { runId }, body, command }) => {
    await findRun(account, runId);

    return submitToWait(toAsker(account, command), runId, { kind: "answer_wait", ...body });
  },
};
