import { replyAsCompromised } from "./compromised";
import { replyAsHonest } from "./honest";
import { replyAsInjected } from "./injected";
import type { PersonaName } from "./persona-names";
import type { Persona } from "./scene";
import { replyAsSloppy } from "./sloppy";

export const PERSONAS = {
  honest: replyAsHonest,
  sloppy: replyAsSloppy,
  compromised: replyAsCompromised,
  injected: replyAsInjected,
} as const satisfies Record<PersonaName, Persona>;
