/** Opening a sealed value: the record comes first, then the value. */
import { refuse } from "@/lib/refusal";
import type { DecideContext } from "@/lib/engine/decide/context";
import { reject, type Verdict } from "@/lib/engine/decide/verdict";

export const decideOpening = ({ state }: DecideContext<"open_cell">): Verdict => reject(refuse("opening_denied"), state.currentNode);
