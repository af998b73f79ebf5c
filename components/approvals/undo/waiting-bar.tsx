"use client";

import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { CHOICE_TEXT } from "./choice-text";
import { decisions } from "./decisions";
import { useNow } from "./use-decisions";
import { canHurry, secondsLeft, type WaitingDecision } from "./waiting-decision";

/** Stable: called on mount only. */
const focusOnce = (bar: HTMLElement | null): void => bar?.focus();

type Props = { readonly waiting: WaitingDecision; readonly takesFocus?: boolean };

const what = ({ choice, parts }: WaitingDecision): string =>
  parts.length === 1 ? CHOICE_TEXT[choice].noun : `${parts.length} ${CHOICE_TEXT[choice].plural}`;

export const WaitingBar = ({ waiting, takesFocus = false }: Props) => {
  const isCounting = waiting.phase === "counting";
  const nowMs = useNow(isCounting);
  if (!isCounting) {
    return (
      <Button variant="primary" pending="Committing…">
        Committing
      </Button>
    );
  }

  return (
    // The bar takes the focus, so that keys neither send nor undo.
    <section
      ref={takesFocus ? focusOnce : null}
      tabIndex={takesFocus ? -1 : undefined}
      aria-label="Time to undo"
      className="flex flex-wrap items-center gap-3 outline-none"
    >
      {/* Announced once; counting aloud drowns everything else. */}
      <p className="min-w-0 flex-1 text-sm max-sm:basis-full" aria-hidden>
        Sending {what(waiting)} in <span className="tabular font-medium">{secondsLeft(waiting, nowMs)} s</span>. Nothing has been sent yet.
      </p>
      <Button onClick={() => decisions.undo(waiting.id)}>
        Undo <Kbd>u</Kbd>
      </Button>
      <Button
        variant={CHOICE_TEXT[waiting.choice].variant}
        disabledReason={canHurry(waiting, nowMs) ? null : "Available in a moment, so that a double press does not send it"}
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault();
        }}
        onClick={() => decisions.hurry(waiting.id)}
      >
        Send now
      </Button>
    </section>
  );
};
