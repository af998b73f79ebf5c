"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { useRef } from "react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { CommandItem } from "@/components/canvas/menus/command-item";
import type { Shortcut } from "@/components/shell/shortcuts/registry";
import { cn } from "@/components/ui/cn";
import { popupStyle } from "@/components/ui/popup-style";
import type { Row } from "./rows";

type Props = {
  readonly open: boolean;
  /** The row it is about; it stays while the menu fades. */
  readonly row: Row | null;
  readonly anchor: Element | null;
  readonly commands: readonly CanvasCommand[];
  readonly onClose: () => void;
  /** Gives the keyboard back to the row. */
  readonly onBack: () => void;
};

/** What can be done with a row: the commands of the editor that are about such a thing. One menu for all rows. */
export const RowMenu = ({ open, row, anchor, commands, onClose, onBack }: Props) => {
  const chosen = useRef<Shortcut | null>(null);
  const kind = row?.type === "edge" ? "edge" : "node";
  const afterwards = (isOpen: boolean) => {
    if (isOpen) return;
    onBack();
    chosen.current?.run("");
    chosen.current = null;
  };

  return (
    <Base.Root open={open && row !== null} onOpenChange={(next) => (next ? undefined : onClose())} onOpenChangeComplete={afterwards}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align="end" className="z-50">
          <Base.Popup className={cn(popupStyle, "min-w-56")} finalFocus={false}>
            {commands.map((command) =>
              command.menus?.includes(kind) === true ? (
                <CommandItem
                  key={command.label}
                  command={command}
                  onChoose={(choice) => {
                    chosen.current = choice;
                  }}
                />
              ) : null,
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
