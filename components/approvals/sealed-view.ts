/**
 * What this browser computes itself about what it shows: a decision names exactly these digests. The page renders `view`, which
 * is read back from the very text that is hashed, so that nothing can be shown that was not signed, nor the other way round.
 */
import { viewDigest, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { transitionSchema, type Transition } from "@/lib/engine/event";
import { transitionDigest } from "@/lib/engine/ledger/transition";
import { canonicalJson } from "@/lib/json";
import type { HexDigest } from "@/lib/hash";

export type SealedView = {
  /** What is rendered. */
  readonly view: ApprovalView;
  /** Its canonical JSON: what `viewDigest` is over. */
  readonly viewText: string;
  /** Null: its text is no transition, or not canonical. */
  readonly transition: Transition | null;
  readonly viewDigest: HexDigest;
  readonly transitionDigest: HexDigest | null;
  /** Whether the transition's text is canonical and has the digest that the view names. */
  readonly isBound: boolean;
};

const parseTransition = (text: string) => {
  try {
    const parsed = transitionSchema.safeParse(JSON.parse(text));

    return parsed.success && canonicalJson(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Deep-freezes, so that the page can't change what was hashed. */
const frozen = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);

  return Object.freeze(value);
};

export const sealView = (answered: ApprovalView, transitionText: string): SealedView => {
  const transition = parseTransition(transitionText);
  const digest = transition && transitionDigest(transition);
  const viewText = canonicalJson(answered);
  const view = frozen(JSON.parse(viewText) as ApprovalView);

  return {
    view,
    viewText,
    transition,
    viewDigest: viewDigest(view),
    transitionDigest: digest,
    isBound: digest !== null && digest === view.transition_digest,
  };
};
