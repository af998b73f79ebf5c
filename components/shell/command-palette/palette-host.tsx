"use client";

import { useMemo, useRef, useState } from "react";
import { areCharacterKeysOn, stripCharacterKeys } from "@/components/shortcuts/character-keys";
import { getCurrentShortcuts, type Shortcut } from "@/components/shortcuts/registry";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { CommandPalette, type Offer } from "./command-palette";
import { listCommandItems, jumpItems, type Item } from "./items";
import { getCurrentJumps } from "@/components/shortcuts/jumps";
import { readRecentCommands, rememberCommand } from "./recent";

const NOTHING: Offer = { commands: [], jumps: [], recent: [] };
const LABEL = "Search or run a command";

/** Before the palette takes the focus. */
const offerNow = (): Offer => {
  const others = getCurrentShortcuts().filter(({ label }) => label !== LABEL);
  const shortcuts: readonly Shortcut[] = areCharacterKeysOn() ? others : others.map(stripCharacterKeys);

  return { commands: listCommandItems(shortcuts), jumps: jumpItems(getCurrentJumps()), recent: readRecentCommands() };
};

/** Runs palette commands. Mount once. */
export const PaletteHost = () => {
  const [isOpen, setIsOpen] = useState(false);
  const [offer, setOffer] = useState(NOTHING);
  const chosen = useRef<Item | null>(null);
  const own = useMemo(
    (): readonly Shortcut[] => [
      {
        keys: ["Mod+k"],
        label: LABEL,
        group: "Everywhere",
        inFields: true,
        run: () => {
          setOffer(offerNow());
          setIsOpen(true);
        },
      },
    ],
    [],
  );
  useShortcuts(own);
  const choose = (item: Item) => {
    if (item.reason !== null) return;
    chosen.current = item;
    if (!item.id.startsWith("@") && !item.id.startsWith("hit ")) rememberCommand(item.id);
    setIsOpen(false);
  };
  // After restoring focus, so that a command can move it.
  const runChosen = () => {
    chosen.current?.run();
    chosen.current = null;
  };

  return <CommandPalette open={isOpen} offer={offer} onClose={() => setIsOpen(false)} onChoose={choose} onClosed={runChosen} />;
};
