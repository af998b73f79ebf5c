/**
 * One run under one lease: its state in memory, and the queue through which every proposal about it is committed.
 *
 * Proposals are decided one after the other, and their records are stored in that order. The next one is decided on a state whose
 * record may still be on its way to the database: the compare-and-swap keeps a record out whose predecessor was not stored. Nobody
 * is told of a record before it is stored, and nothing is done for one: whoever begins a call submits its intent and waits.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import { createCopyOnWrite } from "@/lib/engine/copy-on-write";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { decideRecord, LeaseLost, noted, storeRecord } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { traceCommit } from "@/server/runner/telemetry";

export type Submission = {
  readonly principal: Principal;
  readonly body: ProposalBody;
  /** The command that this proposal answers; its id is the proposal's id. */
  readonly command?: string;
};

/** A proposal that is decided, and what the run is after it. */
export type Committed = {
  readonly verdict: Verdict;
  readonly state: RunState;
  /** Null for a command that is refused after the run's end: the run's ledger has no record of it. */
  readonly signed: SignedRecord | null;
};

export type Session = {
  /** What the run executes as a whole; `publishedHere` says what is executed where it is now. */
  readonly root: PublishedGraph;
  /** Who published the version. */
  readonly author: string;
  readonly epoch: number;
  /** What is decided so far. */
  state(): RunState;
  records(): readonly SignedRecord[];
  /** Aborted when the run ends or the lease is lost: whatever is being executed for it stops. */
  readonly ended: AbortSignal;
  /** Aborted when the run has left this visit to a node, or `ended`: a cancel reaches whatever is being done for it. */
  left(activation: number): AbortSignal;
  /** Resolves when the record is stored, if there is one. @throws LeaseLost */
  submit(submission: Submission): Promise<Committed>;
  /** Resolves when the proposal is decided: for whoever has nothing to tell and nothing to do but to go on. @throws LeaseLost */
  submitAhead(submission: Submission): Promise<Verdict>;
  /** Resolves when all that is decided so far is stored. @throws LeaseLost, or why a record could not be stored */
  stored(): Promise<void>;
  lose(): void;
  /** Whether a command has been seen waiting since this was last called; each record that is stored looks by the way. */
  takeAsked(): boolean;
};

type Loaded = {
  readonly published: PublishedGraph;
  readonly author: string;
  readonly state: RunState;
  readonly records: readonly SignedRecord[];
  readonly epoch: number;
};

/** How many records may be on their way to the database while the next one is decided. */
const MOST_AHEAD = 16;

/** One for all, because making a reason costs more than everything else about an abort. */
const LEFT = new DOMException("The run has gone on.", "AbortError");

export const createSession = (deps: RunnerDeps, loaded: Loaded): Session => {
  const { published, epoch } = loaded;
  const ended = new AbortController();
  const records = [...loaded.records];
  let state = loaded.state;
  let deciding: Promise<unknown> = Promise.resolve();
  let storing: Promise<unknown> = Promise.resolve();
  let unstored = 0;
  let failure: Error | null = null;
  let asked = false;
  const note = createCopyOnWrite();
  const visits = new Map<number, AbortController>();

  const visit = (activation: number): AbortController => {
    const known = visits.get(activation) ?? new AbortController();
    visits.set(activation, known);
    if (ended.signal.aborted) known.abort(LEFT);

    return known;
  };
  const leave = (): void => {
    for (const [activation, controller] of visits) {
      if (activation === state.activation) continue;
      controller.abort(LEFT);
      visits.delete(activation);
    }
  };
  const end = (): void => {
    ended.abort(LEFT);
    for (const controller of visits.values()) controller.abort(LEFT);
  };

  const decideNext = (submission: Submission) => {
    // An end that was decided and not stored is none.
    if (failure !== null || (ended.signal.aborted && !isTerminal(state.status))) throw new LeaseLost();
    const { command = null } = submission;
    const proposal: Proposal = {
      id: command ?? deps.clock.id(),
      workspace: state.workspace,
      run: state.run,
      at: deps.clock.now(),
      principal: submission.principal,
      epoch,
      fresh: [deps.clock.id(), deps.clock.id()],
      body: submission.body,
    };
    const decided = decideRecord(published, state, proposal, command, deps.signer, deps.vault);
    // A ledger that is over would grow for as long as anybody went on asking.
    if (command !== null && !decided.verdict.ok && isTerminal(state.status)) return { ...decided, state, signed: null };
    state = decided.state;
    records.push(decided.signed);
    leave();

    return decided;
  };
  const commit = async (submission: Submission, onDecided: (verdict: Verdict) => void): Promise<Committed> => {
    unstored += 1;
    try {
      const decided = decideNext(submission);
      onDecided(decided.verdict);
      const { signed } = decided;
      if (signed === null) return decided;
      const appended = await storeRecord(decided);
      deps.journal.noteHead(decided.state.run, { version: decided.state.version, digest: decided.state.head });
      state = noted(state, signed, note);
      asked ||= appended.asked;
      deps.notify(state.run);
      if (isTerminal(decided.state.status)) end();

      return decided;
    } catch (error) {
      // After a failed write nobody knows what the database holds, so nobody goes on from this memory.
      failure ??= error instanceof Error ? error : new Error(String(error));
      end();
      throw error;
    } finally {
      unstored -= 1;
    }
  };
  const enqueue = (submission: Submission) => {
    const before = storing;
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const stored = deciding
      // A command is known by its id, and an id is noted with its record: what was asked twice is decided once.
      .then(() => (submission.command === undefined ? undefined : before))
      .then(() => traceCommit(() => commit(submission, resolve)));
    const decided = Promise.race([promise, stored.then(({ verdict }) => verdict)]);
    deciding = decided.catch(() => undefined);
    storing = stored.then(
      () => before,
      () => before,
    );

    return { decided, stored };
  };

  return {
    root: published,
    author: loaded.author,
    epoch,
    state: () => state,
    records: () => records,
    ended: ended.signal,
    left: (activation) => visit(activation).signal,
    submit: (submission) => enqueue(submission).stored,
    submitAhead: async (submission) => {
      const { decided, stored } = enqueue(submission);
      const verdict = await decided;
      // Whoever has much to decide leaves others their turn.
      await (unstored < MOST_AHEAD ? turn() : stored);

      return verdict;
    },
    stored: async () => {
      await storing;
      if (failure) throw failure;
    },
    lose: end,
    takeAsked: () => {
      const was = asked;
      asked = false;

      return was;
    },
  };
};
