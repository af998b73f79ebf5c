/** Digests computed by this browser; `view` is parsed from the hashed text. */
import { computeViewDigest, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { transitionSchema, type Transition } from "@/lib/engine/event";
import { computeTransitionDigest } from "@/lib/engine/ledger/transition";
import { toCanonicalJson } from "@/lib/json";
import type { HexDigest } from "@/lib/hash";

export type SealedView = {
  readonly view: ApprovalView;
  /** Input of `computeViewDigest`. */
  readonly viewText: string;
  /** Null: not a canonical transition. */
  readonly transition: Transition | null;
  readonly viewDigest: HexDigest;
  readonly transitionDigest: HexDigest | null;
  /** Canonical, and matches the view's digest. */
  readonly isBound: boolean;
};

const parseTransition = (text: string) => {
  try {
    const parsed = transitionSchema.safeParse(JSON.parse(text));

    return parsed.success && toCanonicalJson(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Deep-freezes the hashed view. */
const frozen = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);

  return Object.freeze(value);
};

export const sealView = (answered: ApprovalView, transitionText: string): SealedView => {
  const transition = parseTransition(transitionText);
  const digest = transition && computeTransitionDigest(transition);
  const viewText = toCanonicalJson(answered);
  const view = frozen(JSON.parse(viewText) as ApprovalView);

  return {
    view,
    viewText,
    transition,
    viewDigest: computeViewDigest(view),
    transitionDigest: digest,
    isBound: digest !== null && digest === view.transition_digest,
  };
};
