import { Mark } from "@/components/ui/marks/mark";
import type { GrantUse } from "@/lib/mcp/tool-use";
import { grantText } from "./grant-text";

export const UseMark = ({ use }: { readonly use: GrantUse }) =>
  use.verdict === "unused" ? (
    <Mark kind="waiting" bare className="whitespace-normal">
      {grantText(use)}
    </Mark>
  ) : (
    <span className="text-xs text-muted">{grantText(use)}</span>
  );
