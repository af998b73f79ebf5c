import { Callout } from "@/components/ui/callout";
import { toVisibleText } from "@/components/values/visible-text";
import type { ToolDefinition } from "@/lib/mcp/definition";
import { listToolTextSigns } from "@/lib/mcp/tool-texts";
import type { TextSign } from "@/lib/sanitize/text-signs";

const MOST_LISTED = 10;

const SignList = ({ label, signs }: { readonly label: string; readonly signs: readonly TextSign[] }) => (
  <ul aria-label={label} className="break-words">
    {signs.slice(0, MOST_LISTED).map(({ place, text }) => (
      <li key={`${place.join("/")} ${text}`}>
        <span className="font-mono text-xs break-all">{toVisibleText(place.join("."))}</span>: {text}
      </li>
    ))}
    {signs.length > MOST_LISTED ? <li>And {signs.length - MOST_LISTED} more.</li> : null}
  </ul>
);

export const ToolTextSigns = ({ definition }: { readonly definition: ToolDefinition | null }) => {
  if (!definition) return null;
  const { hidden, instructions } = listToolTextSigns(definition);

  return (
    <>
      {hidden.length === 0 ? null : (
        <Callout kind="refused" title="Hidden characters. Models read the texts without them.">
          <SignList label="Hidden characters" signs={hidden} />
        </Callout>
      )}
      {instructions.length === 0 ? null : (
        <Callout kind="tainted" title="A text of this tool addresses the model. It is left out of descriptions.">
          <SignList label="Instructions to the model" signs={instructions} />
        </Callout>
      )}
    </>
  );
};
