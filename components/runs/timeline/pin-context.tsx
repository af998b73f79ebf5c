"use client";

import { Pin, PinOff } from "lucide-react";
import { createContext, useContext } from "react";
import { Button } from "@/components/ui/button";

type Pinning = { readonly pins: readonly string[]; readonly toggle: (path: string) => void };

export const PinContext = createContext<Pinning | null>(null);

/** Pins a path where available. @param path in ledger form */
export const PinButton = ({ path, shownPath }: { readonly path: string; readonly shownPath: string }) => {
  const pinning = useContext(PinContext);
  if (!pinning || path.startsWith("$")) return null;
  const isPinned = pinning.pins.includes(path);
  const Icon = isPinned ? PinOff : Pin;

  return (
    <Button
      size="icon"
      variant="ghost"
      className="size-6"
      aria-pressed={isPinned}
      aria-label={`${isPinned ? "Unpin" : "Pin"} ${shownPath}`}
      data-pin={path}
      onClick={() => pinning.toggle(path)}
    >
      <Icon aria-hidden className="size-3.5!" />
    </Button>
  );
};
