/** The characters that scripted models play, and the houses whose models play them. */
import { compromised } from "./compromised";
import { honest } from "./honest";
import { injected } from "./injected";
import type { Persona } from "./scene";
import { sloppy } from "./sloppy";

export const PERSONAS = { honest, sloppy, compromised, injected } as const satisfies Record<string, Persona>;
export type PersonaName = keyof typeof PERSONAS;

export const PERSONA_NAMES = ["honest", "sloppy", "compromised", "injected"] as const satisfies readonly PersonaName[];

/** One family for who writes and two for who reviews: reviewers are of different families, and none of the writer's. */
export const SCRIPTED_FAMILIES = ["scripted", "scripted-b", "scripted-c"] as const;
