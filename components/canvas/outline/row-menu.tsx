"use client";

import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { CommandMenu } from "@/components/canvas/menus/command-menu";
import type { Row } from "./rows";

type Props = {
  readonly open: boolean;
  readonly row: Row | null;
  readonly anchor: Element | null;
  readonly commands: readonly CanvasCommand[];
  readonly onClose: () => void;
  readonly onBack: () => void;
};

export const RowMenu = ({ open, row, anchor, commands, onClose, onBack }: Props) => (
  <CommandMenu
    open={open && row !== null}
    menu={row?.type === "edge" ? "edge" : "node"}
    commands={commands}
    onClose={onClose}
    onGone={onBack}
    anchor={anchor}
    align="end"
    sideOffset={4}
    finalFocus={false}
  />
);
