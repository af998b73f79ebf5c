/** Arming rules against keys typed for another window. Pure; times are monotonic ms. */

/** Minimum time in front before a key can arm. */
export const LOOKED_MS = 2_000;

/** Minimum time from arming to confirming by key, to read the choice. */
export const SETTLED_MS = 500;

/** `own`: opened by the person or our pages; `foreign`: another site. */
export type Arrival = "own" | "foreign";

/** `sign`: pointer movement, wheel, touch or Tab; `press`: pointer button. */
export type Sign = "sign" | "press";

export type Subject = { readonly id: string; readonly path: string };

export type Presence = {
  readonly arrival: Arrival;
  /** Start of visible focus on one subject; null: none. */
  readonly lookedSinceMs: number | null;
  readonly sign: Sign | null;
  readonly subject: Subject | null;
};

export type Act = { readonly means: "key" | "pointer"; readonly isRepeat: boolean };

export const BY_KEY: Act = { means: "key", isRepeat: false };

/** Classifies a click: `detail` is 0 for Enter, Space or tools. */
export const actOf = ({ detail }: { readonly detail: number }): Act => (detail === 0 ? BY_KEY : { means: "pointer", isRepeat: false });

export const arrive = (arrival: Arrival): Presence => ({ arrival, lookedSinceMs: null, sign: null, subject: null });

/** Marks the page as in front. */
export const look = (presence: Presence, nowMs: number): Presence =>
  presence.lookedSinceMs === null ? { ...presence, lookedSinceMs: nowMs } : presence;

/** Marks the page as not in front. Returning requires a new sign. */
export const lookAway = (presence: Presence): Presence =>
  presence.lookedSinceMs === null && presence.sign === null ? presence : { ...presence, lookedSinceMs: null, sign: null };

export const feel = (presence: Presence, sign: Sign): Presence =>
  presence.sign === "press" || presence.sign === sign ? presence : { ...presence, sign };

/** Sets the subject. After a foreign arrival, navigating within our pages counts as own but requires a new sign. */
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

/** Explains why this act can't arm; empty: a held key; null: it arms. */
export const explainNotArming = ({ arrival, lookedSinceMs, sign }: Presence, { means, isRepeat }: Act, nowMs: number): string | null => {
  if (isRepeat) return "";
  if (means === "pointer") return null;
  if (arrival === "foreign" && sign !== "press") return REFUSED.foreign;
  if (lookedSinceMs === null || nowMs - lookedSinceMs < LOOKED_MS) return REFUSED.early;

  return sign === null ? REFUSED.untouched : null;
};

/** Returns whether this act may commit. */
export const canCommit = ({ lookedSinceMs }: Presence, armedAtMs: number, { means, isRepeat }: Act, nowMs: number): boolean =>
  !isRepeat && (means === "pointer" || (lookedSinceMs !== null && nowMs - Math.max(armedAtMs, lookedSinceMs) >= SETTLED_MS));

/** Armed choice, bound to a view digest. */
export type Armed<Choice> = { readonly choice: Choice; readonly view: string; readonly atMs: number };

/** Returns the armed choice unless the view changed. */
export const keepArmed = <Choice>(armed: Armed<Choice> | null, view: string): Armed<Choice> | null => (armed?.view === view ? armed : null);

type Opened = {
  /** `Sec-Fetch-Site`; null: not sent. */
  readonly site: string | null;
  readonly origin: string;
  readonly referrer: string;
  /** Any page in the tab can trigger Back or Forward. */
  readonly isTraversal: boolean;
};

/** Determines who opened a document; other ports, subdomains and unknown openers are foreign. */
export const readArrival = ({ site, origin, referrer, isTraversal }: Opened): Arrival => {
  const from = referrer === "" ? null : (URL.parse(referrer)?.origin ?? "unknown");
  if (isTraversal || (from !== null && from !== origin)) return "foreign";

  return site === "same-origin" || site === "none" || (site === null && from === origin) ? "own" : "foreign";
};
