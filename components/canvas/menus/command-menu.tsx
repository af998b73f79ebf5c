"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { useRef, type ComponentProps } from "react";
import type { CanvasCommand, CommandMenu as MenuName } from "@/components/canvas/commands/canvas-tools";
import type { Shortcut } from "@/components/shortcuts/registry";
import { cn } from "@/components/ui/cn";
import { popupStyle } from "@/components/ui/popup-style";
import { CommandItem } from "./command-item";

type Props = Pick<ComponentProps<typeof Base.Positioner>, "anchor" | "align" | "sideOffset"> &
  Pick<ComponentProps<typeof Base.Popup>, "finalFocus"> & {
    readonly open: boolean;
    readonly menu: MenuName;
    readonly commands: readonly CanvasCommand[];
    readonly onClose: () => void;
    /** Called after closing, before the command runs. */
    readonly onGone?: () => void;
  };

export const CommandMenu = ({ open, menu, commands, onClose, onGone, finalFocus, ...place }: Props) => {
  const chosen = useRef<Shortcut | null>(null);
  const afterwards = (isOpen: boolean) => {
    if (isOpen) return;
    onGone?.();
    chosen.current?.run("");
    chosen.current = null;
  };

  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())} onOpenChangeComplete={afterwards}>
      <Base.Portal>
        <Base.Positioner {...place} className="z-50">
          <Base.Popup className={cn(popupStyle, "min-w-64")} {...(finalFocus === undefined ? {} : { finalFocus })}>
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
