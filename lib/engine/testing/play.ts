/** Plays runs for tests, the adversary and benches. */
import { plan, type Work } from "@/lib/engine/plan";
import type { Principal } from "@/lib/engine/principal";
import type { ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import type { PublishedGraph } from "@/lib/graph/document";

/** `R`: of a proposal, a promise where committing takes time. */
export type Played<R> = {
  readonly published: PublishedGraph;
  state(): RunState;
  /** Ms since 1970. */
  now(): number;
  propose(principal: Principal, body: ProposalBody, change: { readonly epoch: number }): R;
};

/** Actors besides the engine; undefined: does nothing. */
export type Cast<R> = {
  work?(work: Extract<Work, { type: "execute" | "verify" }>): R | undefined;
  /** People decide, or time passes. */
  wait?(until: number): R | undefined;
  /** The call that undoes this effect is under way. */
  undo?(effectId: string): R | undefined;
};

/** Plays one step. @returns undefined when nothing is left to do */
export const playStep = <R>(run: Played<R>, cast: Cast<R>, epoch = 1): R | undefined => {
  const state = run.state();
  const next = plan(run.published, state, run.now(), epoch);
  switch (next.type) {
    case "propose":
      return run.propose({ type: "engine", epoch }, next.body, { epoch });
    case "undo": {
      const isUnderWay = Object.values(state.effects).some(({ undoes, outcome }) => undoes === next.effectId && outcome === null);
      if (isUnderWay) return cast.undo?.(next.effectId);

      return run.propose({ type: "engine", epoch }, { kind: "undo", effect_id: next.effectId, availability: "ok" }, { epoch });
    }
    case "wait":
      return cast.wait?.(next.until);
    case "execute":
    case "verify":
      return cast.work?.(next);
    case "none":
      return undefined;
    default:
      return next satisfies never;
  }
};

const fail = (run: Played<unknown>, most: number): never => {
  const { status, currentNode } = run.state();
  throw new Error(`after ${most} steps the run is still ${status} at ${currentNode ?? "no node"}`);
};

/** Plays until nothing is left to do. @throws Error after `most` steps */
export const play = <R>(run: Played<R>, cast: Cast<R>, most: number, epoch?: number): void => {
  for (let count = 0; count < most; count += 1) if (playStep(run, cast, epoch) === undefined) return;
  fail(run, most);
};

/** As `play`, one step after the other. */
export const playAsync = async (run: Played<unknown>, cast: Cast<unknown>, most: number, epoch?: number): Promise<void> => {
  for (let count = 0; count < most; count += 1) {
    const played = playStep(run, cast, epoch);
    if (played === undefined) return;
    await Promise.resolve(played);
  }
  fail(run, most);
};
