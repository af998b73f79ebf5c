/** Rules for when a key may decide, against keys typed for another window. Pure; times are ms of a monotonic clock. */

/** Time that a page must be in front before a key can arm a decision. */
export const LOOKED_MS = 2_000;

/** Minimum time between arming and confirming by key: sooner, nobody has read what is armed. */
export const SETTLED_MS = 500;

/** Who opened this document: `own` the person or one of our pages, `foreign` another site. */
export type Arrival = "own" | "foreign";

/** Evidence of a person at this page. `sign`: pointer movement, wheel, touch or Tab. `press`: a pointer button. */
export type Sign = "sign" | "press";

/** Subject of a decision, and the path of its page. */
export type Subject = { readonly id: string; readonly path: string };

export type Presence = {
  readonly arrival: Arrival;
  /** Start of the time in which the page is visible and focused with the same subject; null: it is not. */
  readonly lookedSinceMs: number | null;
  readonly sign: Sign | null;
  readonly subject: Subject | null;
};

export type Act = { readonly means: "key" | "pointer"; readonly isRepeat: boolean };

export const BY_KEY: Act = { means: "key", isRepeat: false };

/** Classifies a click: `detail` is 0 for Enter, Space or a tool that presses the button. */
export const actOf = ({ detail }: { readonly detail: number }): Act => (detail === 0 ? BY_KEY : { means: "pointer", isRepeat: false });

export const arrive = (arrival: Arrival): Presence => ({ arrival, lookedSinceMs: null, sign: null, subject: null });

/** Marks the page as in front. */
export const look = (presence: Presence, nowMs: number): Presence =>
  presence.lookedSinceMs === null ? { ...presence, lookedSinceMs: nowMs } : presence;

/** Marks the page as not in front. A person who returns, or is returned by a closing window, must give a sign again. */
export const lookAway = (presence: Presence): Presence =>
  presence.lookedSinceMs === null && presence.sign === null ? presence : { ...presence, lookedSinceMs: null, sign: null };

export const feel = (presence: Presence, sign: Sign): Presence =>
  presence.sign === "press" || presence.sign === sign ? presence : { ...presence, sign };

/**
 * Sets the subject on screen. After a foreign arrival, a navigation to another of our pages counts as chosen here; a sign is then
 * required again.
 */
export const show = (presence: Presence, subject: Subject, nowMs: number): Presence => {
  const { arrival, lookedSinceMs, sign, subject: before } = presence;
  if (before?.id === subject.id && before.path === subject.path) return presence;
  const isChosenHere = arrival === "foreign" && before !== null && before.path !== subject.path && sign !== null;

  return {
    arrival: isChosenHere ? "own" : arrival,
    sign: isChosenHere ? null : sign,
    lookedSinceMs: lookedSinceMs === null ? null : nowMs,
    subject,
  };
};

const REFUSED = {
  foreign: "Key ignored: another site opened this page. Click the button, or click anywhere on the page before you use keys.",
  early: "Key ignored: this page must be in front for two seconds first. Press the key again.",
  untouched: "Key ignored: it may have been typed for another window. Press Tab, scroll or move the pointer first.",
} as const;

/** Returns why this act can't arm: a sentence; empty for a held key, which is ignored silently; null: it arms. */
export const explainNotArming = ({ arrival, lookedSinceMs, sign }: Presence, { means, isRepeat }: Act, nowMs: number): string | null => {
  if (isRepeat) return "";
  if (means === "pointer") return null;
  if (arrival === "foreign" && sign !== "press") return REFUSED.foreign;
  if (lookedSinceMs === null || nowMs - lookedSinceMs < LOOKED_MS) return REFUSED.early;

  return sign === null ? REFUSED.untouched : null;
};

/** Whether this act may commit a choice armed at that time. */
export const canCommit = ({ lookedSinceMs }: Presence, armedAtMs: number, { means, isRepeat }: Act, nowMs: number): boolean =>
  !isRepeat && (means === "pointer" || (lookedSinceMs !== null && nowMs - Math.max(armedAtMs, lookedSinceMs) >= SETTLED_MS));

/** An armed choice, bound to the view digest on screen. */
export type Armed<Choice> = { readonly choice: Choice; readonly view: string; readonly atMs: number };

/** The armed choice if it is bound to this view; null: nothing is armed, or the view changed. */
export const keepArmed = <Choice>(armed: Armed<Choice> | null, view: string): Armed<Choice> | null => (armed?.view === view ? armed : null);

type Opened = {
  /** `Sec-Fetch-Site` of the document request; null: the browser sent none. */
  readonly site: string | null;
  readonly origin: string;
  readonly referrer: string;
  /** Whether it was reached by Back or Forward, which any page in the tab can trigger. */
  readonly isTraversal: boolean;
};

/** Determines who opened a document. Other ports, other subdomains and unknown openers count as foreign. */
export const readArrival = ({ site, origin, referrer, isTraversal }: Opened): Arrival => {
  const from = referrer === "" ? null : (URL.parse(referrer)?.origin ?? "unknown");
  if (isTraversal || (from !== null && from !== origin)) return "foreign";

  return site === "same-origin" || site === "none" || (site === null && from === origin) ? "own" : "foreign";
};
