import type { Choice } from "./waiting-decision";

export const CHOICE_TEXT = {
  approve: { armed: "Approve?", verb: "Confirm approval", noun: "approval", plural: "approvals", variant: "primary" },
  reject: { armed: "Reject?", verb: "Confirm rejection", noun: "rejection", plural: "rejections", variant: "danger" },
  abstain: { armed: "Abstain?", verb: "Confirm abstention", noun: "abstention", plural: "abstentions", variant: "secondary" },
  request_changes: {
    armed: "Request changes?",
    verb: "Send request",
    noun: "request for changes",
    plural: "requests for changes",
    variant: "secondary",
  },
} as const satisfies Record<Choice, object>;

const QUESTION_TEXT = {
  approve: { armed: "Send your answer?", verb: "Send answer" },
  reject: { armed: "Decline to answer?", verb: "Confirm decline" },
} as const;

export const CHANGED_TEXT = "This request changed while you were deciding. Review it again.";

export const describeArmed = (choice: Choice, isQuestion: boolean): { readonly armed: string; readonly verb: string } =>
  isQuestion && (choice === "approve" || choice === "reject") ? QUESTION_TEXT[choice] : CHOICE_TEXT[choice];
