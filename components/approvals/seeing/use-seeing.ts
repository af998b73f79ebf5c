"use client";

import { useCallback, useMemo, useState } from "react";
import { listToSee } from "@/lib/engine/approvals/view-parts";
import type { Viewing } from "@/lib/engine/approvals/viewing";
import type { SealedView } from "@/components/approvals/sealed-view";
import { getPartId, type Seeing } from "./seeing-context";

type Sealed = Pick<SealedView, "view" | "viewDigest">;

const keyOf = (viewDigest: string, part: string): string => `${viewDigest} ${part}`;

/** Opens what folds a part, and brings it into sight. */
const show = (id: string): void => {
  const found = [...document.querySelectorAll<HTMLElement>("[data-part]")].find(({ dataset }) => dataset["part"] === id);
  if (!found) return;
  for (const fold of found.querySelectorAll("details")) fold.open = true;
  for (let fold = found.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  found.scrollIntoView({ block: "center" });
};

/** Tracks the values a reviewer has seen, per view. @param sealed memoise it */
export const useSeeing = (sealed: readonly Sealed[]) => {
  const [openedAtMs] = useState(() => Date.now());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const [isRaw, setRaw] = useState(false);
  const toSee = useMemo(() => new Map(sealed.map(({ view, viewDigest }) => [viewDigest, listToSee(view)])), [sealed]);
  const see = useCallback((viewDigest: string, parts: readonly string[]) => {
    setSeen((before) => {
      const keys = parts.map((part) => keyOf(viewDigest, part)).filter((key) => !before.has(key));

      return keys.length === 0 ? before : new Set([...before, ...keys]);
    });
  }, []);
  const context = useMemo((): Seeing => ({ see, isRaw, toggleRaw: () => setRaw((before) => !before) }), [see, isRaw]);
  const left = useMemo(
    () =>
      [...toSee].flatMap(([viewDigest, parts]) =>
        parts.flatMap(({ key }) => (seen.has(keyOf(viewDigest, key)) ? [] : [{ viewDigest, key }])),
      ),
    [toSee, seen],
  );
  const showNext = useCallback(() => {
    const [next] = left;
    if (next) show(getPartId(next.viewDigest, next.key));
  }, [left]);

  return {
    context,
    left: left.length,
    isAccepted: left.length > 0 && left.every(({ viewDigest }) => accepted.has(viewDigest)),
    accept: (isOn: boolean) => setAccepted(isOn ? new Set(toSee.keys()) : new Set()),
    showNext,
    /** Recorded with an approval. */
    getViewing: (viewDigest: string, nowMs: number): Viewing => {
      const unopened = left.filter((part) => part.viewDigest === viewDigest).length;

      return { open_ms: Math.max(0, nowMs - openedAtMs), opened: (toSee.get(viewDigest)?.length ?? 0) - unopened, unopened };
    },
  };
};

export type SeeingState = ReturnType<typeof useSeeing>;
