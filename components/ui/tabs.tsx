"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cn } from "./cn";

export type Tab<Value extends string> = { readonly value: Value; readonly label: ReactNode; readonly panel: ReactNode };

type Props<Value extends string> = {
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onValueChange: (value: Value) => void;
  readonly "aria-label": string;
  readonly className?: string | undefined;
  readonly panelClassName?: string | undefined;
};

/** Controlled, for the URL. */
export const Tabs = <Value extends string>({ tabs, value, onValueChange, className, panelClassName, ...rest }: Props<Value>) => (
  <Base.Root
    value={value}
    className={cn("flex min-h-0 flex-col", className)}
    onValueChange={(next: unknown) => {
      const tab = tabs.find((each) => each.value === next);
      if (tab) onValueChange(tab.value);
    }}
  >
    <Base.List
      aria-label={rest["aria-label"]}
      className="flex shrink-0 gap-3 overflow-x-auto overflow-y-hidden border-b px-1 max-xl:gap-2.5"
    >
      {tabs.map((tab) => (
        <Base.Tab
          key={tab.value}
          value={tab.value}
          className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink"
        >
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map((tab) => (
      <Base.Panel key={tab.value} value={tab.value} className={cn("min-h-0 flex-1", panelClassName)}>
        {tab.panel}
      </Base.Panel>
    ))}
  </Base.Root>
);
