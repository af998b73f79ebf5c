export const PERSONA_NAMES = ["honest", "sloppy", "compromised", "injected"] as const;
export type PersonaName = (typeof PERSONA_NAMES)[number];

/** One family for writers and two for reviewers, who must differ from each other and the writer. */
export const SCRIPTED_FAMILIES = ["scripted", "scripted-b", "scripted-c"] as const;
