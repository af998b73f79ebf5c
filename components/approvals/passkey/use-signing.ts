"use client";

import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { ApprovalDetails } from "@/components/approvals/types";
import type { Choice } from "@/components/approvals/undo/waiting-decision";
import { transitionSchema } from "@/lib/engine/event";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import { askPasskey, type Signed } from "@/components/passkeys/ask-passkey";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";

export type Signing =
  | { readonly step: "idle" }
  | { readonly step: "asking" }
  | { readonly step: "failed"; readonly why: string; readonly isMissing: boolean };

const IDLE: Signing = { step: "idle" };

export const useSigning = ({ approval, gate, passkey, transition, view }: ApprovalDetails) => {
  const client = useTRPCClient();
  const [signing, setSigning] = useState<Signing>(IDLE);

  const sign = async (choice: Choice, viewDigest: string): Promise<Signed> => {
    try {
      const { user, passkeys } = await client.passkeys.list.query();
      const { workspace, run } = transitionSchema.pick({ workspace: true, run: true }).strip().parse(JSON.parse(transition));

      return await askPasskey(
        computeApprovalChallenge({
          v: 1,
          workspace,
          run,
          approval_id: approval.id,
          transition_digest: view.transition_digest,
          view_digest: viewDigest,
          decision: choice,
          nonce: gate.nonce,
          user,
        }),
        passkeys,
      );
    } catch (error) {
      return { ok: false, why: toApiError(error).message, isMissing: false };
    }
  };

  return {
    signing,
    isNeeded: (choice: Choice): boolean => choice === "approve" && passkey.required,
    signThen: (choice: Choice, viewDigest: string, goOn: (assertion: Assertion) => void): void => {
      if (signing.step === "asking") return;
      setSigning({ step: "asking" });
      const ask = async () => {
        const signed = await sign(choice, viewDigest);
        setSigning(signed.ok ? IDLE : { step: "failed", why: signed.why, isMissing: signed.isMissing });
        if (signed.ok) goOn(signed.assertion);
      };
      void ask();
    },
    reset: () => setSigning(IDLE),
  };
};
