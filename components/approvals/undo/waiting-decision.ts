/** A decision between confirmation and commit: it can be undone until it is sent, and counts only once the ledger has answered. */

export const UNDO_MS = 5_000;

/** How late the timer may be: hidden tabs get theirs once a second. A machine that slept, or a tab that was frozen, is later. */
export const LATE_MS = 2_000;

/** How long sending may take, from the end of the countdown. */
export const SEND_MS = 5_000;

/** Ignores a second Enter pressed by mistake. */
const HURRY_AFTER_MS = 500;

export type Choice = "approve" | "reject" | "abstain" | "request_changes";

export type Outcome =
  /** The record that the decision became. */
  | { readonly ok: true; readonly seq: number | null }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly requestId: string | null };

/** Nothing was sent while it could still be taken back, and nothing is sent later. */
export const NOT_SENT: Outcome = {
  ok: false,
  code: "not_sent",
  message: "Your decision couldn't be sent within five seconds, so nothing was sent. Review the request again.",
  requestId: null,
};

/** One request of a decision; a batch has several, each with its own outcome. */
export type Part = { readonly approvalId: string; readonly title: string; readonly outcome: Outcome | null };

/** `counting` -> `sending` -> `settled`; or `counting` -> `undone`; or `counting` -> `settled`, when it could not be sent in time. */
export type Phase = "counting" | "sending" | "settled" | "undone";

export type WaitingDecision = {
  readonly id: string;
  readonly choice: Choice;
  readonly title: string;
  /** The page that it was made on. */
  readonly href: string;
  readonly reason: string;
  /** ms since 1970, as every time here. */
  readonly startedAtMs: number;
  readonly phase: Phase;
  readonly parts: readonly Part[];
};

export type Begin = Pick<WaitingDecision, "id" | "choice" | "title" | "href" | "reason"> & {
  readonly parts: readonly Pick<Part, "approvalId" | "title">[];
};

export const begun = (begin: Begin, nowMs: number): WaitingDecision => ({
  ...begin,
  startedAtMs: nowMs,
  phase: "counting",
  parts: begin.parts.map((part) => ({ ...part, outcome: null })),
});

export const leftMs = ({ startedAtMs }: WaitingDecision, nowMs: number): number => Math.max(0, startedAtMs + UNDO_MS - nowMs);

/** Whole seconds, so that the last one shown is 1. */
export const secondsLeft = (waiting: WaitingDecision, nowMs: number): number => Math.ceil(leftMs(waiting, nowMs) / 1_000);

export const isDue = (waiting: WaitingDecision, nowMs: number): boolean => waiting.phase === "counting" && leftMs(waiting, nowMs) === 0;

/** Whether its time is over for so long that it is not sent any more; a clock that was put back says nothing about that either. */
export const isLate = ({ startedAtMs }: WaitingDecision, nowMs: number): boolean =>
  nowMs < startedAtMs || nowMs - startedAtMs > UNDO_MS + LATE_MS;

/** Whether it can be sent before its time. */
export const mayHurry = (waiting: WaitingDecision, nowMs: number): boolean =>
  waiting.phase === "counting" && nowMs - waiting.startedAtMs >= HURRY_AFTER_MS;

/** Whether closing the page now would lose it. */
export const isUnderWay = ({ phase }: WaitingDecision): boolean => phase === "counting" || phase === "sending";

/** Only what has not been sent can be taken back. */
export const undone = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "undone" } : waiting;

export const sent = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "sending" } : waiting;

/** Its time passed without it being sent. */
export const lapsed = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting"
    ? { ...waiting, phase: "settled", parts: waiting.parts.map((part) => ({ ...part, outcome: NOT_SENT })) }
    : waiting;

/** The ledger has answered about one of its parts; with the last answer it is settled. */
export const answered = (waiting: WaitingDecision, approvalId: string, outcome: Outcome): WaitingDecision => {
  if (waiting.phase !== "sending") return waiting;
  const parts = waiting.parts.map((part) => (part.approvalId === approvalId && part.outcome === null ? { ...part, outcome } : part));

  return { ...waiting, parts, phase: parts.every((part) => part.outcome !== null) ? "settled" : "sending" };
};

export const failuresOf = ({ parts }: WaitingDecision): readonly Part[] => parts.filter(({ outcome }) => outcome?.ok === false);
