/** When a key may decide: rules against keys that were typed for another window. Pure; times are ms of one clock that never goes back. */

/** How long a page has to be in front before a key decides about it. */
export const LOOKED_MS = 2_000;

/** A key this soon after arming was typed before the person could have seen what is armed. */
export const SETTLED_MS = 500;

/** How this document was opened: `own` by the person or by a page of ours, `foreign` by another site. */
export type Arrival = "own" | "foreign";

/** What shows that a person is at this page. `sign`: the pointer moved, a wheel, a touch, Tab. `press`: a button of the pointer. */
export type Sign = "sign" | "press";

/** What somebody decides about, and the page that it stands on. */
export type Subject = { readonly id: string; readonly path: string };

export type Presence = {
  readonly arrival: Arrival;
  /** Since when the page is visible and focused, with the same subject; null: it is not. */
  readonly lookedSinceMs: number | null;
  readonly sign: Sign | null;
  readonly subject: Subject | null;
};

export type Act = { readonly means: "key" | "pointer"; readonly isRepeat: boolean };

export const BY_KEY: Act = { means: "key", isRepeat: false };

/** A click that no pointer made: Enter or Space on a button, or a tool that presses it. */
export const actOf = ({ detail }: { readonly detail: number }): Act => (detail === 0 ? BY_KEY : { means: "pointer", isRepeat: false });

export const arrive = (arrival: Arrival): Presence => ({ arrival, lookedSinceMs: null, sign: null, subject: null });

/** The page is in front from now on. */
export const look = (presence: Presence, nowMs: number): Presence =>
  presence.lookedSinceMs === null ? { ...presence, lookedSinceMs: nowMs } : presence;

/** The page is not in front any more: whoever comes back, or is brought back by a window that closes, shows again that they are here. */
export const lookAway = (presence: Presence): Presence =>
  presence.lookedSinceMs === null && presence.sign === null ? presence : { ...presence, lookedSinceMs: null, sign: null };

export const feel = (presence: Presence, sign: Sign): Presence =>
  presence.sign === "press" || presence.sign === sign ? presence : { ...presence, sign };

/**
 * Something to decide about is on screen from now on. Another page of ours than the one that was opened from elsewhere was
 * chosen here; after that a sign has to be given again.
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

/** Why this act arms nothing now, in one sentence; empty: a key that is held down, about which nothing is said; null: it arms. */
export const whyNotArm = ({ arrival, lookedSinceMs, sign }: Presence, { means, isRepeat }: Act, nowMs: number): string | null => {
  if (isRepeat) return "";
  if (means === "pointer") return null;
  if (arrival === "foreign" && sign !== "press") return REFUSED.foreign;
  if (lookedSinceMs === null || nowMs - lookedSinceMs < LOOKED_MS) return REFUSED.early;

  return sign === null ? REFUSED.untouched : null;
};

/** Whether this act commits what was armed then. */
export const mayCommit = ({ lookedSinceMs }: Presence, armedAtMs: number, { means, isRepeat }: Act, nowMs: number): boolean =>
  !isRepeat && (means === "pointer" || (lookedSinceMs !== null && nowMs - Math.max(armedAtMs, lookedSinceMs) >= SETTLED_MS));

/** A choice that was armed, bound to the digest of what was on screen. */
export type Armed<Choice> = { readonly choice: Choice; readonly view: string; readonly atMs: number };

/** What is armed about exactly what is on screen now; null: nothing, or what was shown has changed. */
export const armedAbout = <Choice>(armed: Armed<Choice> | null, view: string): Armed<Choice> | null =>
  armed?.view === view ? armed : null;

type Opened = {
  /** `Sec-Fetch-Site` of the request for the document; null: the browser did not say. */
  readonly site: string | null;
  readonly origin: string;
  readonly referrer: string;
  /** Whether it was reached by going back or forward: any page in that tab may have asked for it. */
  readonly isTraversal: boolean;
};

/** Who opened a document. Another port or subdomain is another site here, and so is whoever cannot be told. */
export const arrivalOf = ({ site, origin, referrer, isTraversal }: Opened): Arrival => {
  const from = referrer === "" ? null : (URL.parse(referrer)?.origin ?? "unknown");
  if (isTraversal || (from !== null && from !== origin)) return "foreign";

  return site === "same-origin" || site === "none" || (site === null && from === origin) ? "own" : "foreign";
};
