"use client";

import { useMemo, useState } from "react";
import type { ApprovalDetails } from "@/components/approvals/types";
import { toDraft, listQuestions, type Entered } from "./answer-draft";

export const useAnswer = ({ approval, view }: ApprovalDetails) => {
  const [entered, setEntered] = useState<Entered>({});
  const [areFaultsShown, setFaultsShown] = useState(false);
  const questions = useMemo(() => (approval.reason === "tool_input" ? listQuestions(view) : null), [approval.reason, view]);
  const draft = useMemo(() => toDraft(questions ?? [], entered), [questions, entered]);

  return questions === null
    ? null
    : {
        questions,
        entered,
        areFaultsShown,
        ...draft,
        setEntered: (place: string, typed: readonly string[]) => setEntered((before) => ({ ...before, [place]: typed })),
        /** Shows errors. @returns whether the answer is complete */
        check: (): boolean => {
          setFaultsShown(true);

          return draft.answers !== null;
        },
      };
};
