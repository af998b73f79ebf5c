import { visibleText } from "@/components/runs/visible-text";
import { Callout } from "@/components/ui/callout";
import type { ToolDefinition } from "@/lib/mcp/definition";
import { widenings } from "@/lib/mcp/widening";

type Props = { readonly before: ToolDefinition; readonly after: ToolDefinition };

/** What the tool can be told now that it could not be told when it was reviewed; nothing when it takes no more than then. */
export const WideningList = ({ before, after }: Props) => {
  const found = widenings(before.input_schema, after.input_schema);
  if (found.length === 0) return null;

  return (
    <Callout kind="tainted" title="It takes more than was reviewed">
      <ul aria-label="What it takes more" className="flex flex-col gap-0.5">
        {found.map(({ at, what }) => (
          <li key={`${at} ${what}`} className="break-words">
            <code className="font-mono text-xs">{at === "" ? "the arguments" : visibleText(at)}</code> {visibleText(what)}
          </li>
        ))}
      </ul>
    </Callout>
  );
};
