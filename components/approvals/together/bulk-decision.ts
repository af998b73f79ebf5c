/** Checks that requests can still be decided together. */
import { isUntrustedControl } from "@/lib/engine/labels/control-position";
import { sealView, type SealedView } from "@/components/approvals/sealed-view";
import type { ApprovalDetails } from "@/components/approvals/types";

export type Shown = { readonly details: ApprovalDetails; readonly sealed: SealedView };

export const getShown = (details: ApprovalDetails): Shown => ({ details, sealed: sealView(details.view, details.transition) });

type Looked = {
  readonly details: Pick<ApprovalDetails, "canDecide"> & {
    readonly approval: Pick<ApprovalDetails["approval"], "reason">;
    readonly authority: Pick<ApprovalDetails["authority"], "risk">;
    readonly passkey: Pick<ApprovalDetails["passkey"], "required">;
    readonly view: Pick<ApprovalDetails["view"], "lines">;
  };
  readonly sealed: Pick<SealedView, "isBound">;
};

/** Explains why a request can't join; the list may be stale. */
export const explainNotThis = ({ details, sealed }: Looked): string | null => {
  const { approval, authority, canDecide, passkey, view } = details;
  if (!canDecide.ok) return canDecide.reason;
  if (!sealed.isBound) return "The transition's bytes don't match its digest.";
  if (approval.reason === "review") return "Verdicts are given one at a time.";
  if (approval.reason === "tool_input") return "Answers are given one at a time.";
  if (authority.risk === "high") return "High-risk requests are decided one at a time.";
  if (passkey.required) return "A passkey signs one decision at a time.";

  return view.lines.some(isUntrustedControl) ? "Untrusted data steers this request. Decide it on its own page." : null;
};

export const computeDigests = (all: readonly Shown[]): ReadonlyMap<string, string> =>
  new Map(all.map(({ details, sealed }) => [details.approval.id, sealed.viewDigest]));

/** Returns whether the digests equal those armed. */
export const isSame = (armed: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean =>
  armed.size === now.size && [...armed].every(([id, digest]) => now.get(id) === digest);
