/** Graceful drain: in-flight calls finish and are recorded; new ones wait. */
import { setImmediate as turn } from "node:timers/promises";
import type { ProposalBody } from "@/lib/engine/proposal";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import type { Lease } from "@/server/runner/lease-keeper";
import type { Session } from "@/server/runner/session";

export type Stop = {
  readonly asked: AbortSignal;
  /** In-flight calls are aborted, as in a crash. */
  readonly overdue: AbortSignal;
};

/** All other proposals end a call, or take no time. */
const STARTS_CALL = new Set<ProposalBody["kind"]>(["model_intent", "effect_intent", "undo"]);

type Draining = { readonly deps: RunnerDeps; readonly session: Session; readonly end: () => void };

const whenAborted = (signal: AbortSignal | undefined, act: () => void, until: AbortSignal): void => {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act, { once: true, signal: until });
};

/** This process may have been paused between the check and the call. */
const underLease =
  (lease: Lease, mcp: RunnerDeps["mcp"]): RunnerDeps["mcp"]["call"] =>
  (request, signal) =>
    lease.holds() ? mcp.call(request, signal) : Promise.reject(new LeaseLost());

/** Drains a drive when its lease ends or this process stops. */
export const withGracefulDrain = (deps: RunnerDeps, session: Session, lease: Lease): Draining => {
  const { stop } = deps;
  const over = new AbortController();
  const quiet = new AbortController();
  let underWay = 0;
  const isAsked = (): boolean => stop?.asked.aborted === true;

  /** Callers continue in the turn of their answer: with nothing in flight two turns later, everything is recorded. */
  const drain = async (): Promise<void> => {
    await turn();
    await turn();
    if (underWay > 0 || over.signal.aborted) return;
    session.lose();
    quiet.abort();
  };
  const track = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      if (underWay === 0 && isAsked()) void drain();
    }
  };
  const isQuiet = new Promise<void>((resolve) => {
    for (const signal of [quiet.signal, over.signal, session.ended]) signal.addEventListener("abort", () => resolve(), { once: true });
  });
  /** New calls wait for in-flight siblings, because failing here would fail the node. */
  const waitWhileDraining = async (): Promise<void> => {
    if (!isAsked() || session.ended.aborted) return;
    await isQuiet;
    throw new LeaseLost();
  };
  lease.onLost(() => session.lose());
  whenAborted(stop?.asked, () => void drain(), over.signal);
  whenAborted(stop?.overdue, () => session.lose(), over.signal);

  const call = underLease(lease, deps.mcp);

  return {
    deps: {
      ...deps,
      track,
      mcp: { ...deps.mcp, call: (request, signal) => track(() => call(request, signal)) },
      modelsFor: async (...place) => {
        const models = await deps.modelsFor(...place);

        return { ...models, generate: (request, signal, note) => track(() => models.generate(request, signal, note)) };
      },
    },
    session: {
      ...session,
      submit: async (submission) => {
        if (STARTS_CALL.has(submission.body.kind)) await waitWhileDraining();

        return track(() => session.submit(submission));
      },
      submitAhead: async (submission) => {
        await waitWhileDraining();
        const verdict = session.submitAhead(submission);
        void track(() => session.stored()).catch(() => undefined);

        return verdict;
      },
    },
    end: () => over.abort(),
  };
};
