import { readArrival, arrive, feel, look, lookAway, show, type Presence, type Sign, type Subject } from "./arming";

/** Carries the server's `Sec-Fetch-Site`. */
export const SITE_ATTRIBUTE = "data-fetch-site";

let presence: Presence = arrive("foreign");
let hasArrived = false;

const nowMs = (): number => performance.now();

const arrival = () => {
  const [navigation] = performance.getEntriesByType("navigation");

  return readArrival({
    site: document.documentElement.getAttribute(SITE_ATTRIBUTE),
    origin: window.location.origin,
    referrer: document.referrer,
    isTraversal: navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward",
  });
};

const isInFront = (): boolean => document.visibilityState === "visible" && document.hasFocus();

const watch = () => {
  presence = isInFront() ? look(presence, nowMs()) : lookAway(presence);
};

const feelOf = (sign: Sign) => (event: Event) => {
  watch();
  if (event.isTrusted) presence = feel(presence, sign);
};

/** A page that appears under a resting pointer also fires pointermove. */
const createMoved = () => {
  let last: string | null = null;
  const felt = feelOf("sign");

  return (event: PointerEvent) => {
    const place = `${event.screenX} ${event.screenY}`;
    if (last !== null && last !== place) felt(event);
    last = place;
  };
};

/** Not `scroll`: a URL fragment scrolls without a person. */
const SIGNS = ["wheel", "touchmove"] as const;
const FRONT = ["focus", "blur", "pageshow", "pagehide"] as const;

/** Tracks presence. @returns a cleanup function */
export const listenForPresence = (): (() => void) => {
  if (!hasArrived) presence = arrive(arrival());
  hasArrived = true;
  watch();
  const ended = new AbortController();
  const options = { capture: true, passive: true, signal: ended.signal } as const;
  for (const type of FRONT) window.addEventListener(type, watch, options);
  document.addEventListener("visibilitychange", watch, options);
  // Another site may restore the page from the back/forward cache.
  window.addEventListener(
    "pageshow",
    ({ persisted }) => (presence = persisted ? { ...presence, arrival: "foreign", sign: null } : presence),
    options,
  );
  for (const type of SIGNS) window.addEventListener(type, feelOf("sign"), options);
  window.addEventListener("pointerdown", feelOf("press"), options);
  window.addEventListener("pointermove", createMoved(), options);
  const felt = feelOf("sign");
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Tab") felt(event);
    },
    options,
  );

  return () => ended.abort();
};

/** Current presence and monotonic time. */
export const getPresence = (): { readonly presence: Presence; readonly nowMs: number } => {
  watch();

  return { presence, nowMs: nowMs() };
};

/** Sets the subject on screen. */
export const showSubject = (subject: Subject): void => {
  watch();
  presence = show(presence, subject, nowMs());
};
