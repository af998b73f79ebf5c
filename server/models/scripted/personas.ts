/** The characters that scripted models play, and the two houses whose models play them. */
import { compromised } from "./compromised";
import { honest } from "./honest";
import { injected } from "./injected";
import type { Persona } from "./scene";
import { sloppy } from "./sloppy";

export const PERSONAS = { honest, sloppy, compromised, injected } as const satisfies Record<string, Persona>;
export type PersonaName = keyof typeof PERSONAS;

export const PERSONA_NAMES = ["honest", "sloppy", "compromised", "injected"] as const satisfies readonly PersonaName[];

/** Two families of models, so that whoever reviews can be of another one than whoever wrote. */
export const SCRIPTED_FAMILIES = ["scripted", "scripted-b"] as const;
