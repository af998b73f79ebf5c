/** Node kinds' declarations for graph rules, engine and canvas. */
import type { z } from "zod";
import type { Work, WorkOf } from "@/lib/graph/kinds/work";

/**
 * An agent's part in a node:
 * - `own`: does the node's work; its permissions cap the node's
 * - `acting`: uses the node's grants for part of the work
 * - `judge`: sees only its subject
 */
export type AgentUse = {
  readonly id: string;
  readonly role: "own" | "acting" | "judge";
  readonly times: number;
  /** A judge's subject, whose producer it must not be: a path, or its own agents' proposal. */
  readonly subject?: { readonly path: string } | "own";
};

/** A task besides the node's own; numbers below `bounds` select one: `<name>.<number>.<number>`. */
export type TaskFamily = {
  readonly name: string;
  readonly bounds: readonly number[];
  readonly agentAt: (numbers: readonly number[]) => string | undefined;
  readonly judges: boolean;
  readonly alone: boolean;
};

/** A reference besides edges. @typeParam R the changed config */
export type Link<C, R = C> = {
  readonly name: string;
  /** `route`: the run can continue there; `part`: it belongs to the node. */
  readonly role: "route" | "part";
  readonly targets: (config: C) => readonly string[];
  /** Replaces targets; undefined removes one. Returns the same config if nothing changes. */
  readonly follow: (config: C, follow: (id: string) => string | undefined) => R;
  /** Absent: not drawn. */
  readonly line?: {
    readonly label?: string;
    readonly describe: (from: string, to: string) => string;
    readonly tone: "rejection" | "expiry" | "choice" | "worker";
  };
};

/** A choice of the next node besides conditions: `goto` in each result, `handoff` once in a visit. */
export type KindChoice = {
  readonly by: "goto" | "handoff";
  readonly targets: readonly string[];
  readonly most: number;
};

export type Powers = {
  readonly may?: Partial<Record<"tells" | "chooses" | "computes" | "promotes" | "recalls" | "keeps" | "hears", readonly string[]>>;
  readonly most?: Partial<Record<"rounds" | "items" | "together" | "size", number>>;
  readonly least?: Partial<Record<"quorum" | "verdicts", number>>;
  readonly must?: Partial<Record<"shown", readonly string[]>>;
  /** Any difference counts. */
  readonly is?: Partial<Record<"rule" | "decider", unknown>>;
};

/** `what`: verb of a problem's message; `to`: path of the result; `tests`: only true passes. */
export type Expression = { readonly what: string; readonly text: string; readonly to?: string; readonly tests?: true };

export type KindFacts<C, R = C> = {
  readonly title: string;
  readonly about: string;
  readonly work: Work;
  readonly agents: (config: C) => readonly AgentUse[];
  readonly tasks: (config: C) => readonly TaskFamily[];
  readonly links: readonly Link<C, R>[];
  readonly reads: (config: C) => {
    readonly paths: readonly string[];
    /** Expressions whose memory keys are read. */
    readonly expressions?: readonly Expression[];
    /** Expressions that read through grants. */
    readonly scoring?: readonly Expression[];
  };
  /** Path of the single result. @param only the node's only write key */
  readonly answer: (config: C, only: string | undefined) => string | undefined;
  readonly reports: (config: C) => readonly string[];
  /**
   * Source of rights: `grants` are the node's keys, capped by acting agents; `declared` are `reads`, or `answer` and `reports`;
   * `both` are uncapped.
   */
  readonly rights: { readonly reads: "grants" | "declared" | "both"; readonly writes: "agents" | "grants" | "declared" | "none" };
  /** Executor actions that the control plane accepts. */
  readonly proposes: "nothing" | "updates" | "merges";
  readonly editable: boolean;
  readonly worksOnItems: boolean;
  readonly choice: (config: C) => KindChoice | undefined;
  readonly facts: (config: C) => {
    readonly recalled?: { readonly topics: string[]; readonly limit: number } | undefined;
    readonly kept?: { readonly topic: string; readonly most: number } | undefined;
  };
  readonly powers: (config: C) => Powers;
  /** True: models see handles of untrusted values; `tasks`: only in agents' tasks. */
  readonly isolates: (config: C) => boolean | "tasks";
};

/** Checks a kind against its schema. Every fact is stated, since a default would be wrong for some kind. */
export const defineKind = <S extends z.ZodType>(
  kind: KindFacts<z.output<S>> & { readonly config: S; readonly work: WorkOf<z.output<S>> },
): typeof kind => kind;
