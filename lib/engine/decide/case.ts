/** Cases: opened by the engine, verdicts by whoever was asked, closed by counting. */
import { refuse } from "@/lib/refusal";
import type { DecideContext } from "@/lib/engine/decide/context";
import { reject, type Verdict } from "@/lib/engine/decide/verdict";

export const decideOpenCase = ({ state }: DecideContext<"open_case">): Verdict => reject(refuse("case_unknown"), state.currentNode);

export const decideVerdict = ({ state }: DecideContext<"verdict">): Verdict => reject(refuse("verdict_unknown"), state.currentNode);

export const decideCloseCase = ({ state }: DecideContext<"close_case">): Verdict => reject(refuse("case_unknown"), state.currentNode);
