import type { PublishedGraph } from "@/lib/graph/document";
import type { JsonObject } from "@/lib/json";
import { listLegalActions, getStanding, type Standing } from "@/lib/outside/legal";
import { buildActionSchemas } from "@/lib/outside/schemas";
import type { RunState } from "@/lib/engine/state";

const hintOf = (standing: Standing): string => {
  switch (standing.is) {
    case "resting":
      return "Take one of valid_next_actions with step.";
    case "at_work":
      return "The action is at work. Ask for the state to learn what came of it.";
    case "gated":
      return "A person decides first. Ask for the state again later.";
    case "finished":
      return "The run has ended. reset_session begins another one.";
    default:
      return standing satisfies never;
  }
};

const waitingFor = (standing: Standing): JsonObject | null => {
  switch (standing.is) {
    case "at_work":
      return { type: "action", action: standing.action };
    case "gated":
      return { type: "person", action: standing.action, reason: standing.reason };
    case "resting":
    case "finished":
      return null;
    default:
      return standing satisfies never;
  }
};

/** Describes a run's position. @param state null: not started */
export const describeOutlook = (published: PublishedGraph, state: RunState | null): JsonObject => {
  const standing: Standing = state ? getStanding(published, state) : { is: "resting" };
  const legal = state ? listLegalActions(published, state) : [published.graph.start_node];

  return {
    valid_next_actions: [...legal],
    next_action_schemas: buildActionSchemas(published.graph, legal),
    status: state?.status ?? "not_started",
    waiting_for: waitingFor(standing),
    next_hint: hintOf(standing),
  };
};
