"use client";

import { createContext, useContext, useEffect, useRef, type RefObject } from "react";

export type Seeing = {
  /** Notes parts of a view as seen. Stable. */
  readonly see: (viewDigest: string, parts: readonly string[]) => void;
  readonly isRaw: boolean;
  readonly toggleRaw: () => void;
};

/** Null: nothing is decided here. */
export const SeeingContext = createContext<Seeing | null>(null);

/** Digest of the view of the parts below; null: not decided here. */
export const ViewDigestContext = createContext<string | null>(null);

const DIGEST_CHARACTERS = 16;

/** Value of a part's `data-part`. */
export const getPartId = (viewDigest: string, part: string): string => `${viewDigest.slice(0, DIGEST_CHARACTERS)} ${part}`;

export const usePart = () => {
  const [seeing, viewDigest] = [useContext(SeeingContext), useContext(ViewDigestContext)];
  const see = seeing?.see;

  return {
    isRaw: seeing?.isRaw ?? false,
    idOf: (part: string | null) => (part === null || viewDigest === null ? undefined : getPartId(viewDigest, part)),
    see: (parts: readonly string[]) => {
      if (see && viewDigest !== null) see(viewDigest, parts);
    },
  };
};

/** Height of the decision bar, which covers the end of the page. */
const BAR_PX = 72;
const HALF = 0.5;
/** A page that is still loading moves values past. */
const LOOKED_MS = 400;

const isOnScreen = ({ isIntersecting, intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  isIntersecting && (intersectionRatio >= HALF || intersectionRect.height >= (rootBounds?.height ?? Infinity) * HALF);

/** Notes a part as seen once half of it, or of a screen, was in sight for a moment. @param part null: need not be seen */
export const useOnScreen = (part: string | null): RefObject<HTMLDivElement | null> => {
  const element = useRef<HTMLDivElement>(null);
  const see = useContext(SeeingContext)?.see;
  const viewDigest = useContext(ViewDigestContext);
  useEffect(() => {
    const { current } = element;
    if (!current || part === null || viewDigest === null || !see) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (!last || !isOnScreen(last)) {
          clearTimeout(timer);
          timer = undefined;
        } else timer ??= setTimeout(() => see(viewDigest, [part]), LOOKED_MS);
      },
      { rootMargin: `0px 0px -${BAR_PX}px 0px`, threshold: [0, HALF / 2, HALF, 1] },
    );
    observer.observe(current);

    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [part, viewDigest, see]);

  return element;
};
