"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { explainDenial, type Role } from "@/lib/roles";
import { DESTINATIONS } from "./destinations";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";

/** Registers `g` and a letter for each destination. */
export const useNavShortcuts = (role: Role, auditor: boolean): void => {
  const router = useRouter();
  const shortcuts = useMemo(
    () =>
      DESTINATIONS.map(({ key, label, href, permission }) => ({
        keys: ["g", key],
        label,
        group: "Go to",
        whyNot: () => (permission === null ? null : explainDenial(role, permission, auditor)),
        run: () => router.push(href),
      })),
    [router, role, auditor],
  );
  useShortcuts(shortcuts);
};
