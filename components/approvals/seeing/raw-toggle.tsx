"use client";

import { useContext, useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { SeeingContext } from "./seeing-context";

export const RawToggle = () => {
  const seeing = useContext(SeeingContext);
  const toggle = seeing?.toggleRaw;
  const shortcuts = useMemo(() => (toggle ? [{ keys: ["v"], label: "Show raw values", group: "Decision", run: toggle }] : []), [toggle]);
  useShortcuts(shortcuts);

  return seeing ? (
    <Button size="sm" variant="ghost" aria-pressed={seeing.isRaw} onClick={seeing.toggleRaw}>
      Raw values <Kbd>v</Kbd>
    </Button>
  ) : null;
};
