/** A decision can be undone until sent, and counts once the ledger answers. */

export const UNDO_MS = 5_000;

/** Tolerated timer delay: hidden tabs fire once a second. */
export const LATE_MS = 2_000;

/** From the end of the countdown. */
export const SEND_MS = 5_000;

/** Ignores an accidental second Enter. */
const HURRY_AFTER_MS = 500;

export type Choice = "approve" | "reject" | "abstain" | "request_changes";

export type Outcome =
  | { readonly ok: true; readonly seq: number | null }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly requestId: string | null };

/** An unsent decision is never sent later. */
export const NOT_SENT: Outcome = {
  ok: false,
  code: "not_sent",
  message: "Your decision couldn't be sent within five seconds, so nothing was sent. Review the request again.",
  requestId: null,
};

export type Part = { readonly approvalId: string; readonly title: string; readonly outcome: Outcome | null };

/** `counting` -> `sending` -> `settled`; `counting` -> `undone`; if too late, `counting` -> `settled`. */
export type Phase = "counting" | "sending" | "settled" | "undone";

export type WaitingDecision = {
  readonly id: string;
  readonly choice: Choice;
  readonly title: string;
  readonly href: string;
  readonly reason: string;
  /** ms since 1970, as all times here. */
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

/** Whole seconds; the last shown is 1. */
export const secondsLeft = (waiting: WaitingDecision, nowMs: number): number => Math.ceil(computeLeftMs(waiting, nowMs) / 1_000);

export const isDue = (waiting: WaitingDecision, nowMs: number): boolean =>
  waiting.phase === "counting" && computeLeftMs(waiting, nowMs) === 0;

/** Returns whether it is too late; a clock set back counts. */
export const isLate = ({ startedAtMs }: WaitingDecision, nowMs: number): boolean =>
  nowMs < startedAtMs || nowMs - startedAtMs > UNDO_MS + LATE_MS;

/** Returns whether it can be sent early. */
export const canHurry = (waiting: WaitingDecision, nowMs: number): boolean =>
  waiting.phase === "counting" && nowMs - waiting.startedAtMs >= HURRY_AFTER_MS;

export const isUnderWay = ({ phase }: WaitingDecision): boolean => phase === "counting" || phase === "sending";

/** Undoes an unsent decision. */
export const recordUndone = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "undone" } : waiting;

export const sent = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting" ? { ...waiting, phase: "sending" } : waiting;

/** Settles a decision that lapsed unsent. */
export const lapsed = (waiting: WaitingDecision): WaitingDecision =>
  waiting.phase === "counting"
    ? { ...waiting, phase: "settled", parts: waiting.parts.map((part) => ({ ...part, outcome: NOT_SENT })) }
    : waiting;

export const awaitAnswer = (waiting: WaitingDecision, approvalId: string, outcome: Outcome): WaitingDecision => {
  if (waiting.phase !== "sending") return waiting;
  const parts = waiting.parts.map((part) => (part.approvalId === approvalId && part.outcome === null ? { ...part, outcome } : part));

  return { ...waiting, parts, phase: parts.every((part) => part.outcome !== null) ? "settled" : "sending" };
};

export const listFailures = ({ parts }: WaitingDecision): readonly Part[] => parts.filter(({ outcome }) => outcome?.ok === false);
