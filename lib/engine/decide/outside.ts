/** What outside agents propose: the next action, or that a person allows it. */
import { refuse } from "@/lib/refusal";
import type { DecideContext } from "@/lib/engine/decide/context";
import { reject, type Verdict } from "@/lib/engine/decide/verdict";

export const decideStep = ({ state }: DecideContext<"step">): Verdict => reject(refuse("invalid_transition"), state.currentNode);

export const decideRequest = ({ state }: DecideContext<"request_approval">): Verdict =>
  reject(refuse("invalid_transition"), state.currentNode);
