/** Save refusals other than conflicts. */
export const SAVE_REFUSALS = {
  empty_replaces: "The graph is empty, but the saved one is not.",
  other_person: "Someone else is now signed in in this browser.",
  other_graph: "These changes belong to another graph.",
} as const satisfies Record<string, string>;

export type SaveRefusal = keyof typeof SAVE_REFUSALS;
