"use client";

import { toVisibleText } from "@/components/values/visible-text";
import { cn } from "@/components/ui/cn";
import { usePart } from "@/components/approvals/seeing/seeing-context";
import { count } from "@/lib/format";
import { formatValue } from "./value-text";
import type { Side } from "./view-model";

const TEXT = "font-mono text-xs break-words whitespace-pre-wrap [unicode-bidi:isolate]";

type Props = {
  readonly side: Side;
  readonly isLong: boolean;
  /** Part seen by opening a long value; null: none. */
  readonly part: string | null;
  /** Shown with an opened value if too long for its place. */
  readonly name?: string | null;
  readonly className?: string | undefined;
};

export const ValueView = ({ side, isLong, part, name = null, className }: Props) => {
  const { isRaw, see } = usePart();
  if (side.text !== null && !isRaw && !isLong) {
    return (
      <span dir="ltr" className={cn("min-w-0 text-sm break-words [unicode-bidi:isolate]", className)}>
        {toVisibleText(side.text)}
      </span>
    );
  }
  const { text, preview, characters, unseen } = formatValue(side.value);

  return (
    <div className={cn("min-w-0", className)}>
      {isLong ? (
        <details
          className="group"
          onToggle={(event) => {
            if (event.currentTarget.open && part !== null) see([part]);
          }}
        >
          <summary className="list-none">
            <span dir="ltr" className={cn(TEXT, "group-open:hidden")}>
              {preview}
            </span>{" "}
            <span className="text-xs font-medium text-accent underline underline-offset-2">
              <span className="group-open:hidden">Show all {count(characters)} characters</span>
              <span className="hidden group-open:inline">Show less</span>
            </span>
          </summary>
          <pre dir="ltr" className={cn(TEXT, "mt-1 max-h-96 overflow-auto rounded-sm bg-sunken px-2 py-1")}>
            {name === null ? "" : `${name}\n\n`}
            {text}
          </pre>
        </details>
      ) : (
        <span dir="ltr" className={TEXT}>
          {text}
        </span>
      )}
      {unseen > 0 ? (
        <p className="text-xs text-muted">
          {count(unseen)} invisible {unseen === 1 ? "character" : "characters"} written out
        </p>
      ) : null}
    </div>
  );
};
