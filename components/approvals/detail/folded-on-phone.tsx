"use client";

import { useSyncExternalStore, type ReactNode } from "react";

const PHONE = "(max-width: 40rem)";

const subscribe = (changed: () => void): (() => void) => {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", changed);

  return () => query.removeEventListener("change", changed);
};

const isPhone = (): boolean => window.matchMedia(PHONE).matches;

/** Folds a request's surroundings on a phone, where the change fills the screen. */
export const FoldedOnPhone = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const isFolded = useSyncExternalStore(subscribe, isPhone, () => false);
  if (!isFolded) return children;

  return (
    <details className="rounded-lg border bg-surface">
      <summary className="flex min-h-12 items-center px-3 text-sm font-semibold">{title}</summary>
      <div className="flex flex-col gap-4 p-2">{children}</div>
    </details>
  );
};
