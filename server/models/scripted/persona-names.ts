/** The characters of scripted models and the families whose models play them, without what they say. */
export const PERSONA_NAMES = ["honest", "sloppy", "compromised", "injected"] as const;
export type PersonaName = (typeof PERSONA_NAMES)[number];

/** One family for who writes and two for who reviews: reviewers are of different families, and none of the writer's. */
export const SCRIPTED_FAMILIES = ["scripted", "scripted-b", "scripted-c"] as const;
