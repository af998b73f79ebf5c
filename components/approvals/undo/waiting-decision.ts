/** A decision between confirmation and commit: it can be undone until it is sent, and counts only once the ledger has answered. */

export const UNDO_MS = 5_000;

/** Tolerated delay of the timer: hidden tabs fire once a second. A machine that slept or a frozen tab is later. */
export const LATE_MS = 2_000;

/** Time limit for sending, from the end of the countdown. */
export const SEND_MS = 5_000;

/** Ignores a second Enter pressed by mistake. */
const HURRY_AFTER_MS = 500;

export type Choice = "approve" | "reject" | "abstain" | "request_changes";

export type Outcome =
  /** The committed record. */
  | { readonly ok: true; readonly seq: number | null }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly requestId: string | null };

/** Outcome of a decision that could not be sent in time; it is never sent later. */
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
  /** Page on which the decision was made. */
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

export const beginRun = (begin: Begin, nowMs: number): WaitingDecision => ({
  ...begin,
  startedAtMs: nowMs,
  phase: "counting",
  parts: begin.parts.map((part) => ({ ...part, outcome: null })),
});

export const computeLeftMs = ({ startedAtMs }: WaitingDecision, nowMs: number): number => Math.max(0, startedAtMs + UNDO_MS - nowMs);

/** Whole seconds, so that the last one shown is 1. */
export const secondsLeft = (waiting: WaitingDecision, nowMs: number): number => Math.ceil(computeLeftMs(waiting, nowMs) / 1_000);

export const isDue = (waiting: WaitingDecision, nowMs: number): boolean =>
  waiting.phase === "counting" && computeLeftMs(waiting, nowMs) === 0;

/** Whether it is too late to send. A clock that was set back counts as too late. */
export const isLate = ({ startedAtMs }: WaitingDecision, nowMs: number): boolean =>
  nowMs < startedAtMs || nowMs - startedAtMs > UNDO_MS + LATE_MS;

/** Whether it can be sent before the countdown ends. */
export const canHurry = (waiting: WaitingDecision, nowMs: number): boolean =>
  waiting.phase === "counting" && nowMs - waiting.startedAtMs >= HURRY_AFTER_MS;

/** Whether closing the page now would lose it. */
export const isUnderWay = ({ phase }: WaitingDecision): boolean => phase === "counting" || phase === "sending";

/** Undoes the decision if it has not been sent. */
export const recordUndone = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "undone" } : waiting;

export const sent = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "sending" } : waiting;

/** Settles a decision whose time passed without sending. */
export const lapsed = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting"
    ? { ...waiting, phase: "settled", parts: waiting.parts.map((part) => ({ ...part, outcome: NOT_SENT })) }
    : waiting;

/** Records the ledger's answer for one part; the last answer settles the decision. */
export const awaitAnswer = (waiting: WaitingDecision, approvalId: string, outcome: Outcome): WaitingDecision => {
  if (waiting.phase !== "sending") return waiting;
  const parts = waiting.parts.map((part) => (part.approvalId === approvalId && part.outcome === null ? { ...part, outcome } : part));

  return { ...waiting, parts, phase: parts.every((part) => part.outcome !== null) ? "settled" : "sending" };
};

export const listFailures = ({ parts }: WaitingDecision): readonly Part[] => parts.filter(({ outcome }) => outcome?.ok === false);
