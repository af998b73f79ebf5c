import type { Choice } from "./waiting-decision";

/** What is said of a decision: while it is armed, on the button that commits it, and while it waits. */
export const CHOICE_TEXT = {
  approve: { armed: "Approve is armed.", verb: "Commit approval", noun: "approval", variant: "primary" },
  reject: { armed: "Reject is armed.", verb: "Commit rejection", noun: "rejection", variant: "danger" },
  abstain: { armed: "Abstain is armed.", verb: "Commit abstention", noun: "abstention", variant: "secondary" },
  request_changes: {
    armed: "A request for changes is armed.",
    verb: "Commit request",
    noun: "request for changes",
    variant: "secondary",
  },
} as const satisfies Record<Choice, object>;

/** To a tool that asks, a yes is an answer. */
const QUESTION_TEXT = {
  approve: { armed: "Your answer is armed.", verb: "Commit answer" },
  reject: { armed: "Declining is armed.", verb: "Commit declining" },
} as const;

export const armedText = (choice: Choice, isQuestion: boolean): { readonly armed: string; readonly verb: string } =>
  isQuestion && (choice === "approve" || choice === "reject") ? QUESTION_TEXT[choice] : CHOICE_TEXT[choice];
