"use client";

import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { buttonStyle, type ButtonStyle } from "./button-style";
import { cn } from "./cn";
import { Spinner } from "./spinner";
import { Tooltip } from "./tooltip";

type Props = Omit<ComponentProps<"button">, "disabled"> &
  ButtonStyle & {
    /** Disabled only with a reason; null: enabled. Stays focusable, so that keyboards reach the reason. */
    readonly disabledReason?: string | null | undefined;
    /** Progress label; further clicks are ignored. */
    readonly pending?: ReactNode;
  };

export const Button = ({ variant, size, className, disabledReason, pending, children, onClick, type = "button", ...rest }: Props) => {
  const isBlocked = Boolean(disabledReason) || Boolean(pending);
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBlocked) {
      event.preventDefault();

      return;
    }
    onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      type={type}
      aria-disabled={isBlocked || undefined}
      aria-busy={pending ? true : undefined}
      className={cn(buttonStyle({ variant, size }), className)}
      onClick={handleClick}
    >
      {pending ? (
        <>
          <Spinner />
          {pending}
        </>
      ) : (
        children
      )}
    </button>
  );

  // Same tree for null: an enabled button keeps its focus.
  return disabledReason === undefined ? button : <Tooltip text={disabledReason}>{button}</Tooltip>;
};
