/** Scripts of the personas. */
import { compromised } from "./compromised";
import { honest } from "./honest";
import { injected } from "./injected";
import type { PersonaName } from "./persona-names";
import type { Persona } from "./scene";
import { sloppy } from "./sloppy";

export const PERSONAS = { honest, sloppy, compromised, injected } as const satisfies Record<PersonaName, Persona>;
