import type { PublishedGraph } from "@/lib/graph/document";
import { CLEAN, type Label } from "@/lib/graph/label";
import type { RunEvent } from "@/lib/engine/event";
import type { RunState } from "@/lib/engine/state";

type Awaited = Extract<RunEvent, { type: "action_awaited" }>;

export type Ahead = Awaited["actions"][number];

/** Returns whether an external agent chooses here. */
export const isDriven = (published: PublishedGraph, state: Pick<RunState, "frames">): boolean =>
  published.graph.external !== undefined && state.frames.length === 0;

const resting = (event: Omit<Awaited, "type">): RunEvent[] => [
  { type: "action_awaited", ...event },
  { type: "status_changed", to: "waiting", reason: "action" },
];

export const beginRun = (start: string): RunEvent[] =>
  resting({ after: null, actions: [{ node: start, edge: null }], label: CLEAN, cause: "started" });

/** Rests; paths to one node are one action. */
export const settleAfter = (after: string, ahead: readonly Ahead[], label: Label, cause: Awaited["cause"]): RunEvent[] => {
  const actions = ahead.filter(({ node }, index) => ahead.findIndex((other) => other.node === node) === index);

  return resting({ after, actions, label, cause });
};

/** Returns to the last rest; null: none. */
export const settleAgain = (state: Pick<RunState, "position">, cause: "failed" | "declined"): RunEvent[] | null => {
  if (!state.position) return null;
  const { after, actions, label } = state.position;

  return resting({ after, actions: [...actions], label, cause });
};
