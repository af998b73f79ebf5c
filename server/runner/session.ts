/** One run under one lease: its state in memory, and the queue through which every proposal about it is committed. */
import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/record";
import type { RunState } from "@/lib/engine/state";
import { commitProposal, LeaseLost, type Committed } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";

export type Submission = {
  readonly principal: Principal;
  readonly body: ProposalBody;
  /** The command that this proposal answers; its id is the proposal's id. */
  readonly command?: string;
};

export type Session = {
  /** What the run executes as a whole; `publishedHere` says what is executed where it is now. */
  readonly root: PublishedGraph;
  /** Who published the version. */
  readonly author: string;
  readonly epoch: number;
  state(): RunState;
  records(): readonly SignedRecord[];
  /** Aborted when the run ends or the lease is lost: whatever is being executed for it stops. */
  readonly ended: AbortSignal;
  /** Aborted when the run has left this visit to a node, so that a cancel reaches whatever is being done for it. */
  left(activation: number): AbortSignal;
  /** Proposals of one run are decided one after the other. @throws LeaseLost */
  submit(submission: Submission): Promise<Committed>;
  lose(): void;
};

type Loaded = {
  readonly published: PublishedGraph;
  readonly author: string;
  readonly state: RunState;
  readonly records: readonly SignedRecord[];
  readonly epoch: number;
};

export const createSession = (deps: RunnerDeps, loaded: Loaded): Session => {
  const { published, epoch } = loaded;
  const ended = new AbortController();
  const records = [...loaded.records];
  let state = loaded.state;
  let queue: Promise<unknown> = Promise.resolve();
  const visits = new Map<number, AbortController>();

  const visit = (activation: number): AbortController => {
    const known = visits.get(activation) ?? new AbortController();
    visits.set(activation, known);

    return known;
  };
  const leave = (): void => {
    for (const [activation, controller] of visits) {
      if (activation === state.activation) continue;
      controller.abort();
      visits.delete(activation);
    }
  };

  const commit = async (submission: Submission): Promise<Committed> => {
    if (ended.signal.aborted && !isTerminal(state.status)) throw new LeaseLost();
    const proposal: Proposal = {
      id: submission.command ?? deps.clock.id(),
      workspace: state.workspace,
      run: state.run,
      at: deps.clock.now(),
      principal: submission.principal,
      epoch,
      fresh: [deps.clock.id(), deps.clock.id()],
      body: submission.body,
    };
    try {
      const committed = await commitProposal(published, state, proposal, submission.command ?? null, deps.signer, deps.vault);
      state = committed.state;
      records.push(committed.signed);
      deps.notify(state.run);
      leave();
      if (isTerminal(state.status)) ended.abort();

      return committed;
    } catch (error) {
      // After a failed write nobody knows what the database holds, so nobody goes on from this memory.
      ended.abort();
      throw error;
    }
  };

  return {
    root: published,
    author: loaded.author,
    epoch,
    state: () => state,
    records: () => records,
    ended: ended.signal,
    left: (activation) => visit(activation).signal,
    submit: (submission) => {
      const next = queue.then(() => commit(submission));
      queue = next.catch(() => undefined);

      return next;
    },
    lose: () => ended.abort(),
  };
};
