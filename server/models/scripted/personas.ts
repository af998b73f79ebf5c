import { replyAsCompromised } from "./compromised";
import { replyAsGeneric } from "./generic";
import { replyAsHonest } from "./honest";
import { replyAsInjected } from "./injected";
import type { PersonaName } from "@/lib/scripted-personas";
import type { Persona } from "./scene";
import { replyAsSloppy } from "./sloppy";

export const PERSONAS = {
  honest: replyAsHonest,
  generic: replyAsGeneric,
  sloppy: replyAsSloppy,
  compromised: replyAsCompromised,
  injected: replyAsInjected,
} as const satisfies Record<PersonaName, Persona>;
