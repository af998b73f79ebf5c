/** What this browser computes itself about what it shows: a decision names exactly these digests. */
import { viewDigest, type ApprovalView } from "@/lib/engine/approval-view";
import { transitionSchema } from "@/lib/engine/event";
import { transitionDigest } from "@/lib/engine/transition";
import { canonicalJson } from "@/lib/json";
import type { HexDigest } from "@/lib/hash";

export type SealedView = {
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

export const sealView = (view: ApprovalView, transitionText: string): SealedView => {
  const transition = parseTransition(transitionText);
  const digest = transition && transitionDigest(transition);

  return { viewDigest: viewDigest(view), transitionDigest: digest, isBound: digest !== null && digest === view.transition_digest };
};
