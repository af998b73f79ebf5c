"use client";

import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { cn } from "./cn";
import { controlStyle } from "./control-style";
import { itemStyle, popupStyle } from "./popup-style";

export type SelectItem<Value extends string> = { readonly value: Value; readonly label: string };

type Props<Value extends string> = {
  readonly items: readonly SelectItem<Value>[];
  readonly value: Value | null;
  readonly onValueChange: (value: Value) => void;
  /** Required outside a `Field`. */
  readonly "aria-label"?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
};

export const Select = <Value extends string>({ items, value, onValueChange, placeholder, disabled, className, ...rest }: Props<Value>) => (
  <Base.Root
    items={items}
    value={value}
    disabled={Boolean(disabled)}
    onValueChange={(next) => {
      if (next !== null) onValueChange(next);
    }}
  >
    <Base.Trigger {...rest} className={cn(controlStyle, "flex h-8 items-center justify-between gap-2 text-left", className)}>
      <Base.Value className="truncate data-placeholder:text-faint" placeholder={placeholder ?? "Choose"} />
      <Base.Icon className="text-faint">
        <ChevronsUpDown aria-hidden className="size-3.5" />
      </Base.Icon>
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
        <Base.Popup className={cn(popupStyle, "min-w-(--anchor-width)")}>
          <Base.List className="max-h-(--available-height) overflow-y-auto">
            {items.map((item) => (
              <Base.Item key={item.value} value={item.value} className={cn(itemStyle, "pr-8")}>
                <Base.ItemText>{item.label}</Base.ItemText>
                <Base.ItemIndicator className="absolute right-2 text-accent">
                  <Check aria-hidden className="size-4" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
