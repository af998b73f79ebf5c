import { cn } from "@/components/ui/cn";
import { count } from "@/lib/format";
import type { Json } from "@/lib/json";
import { formatValue } from "./value-text";

const TEXT = "font-mono text-xs break-words whitespace-pre-wrap [unicode-bidi:isolate]";

type Props = { readonly value: Json; readonly className?: string | undefined };

/** Value as plain text; long ones are folded. */
export const ValueView = ({ value, className }: Props) => {
  const { text, preview, characters, unseen } = formatValue(value);

  return (
    <div className={cn("min-w-0", className)}>
      {preview === null ? (
        <span dir="ltr" className={TEXT}>
          {text}
        </span>
      ) : (
        <details className="group">
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
            {text}
          </pre>
        </details>
      )}
      {unseen > 0 ? (
        <p className="text-xs text-muted">
          {count(unseen)} invisible {unseen === 1 ? "character" : "characters"} written out
        </p>
      ) : null}
    </div>
  );
};
