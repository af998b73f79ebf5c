"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { cn } from "./cn";
import { itemStyle, popupStyle } from "./popup-style";

type Props = {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "bottom";
  /** Called once the focus is restored. */
  readonly onClosed?: () => void;
};

export const Menu = ({ trigger, children, align = "start", side = "bottom", onClosed }: Props) => (
  <Base.Root onOpenChangeComplete={(open) => (open ? undefined : onClosed?.())}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} align={align} side={side} className="z-50">
        <Base.Popup className={cn(popupStyle, "min-w-48")}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

type ItemProps = Omit<ComponentProps<typeof Base.Item>, "className">;

export const MenuItem = (props: ItemProps) => <Base.Item {...props} className={itemStyle} />;
