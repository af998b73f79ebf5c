"use client";

import type { CanvasCommand, CommandMenu as MenuName } from "@/components/canvas/commands/canvas-tools";
import { CommandMenu } from "./command-menu";

export type MenuPlace = { readonly x: number; readonly y: number; readonly menu: MenuName };

type Props = {
  readonly commands: readonly CanvasCommand[];
  readonly open: boolean;
  readonly place: MenuPlace;
  readonly onClose: () => void;
};

export const CanvasMenu = ({ commands, open, place: { x, y, menu }, onClose }: Props) => (
  <CommandMenu
    open={open}
    menu={menu}
    commands={commands}
    onClose={onClose}
    anchor={{ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }}
    align="start"
  />
);
