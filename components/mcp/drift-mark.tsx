import { Mark } from "@/components/ui/marks/mark";
import type { ToolView } from "@/server/trpc/routers/mcp/view";

const TEXTS = { added: "Added", removed: "Removed", changed: "Changed" } as const satisfies Record<NonNullable<ToolView["drift"]>, string>;

export const DriftMark = ({ drift }: { readonly drift: ToolView["drift"] }) => (drift ? <Mark kind="tainted">{TEXTS[drift]}</Mark> : null);
