import { toVisibleText } from "@/components/values/visible-text";
import { Callout } from "@/components/ui/callout";
import type { ToolDefinition } from "@/lib/mcp/definition";
import { findWidenings } from "@/lib/mcp/widening";

type Props = { readonly before: ToolDefinition; readonly after: ToolDefinition };

/** Values accepted now but not when reviewed. */
export const WideningList = ({ before, after }: Props) => {
  const found = findWidenings(before.input_schema, after.input_schema);
  if (found.length === 0) return null;

  return (
    <Callout kind="tainted" title="Accepts more than was reviewed">
      <ul aria-label="Newly accepted values" className="flex flex-col gap-0.5">
        {found.map(({ at, what }) => (
          <li key={`${at} ${what}`} className="break-words">
            <code className="font-mono text-xs">{at === "" ? "the arguments" : toVisibleText(at)}</code> {toVisibleText(what)}
          </li>
        ))}
      </ul>
    </Callout>
  );
};
