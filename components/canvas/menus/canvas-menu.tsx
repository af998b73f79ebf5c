"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { useRef } from "react";
import type { CanvasCommand, CommandMenu } from "@/components/canvas/commands/canvas-tools";
import type { Shortcut } from "@/components/shell/shortcuts/registry";
import { cn } from "@/components/ui/cn";
import { popupStyle } from "@/components/ui/popup-style";
import { CommandItem } from "./command-item";

export type MenuPlace = { readonly x: number; readonly y: number; readonly menu: CommandMenu };

type Props = {
  readonly commands: readonly CanvasCommand[];
  readonly open: boolean;
  /** Where it stands and what it is about; that stays while it fades. */
  readonly place: MenuPlace;
  readonly onClose: () => void;
};

/** The context menu of the canvas: what the registry has for what is under the pointer. */
export const CanvasMenu = ({ commands, open, place: { x, y, menu }, onClose }: Props) => {
  const chosen = useRef<Shortcut | null>(null);
  const afterwards = (isOpen: boolean) => {
    if (isOpen) return;
    chosen.current?.run("");
    chosen.current = null;
  };

  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())} onOpenChangeComplete={afterwards}>
      <Base.Portal>
        <Base.Positioner anchor={{ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }} align="start" className="z-50">
          <Base.Popup className={cn(popupStyle, "min-w-64")}>
            {commands.map((command) =>
              command.menus?.includes(menu) === true ? (
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
