import type { GraphNode } from "@/lib/graph/document";
import { getPublishedHere } from "@/lib/engine/frame";
import { plan, type Work } from "@/lib/engine/plan";
import { LeaseLost } from "@/server/runner/commit";
import { decideCommand, decideCommands } from "@/server/runner/commands";
import type { RunState } from "@/lib/engine/state";
import type { DriveOutcome } from "@/server/metrics";
import type { RunnerDeps } from "@/server/runner/deps";
import { traceDrive } from "@/server/runner/telemetry";
import { reconcileGates } from "@/server/runner/tool-availability";
import { undoEffect } from "@/server/runner/effects";
import { openRun, type OpenedRun } from "@/server/runner/open-run";
import { withGracefulDrain } from "@/server/runner/graceful-drain";
import type { Session } from "@/server/runner/session";
import { executeNode, executeQuietly } from "@/server/runner/work";
import { getQuietExecutor } from "@/server/executors/quiet";
import { releaseLease } from "@/server/store/ledger/run-heads";
import { bindToSpan } from "@/server/trace";

export type Wakeups = { readonly onWake: (runId: string, wake: () => void) => () => void };

/** Shorter retries are waited for under the lease; longer ones are left to the timer. */
const SHORT_WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 100;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });

type NodeWork = Extract<Work, { type: "execute" | "verify" }>;

const nodeOf = (session: Session, { node: id }: NodeWork): GraphNode | undefined =>
  getPublishedHere(session.root, session.state()).graph.nodes.find((candidate) => candidate.id === id);

/** An attempt without a trace would repeat forever. */
const hasMoved = async (session: Session, attempt: () => Promise<void>): Promise<boolean> => {
  const { version } = session.state();
  await attempt();

  return session.state().version !== version;
};

const act = async (deps: RunnerDeps, session: Session, work: Work): Promise<boolean> => {
  switch (work.type) {
    case "none":
      return false;
    case "wait": {
      if (session.state().status === "waiting" && (await reconcileGates(deps, session))) return true;
      const waitMs = work.until - deps.clock.now();
      if (session.state().unwinding && session.state().status === "running") {
        await pause(Math.min(waitMs, LOOK_AGAIN_MS), session.ended);

        return true;
      }
      // An outage is never waited for under the lease.
      if (session.state().status !== "retrying" || session.state().outage || waitMs > SHORT_WAIT_MS) return false;
      await pause(Math.max(0, waitMs), session.ended);

      return true;
    }
    case "propose": {
      const { verdict } = await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: work.body });

      return verdict.ok;
    }
    case "undo":
      await undoEffect(deps, session, work.effectId);

      return true;
    case "execute":
    case "verify": {
      const node = nodeOf(session, work);
      const kind = work.type === "verify" ? "verification" : "node";

      return node ? hasMoved(session, () => executeNode(deps, session, node, work.activation, kind)) : false;
    }
    default:
      return work satisfies never;
  }
};

/** Proposals that make no call go on, except that no gate expires. */
const restsWhileStopped = (work: Work): boolean =>
  work.type === "execute" || work.type === "verify" || work.type === "undo" || (work.type === "propose" && work.body.kind === "expire");

const step = async (deps: RunnerDeps, session: Session, rests: (work: Work) => boolean): Promise<boolean> => {
  const next = () => plan(session.root, session.state(), deps.clock.now(), session.epoch);
  const work = next();
  if (rests(work)) return false;
  const node = work.type === "execute" ? nodeOf(session, work) : undefined;
  const executor = node && getQuietExecutor(node.kind);
  if (work.type === "execute" && node && executor) return hasMoved(session, () => executeQuietly(session, node, work.activation, executor));
  // Everything else builds on stored records.
  await session.stored();
  const stored = next();

  return rests(stored) ? false : act(deps, session, stored);
};

/** Commands are decided during a node's work too, so that a cancel reaches it. */
const watchCommands = (deps: RunnerDeps, session: Session, wakeups: Wakeups, begun: OpenedRun["begun"]) => {
  let asked: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  const enqueue = (decide: () => Promise<void>) => {
    asked = asked.then(decide).catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error(String(error));
    });
  };
  const look = () => enqueue(() => decideCommands(deps, session));
  if (begun) enqueue(() => decideCommand(deps, session, begun.command, begun));
  const stop = wakeups.onWake(session.state().run, bindToSpan(look));

  return {
    stop,
    /** Waits until known commands are decided. @throws LeaseLost */
    settled: async () => {
      await asked;
      if (session.takeAsked()) look();
      await asked;
      if (failure) throw failure;
    },
    /** Decides all commands so far. @throws LeaseLost */
    allSettled: async () => {
      look();
      await asked;
      if (failure) throw failure;
    },
  };
};

const leftAs = ({ status }: RunState): DriveOutcome | null =>
  status === "pending" || status === "scheduled" || status === "running" ? null : status;

const driveOpened = async (
  deps: RunnerDeps,
  wakeups: Wakeups,
  { session: opened, lease, begun }: OpenedRun,
): Promise<DriveOutcome | null> => {
  const { deps: given, session, end } = withGracefulDrain(deps, opened, lease);
  const { workspace, run } = session.state();
  // Work under way is aborted, as in a crash: the next lease recovers it.
  const watched = await deps.switches.watch(workspace, () => session.lose());
  let hasRested = false;
  const rests = (work: Work): boolean => {
    if (!watched.isStopped() || !restsWhileStopped(work)) return false;
    hasRested = true;

    return true;
  };
  const commands = watchCommands(given, session, wakeups, begun);
  try {
    // The start's record already checked for further commands.
    await (begun ? commands.settled() : commands.allSettled());
    // Bounded by the run's limits: every continuing step wrote a record.
    let { version } = session.state();
    while (await step(given, session, rests)) {
      // Only storing a record checks for commands.
      await (session.state().version === version ? commands.allSettled() : commands.settled());
      ({ version } = session.state());
    }
    await commands.allSettled();

    return hasRested ? "stopped" : leftAs(session.state());
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    if (watched.isStopped()) return "stopped";

    return deps.stop?.asked.aborted ? "put_down" : "lease_lost";
  } finally {
    end();
    watched.end();
    commands.stop();
    lease.end();
    // The next driver's process reads the file.
    await deps.journal.flush();
    await releaseLease(workspace, run, session.epoch);
  }
};

/** Drives the run until it waits, ends, loses its lease, or this process stops; null when not drivable here. */
export const driveRun = async (deps: RunnerDeps, wakeups: Wakeups, workspaceId: string, runId: string): Promise<DriveOutcome | null> => {
  const opened = await openRun(deps, workspaceId, runId);

  return opened && traceDrive(opened.session, opened.begun?.command.traceparent ?? null, () => driveOpened(deps, wakeups, opened));
};
