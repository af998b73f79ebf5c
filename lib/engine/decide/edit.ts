/** Editing what waits for a person: another proposal, asked about in place of the first. */
import { refuse } from "@/lib/refusal";
import type { DecideContext } from "@/lib/engine/decide/context";
import { reject, type Verdict } from "@/lib/engine/decide/verdict";
import { ownEntry } from "@/lib/engine/state";

export const decideEdit = ({ state, body }: DecideContext<"edit">): Verdict =>
  reject(refuse(ownEntry(state.gates, body.approval_id) ? "edit_unsupported" : "approval_unknown"));
