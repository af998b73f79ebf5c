/** Why a draft is not saved although nobody else saved in between: a stable code, and one sentence. */
export const SAVE_REFUSALS = {
  empty_replaces: "The graph is empty now, and what is saved is not.",
  other_person: "Somebody else is signed in in this browser by now.",
  other_graph: "This is not a change of the graph that it would be saved to.",
} as const satisfies Record<string, string>;

export type SaveRefusal = keyof typeof SAVE_REFUSALS;
