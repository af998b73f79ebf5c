"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, type ReactElement, type ReactNode } from "react";
import { buttonStyle } from "./button-style";
import { cn } from "./cn";
import { backdropStyle } from "./popup-style";

const WIDTHS = { md: "max-w-md", lg: "max-w-2xl", xl: "max-w-4xl", wide: "max-w-6xl" } as const;

export type DialogSize = keyof typeof WIDTHS;

type Props = {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Primary last. */
  readonly footer?: ReactNode;
  readonly trigger?: ReactElement;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly size?: DialogSize;
};

const FIELDS = "input, textarea, [role='combobox']";

/** An accidental key must press no button. */
const firstFocus = (popup: HTMLElement | null): HTMLElement | null =>
  [...(popup?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].find((field) => field.tabIndex >= 0) ?? popup;

export const Dialog = ({ title, description, children, footer, trigger, open, onOpenChange, size = "md" }: Props) => {
  const popup = useRef<HTMLDivElement>(null);

  return (
    <Base.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange: (next) => onOpenChange(next) } : {})}>
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup
          ref={popup}
          initialFocus={() => firstFocus(popup.current)}
          className={cn(
            "fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-lg bg-surface shadow-float outline-hidden transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
            WIDTHS[size],
          )}
        >
          <header className="flex items-start gap-3 border-b px-4 py-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {description ? <Base.Description className="text-sm text-muted">{description}</Base.Description> : null}
            </div>
            {/* Not dismissible: no close button. */}
            {open === undefined || onOpenChange ? (
              <Base.Close aria-label="Close" className={buttonStyle({ variant: "ghost", size: "icon" })}>
                <X aria-hidden />
              </Base.Close>
            ) : null}
          </header>
          {children ? <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{children}</div> : null}
          {footer ? <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">{footer}</footer> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};
