import { widensAuthority } from "@/lib/architect/fork-authority";
import { decide } from "@/lib/engine/decide";
import { publishWith } from "@/lib/engine/forks/fork";
import type { ForkChange, ForkEffects } from "@/lib/engine/forks/fork-change";
import type { Principal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import { parseEntries } from "@/lib/engine/testing/entries";
import { AUTHOR, hashOf, newRun, startBody, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { stateAt, type LedgerEntry } from "@/lib/engine/timeline";
import type { Verdict } from "@/lib/engine/decide/verdict";
import type { PublishedGraph } from "@/lib/graph/document";

export const FORKER = uuid(20);
export const FORK = uuid(30);

type Wanted = {
  readonly effects?: ForkEffects;
  readonly by?: Principal;
  readonly id?: string;
  readonly version?: PublishedGraph;
  readonly body?: Partial<BodyOf<"fork">>;
  readonly rules?: typeof decide;
};

const applyForkChange = (parent: TestRun, change: ForkChange, version: PublishedGraph | undefined): PublishedGraph =>
  version ??
  publishWith(parent.published, {
    strictTaint: change.type === "strict_taint" ? change.value : null,
    prompts: change.type === "prompt" ? { [change.agent]: change.system_prompt } : {},
  });

export const wholeOf = (parent: TestRun, fork: ForkedRun): TestRun => {
  const count = fork.entries().length - fork.records().length;
  const whole = <T>(before: readonly T[], own: readonly T[]): readonly T[] => [...before.slice(0, count), ...own];

  return {
    ...fork,
    records: () => whole(parent.records(), fork.records()),
    values: () => whole(parent.values(), fork.values()),
    salts: () => whole(parent.salts(), fork.salts()),
  };
};

export type ForkedRun = TestRun & { readonly verdict: Verdict; entries(): readonly LedgerEntry[] };

/** @param seq first record that differs */
export const forkOf = (parent: TestRun | ForkedRun, seq: number, change: ForkChange, wanted: Wanted = {}): ForkedRun => {
  const id = wanted.id ?? FORK;
  const published = applyForkChange(parent, change, wanted.version);
  const prefix = ("entries" in parent ? parent.entries() : parseEntries(parent)).slice(0, seq);
  const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(parent.published);
  const before = seq === 0 ? newRun(published).state() : stateAt(prefix, seq - 1);
  const run = newRun(published, wanted.rules ?? decide, { ...before, run: id, graphHash: hashOf(published) });
  run.pass(parent.now() - run.now() + 60_000);
  const verdict = run.propose(wanted.by ?? user(FORKER, "builder"), {
    kind: "fork",
    run: id,
    parent_run: parent.state().run,
    parent_seq: seq,
    change,
    effects: wanted.effects ?? "simulate",
    author: AUTHOR,
    start: seq === 0 ? start : null,
    widens: widensAuthority(parent.published, published),
    refused: null,
    ...wanted.body,
  });

  return { ...run, verdict, entries: () => [...prefix, ...parseEntries(run)] };
};
