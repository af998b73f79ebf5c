"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { useBlamePath } from "./use-blame-path";

const focusedPath = (): string | null => document.activeElement?.closest<HTMLElement>("[data-blame]")?.dataset["blame"] ?? null;

export const BlameShortcut = ({ first }: { readonly first: string | undefined }) => {
  const { open } = useBlamePath();
  const shortcuts = useMemo(
    () => [
      {
        keys: ["b"],
        label: "Show who wrote this value and its provenance",
        group: "Records",
        run: () => {
          const path = focusedPath() ?? first;
          if (path !== undefined) open(path);
        },
      },
    ],
    [first, open],
  );
  useShortcuts(shortcuts);

  return null;
};
