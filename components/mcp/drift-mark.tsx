import { Mark } from "@/components/ui/marks/mark";
import type { ToolView } from "@/server/trpc/routers/mcp/view";

const TEXTS = { added: "Added", removed: "Removed", changed: "Changed" } as const satisfies Record<NonNullable<ToolView["drift"]>, string>;

/** How a tool differs from its review; nothing when it does not. */
export const DriftMark = ({ drift }: { readonly drift: ToolView["drift"] }) => (drift ? <Mark kind="tainted">{TEXTS[drift]}</Mark> : null);
