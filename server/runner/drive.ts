/** Drives one run as far as it goes: decide what people asked, do what is planned, until it waits or has ended. */
import { publishedHere } from "@/lib/engine/frame";
import { plan } from "@/lib/engine/plan";
import { LeaseLost } from "@/server/runner/commit";
import { decideCommands } from "@/server/runner/commands";
import type { RunnerDeps } from "@/server/runner/deps";
import { settleDoors } from "@/server/runner/door";
import { undoEffect } from "@/server/runner/effects";
import { openRun } from "@/server/runner/open-run";
import type { Session } from "@/server/runner/session";
import { executeNode } from "@/server/runner/work";
import { EXECUTORS } from "@/server/executors/registry";
import { verificationExecutor } from "@/server/executors/verification";
import { releaseLease, renewLease } from "@/server/store/run-heads";

/** Wakes the driver of a run: something was asked of it. */
export type Wakeups = { readonly onWake: (runId: string, wake: () => void) => () => void };

/** A retry this close is waited for under the lease; anything later is left to the timer. */
const SHORT_WAIT_MS = 2_000;
/** How often a run that is about to end looks whether the call that is under way has been answered. */
const LOOK_AGAIN_MS = 100;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** @returns whether there may be more to do */
const step = async (deps: RunnerDeps, session: Session): Promise<boolean> => {
  const work = plan(session.root, session.state(), deps.clock.now(), session.epoch);
  switch (work.type) {
    case "none":
      return false;
    case "wait": {
      if (session.state().status === "waiting" && (await settleDoors(deps, session))) return true;
      const waitMs = work.until - deps.clock.now();
      if (session.state().unwinding && session.state().status === "running") {
        await pause(Math.min(waitMs, LOOK_AGAIN_MS), session.ended);

        return true;
      }
      if (session.state().status !== "retrying" || waitMs > SHORT_WAIT_MS) return false;
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
      const before = session.state();
      const node = publishedHere(session.root, before).graph.nodes.find((candidate) => candidate.id === work.node);
      const executor = node && (work.type === "verify" ? verificationExecutor : EXECUTORS[node.kind]);
      if (node && executor) await executeNode(deps, session, node, work.activation, executor);

      // An attempt that left no trace would be made again for ever.
      return session.state().version !== before.version;
    }
    default:
      return work satisfies never;
  }
};

const keepLease = (deps: RunnerDeps, session: Session): (() => void) => {
  const { workspace, run } = session.state();
  const timer = setInterval(() => {
    renewLease(workspace, run, session.epoch, deps.leaseMs)
      .then((held) => held || session.lose())
      .catch(() => session.lose());
  }, deps.leaseMs / 3);

  return () => clearInterval(timer);
};

/** Commands are decided while a node is at work too: a cancel reaches what is running. */
const watchCommands = (deps: RunnerDeps, session: Session, wakeups: Wakeups) => {
  let asked: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  const look = () => {
    asked = asked
      .then(() => decideCommands(deps, session))
      .catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      });
  };
  const stop = wakeups.onWake(session.state().run, look);

  return {
    stop,
    /** Everything asked so far is decided. @throws LeaseLost */
    settled: async () => {
      look();
      await asked;
      if (failure) throw failure;
    },
  };
};

export const driveRun = async (deps: RunnerDeps, wakeups: Wakeups, workspaceId: string, runId: string): Promise<void> => {
  const session = await openRun(deps, workspaceId, runId);
  if (!session) return;
  const stopLease = keepLease(deps, session);
  const commands = watchCommands(deps, session, wakeups);
  try {
    await commands.settled();
    // Bounded by the run's own limits: every step that goes on has written a record.
    while (await step(deps, session)) await commands.settled();
    await commands.settled();
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    commands.stop();
    stopLease();
    await releaseLease(workspaceId, runId, session.epoch);
  }
};
