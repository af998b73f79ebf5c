/** Declarations of a node kind about its config, read by the graph rules, the engine and the canvas. */
import type { z } from "zod";

/**
 * An agent's part in a node:
 * - `own`: does the node's work; its permissions cap the node's
 * - `acting`: uses the node's grants for part of the work
 * - `judge`: sees only its subject
 */
export type AgentUse = {
  readonly id: string;
  readonly role: "own" | "acting" | "judge";
  /** Maximum calls per attempt. */
  readonly times: number;
};

/** A task besides the node's own; numbers below `bounds` select one: `<name>.<number>.<number>`. */
export type TaskFamily = {
  readonly name: string;
  readonly bounds: readonly number[];
  readonly agentAt: (numbers: readonly number[]) => string | undefined;
  readonly judges: boolean;
  readonly alone: boolean;
};

/** A reference to another node, besides edges. @typeParam R the changed config */
export type Link<C, R = C> = {
  /** Unique within the kind. */
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
    readonly tone: "rejection" | "choice" | "worker";
  };
};

/** Facts of a kind, for a config of type `C`. */
export type KindFacts<C, R = C> = {
  readonly title: string;
  readonly about: string;
  readonly agents: (config: C) => readonly AgentUse[];
  readonly tasks: (config: C) => readonly TaskFamily[];
  readonly links: readonly Link<C, R>[];
  readonly reads: (config: C) => {
    readonly paths: readonly string[];
    /** Expressions whose memory keys are read. */
    readonly expressions?: readonly string[];
  };
  /** Path of the single result. @param only the node's only write key */
  readonly answer: (config: C, only: string | undefined) => string | undefined;
  /** Paths written besides the result. */
  readonly reports: (config: C) => readonly string[];
  /**
   * Source of rights: `grants` are the node's keys, capped by acting agents; `declared` are `reads`, or `answer` and `reports`;
   * `both` are uncapped.
   */
  readonly rights: { readonly reads: "grants" | "declared" | "both"; readonly writes: "agents" | "grants" | "declared" | "none" };
  /** True if models see handles of untrusted values; `tasks`: in an agent's tasks only. */
  readonly isolates: (config: C) => boolean | "tasks";
};

/** Checks a kind against its config's schema. Every fact is stated: a default would be silently wrong for some kind. */
export const defineKind = <S extends z.ZodType>(kind: KindFacts<z.output<S>> & { readonly config: S }): typeof kind => kind;
