/**
 * What a drive of a run is given so that it can be stopped at a good place: calls that are under way come to their end and
 * are recorded, new ones are not begun. Seen from the records it is a runner that died between two of them.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { ProposalBody } from "@/lib/engine/proposal";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import type { Lease } from "@/server/runner/lease-keeper";
import type { Session } from "@/server/runner/session";

export type Stop = {
  /** No run is taken any more, and each that is driven is put down where it can be. */
  readonly asked: AbortSignal;
  /** Nobody waits any longer: what is under way is aborted, as a crash would do it. */
  readonly overdue: AbortSignal;
};

/** What begins a call; everything else is an end, or a moment's work. */
const BEGINS = new Set<ProposalBody["kind"]>(["model_intent", "effect_intent", "undo"]);

type Driven = { readonly deps: RunnerDeps; readonly session: Session; readonly end: () => void };

const whenAborted = (signal: AbortSignal | undefined, act: () => void, until: AbortSignal): void => {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act, { once: true, signal: until });
};

/** Nothing goes out for a run whose lease is over, whatever this process was about to do when it was stopped. */
const underLease =
  (lease: Lease, mcp: RunnerDeps["mcp"]): RunnerDeps["mcp"]["call"] =>
  (request, signal) =>
    lease.holds() ? mcp.call(request, signal) : Promise.reject(new LeaseLost());

/** Dependencies and session of one drive of a run, under its lease and until this process stops. */
export const driven = (deps: RunnerDeps, session: Session, lease: Lease): Driven => {
  const { stop } = deps;
  const over = new AbortController();
  const quiet = new AbortController();
  let underWay = 0;
  const isAsked = (): boolean => stop?.asked.aborted === true;

  /** Whoever got an answer goes on with it in the same turn: when the next one is over and nothing is under way, all is recorded. */
  const putDown = async (): Promise<void> => {
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
      if (underWay === 0 && isAsked()) void putDown();
    }
  };
  const isQuiet = new Promise<void>((resolve) => {
    for (const signal of [quiet.signal, over.signal, session.ended]) signal.addEventListener("abort", () => resolve(), { once: true });
  });
  /** Whatever begins something new waits until the calls of its neighbours are recorded: a refusal would end the node, and with it those. */
  const held = async (): Promise<void> => {
    if (!isAsked() || session.ended.aborted) return;
    await isQuiet;
    throw new LeaseLost();
  };
  lease.onLost(() => session.lose());
  whenAborted(stop?.asked, () => void putDown(), over.signal);
  whenAborted(stop?.overdue, () => session.lose(), over.signal);

  const call = underLease(lease, deps.mcp);

  return {
    deps: {
      ...deps,
      track,
      mcp: { ...deps.mcp, call: (request, signal) => track(() => call(request, signal)) },
      modelsFor: async (workspace) => {
        const models = await deps.modelsFor(workspace);

        return { ...models, generate: (request, signal) => track(() => models.generate(request, signal)) };
      },
    },
    session: {
      ...session,
      submit: async (submission) => {
        if (BEGINS.has(submission.body.kind)) await held();

        return track(() => session.submit(submission));
      },
      submitAhead: async (submission) => {
        await held();
        const verdict = session.submitAhead(submission);
        void track(() => session.stored()).catch(() => undefined);

        return verdict;
      },
    },
    end: () => over.abort(),
  };
};
