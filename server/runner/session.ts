/**
 * One run under one lease: its state in memory, and its proposals in order. The next may be decided before a record is stored; the
 * compare-and-swap rejects records without their predecessor. Records are published, and side effects start, only after commit.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import { createCopyOnWrite } from "@/lib/engine/copy-on-write";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { Seat } from "@/lib/people/approvers";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { findHistoryQuestion } from "@/lib/engine/approvals/history";
import { decide } from "@/lib/engine/decide";
import { isSimulated, type RunState } from "@/lib/engine/state";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { LeaseLost, applyNote, signRecord, storeRecord } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { findHistory } from "@/server/runner/history";
import { logRunEnd } from "@/server/failure-log";
import { traceCommit } from "@/server/runner/telemetry";

export type Submission = {
  readonly principal: Principal;
  readonly body: ProposalBody;
  /** Its id is the proposal's. */
  readonly command?: string;
  /** Places in which the person may decide. */
  readonly seats?: readonly Seat[];
};

export type Committed = {
  readonly verdict: Verdict;
  readonly state: RunState;
  /** Null for a command refused after the run's end. */
  readonly signed: SignedRecord | null;
};

export type Session = {
  readonly root: PublishedGraph;
  readonly author: string;
  readonly epoch: number;
  /** Decided state, possibly not stored yet. */
  state(): RunState;
  records(): readonly SignedRecord[];
  /** Aborted on the run's end or a lost lease. */
  readonly ended: AbortSignal;
  /** Aborted when the run leaves this visit, or with `ended`, so that a cancel reaches its work. */
  left(activation: number): AbortSignal;
  /** Resolves when the record, if any, is stored. @throws LeaseLost */
  submit(submission: Submission): Promise<Committed>;
  /** Resolves when decided, for callers that publish and start nothing. @throws LeaseLost */
  submitAhead(submission: Submission): Promise<Verdict>;
  /** @throws LeaseLost, or the storage error */
  stored(): Promise<void>;
  lose(): void;
  /** Returns and clears whether a command waits. */
  takeAsked(): boolean;
};

type Loaded = {
  readonly published: PublishedGraph;
  readonly author: string;
  readonly state: RunState;
  readonly records: readonly SignedRecord[];
  readonly epoch: number;
};

const MOST_AHEAD = 16;

/** Shared: creating one is most of an abort's cost. */
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

  const assertHeld = (): void => {
    // A decided but unstored end does not count.
    if (failure !== null || (ended.signal.aborted && !isTerminal(state.status))) throw new LeaseLost();
  };
  const decideNext = async (submission: Submission) => {
    assertHeld();
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
      ...(submission.seats ? { seats: submission.seats } : {}),
    };
    const verdict = decide(published, state, proposal);
    const question = verdict.ok && !isSimulated(state) ? findHistoryQuestion(verdict) : null;
    // Nothing else is decided meanwhile, so the second verdict differs by the history alone.
    const history = question ? await findHistory(deps.vault, question) : undefined;
    if (question) assertHeld();
    const known = history ? { ...proposal, history } : proposal;
    const decided = signRecord(state, known, history ? decide(published, state, known) : verdict, {
      published,
      command,
      signer: deps.signer,
      vault: deps.vault,
    });
    // An ended ledger would otherwise grow with every further command.
    if (command !== null && !decided.verdict.ok && isTerminal(state.status)) return { ...decided, state, signed: null };
    state = decided.state;
    records.push(decided.signed);
    leave();

    return decided;
  };
  const commit = async (submission: Submission, onDecided: (verdict: Verdict) => void): Promise<Committed> => {
    unstored += 1;
    try {
      const decided = await decideNext(submission);
      onDecided(decided.verdict);
      const { signed } = decided;
      if (signed === null) return decided;
      const appended = await storeRecord(decided);
      logRunEnd(decided.append.before, decided.append.after);
      deps.journal.noteHead(decided.state.run, { version: decided.state.version, digest: decided.state.head });
      state = applyNote(state, signed, note);
      asked ||= appended.asked;
      deps.notify(state.run);
      if (isTerminal(decided.state.status)) end();

      return decided;
    } catch (error) {
      // After a failed write the database's state is unknown, so this memory must not be used.
      failure ??= error instanceof Error ? error : new Error(String(error));
      end();
      throw error;
    } finally {
      unstored -= 1;
    }
  };
  const enqueue = (submission: Submission) => {
    const before = storing;
    const { promise: decided, resolve, reject } = Promise.withResolvers<Verdict>();
    const go = () => traceCommit(() => commit(submission, resolve));
    // Commands are deduplicated by the id noted with their record.
    const stored = deciding.then(() => (submission.command === undefined ? go() : before.then(go)));
    stored.catch(reject);
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
      // Yields to others.
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
