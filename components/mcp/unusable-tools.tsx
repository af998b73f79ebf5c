import { Mark } from "@/components/ui/marks/mark";
import { UNUSABLE_REASONS, type UnusableTool } from "@/lib/mcp/unusable-tool";

/** Listed tools that cannot be called, each with its reason. Names are the server's. */
export const UnusableTools = ({ tools }: { readonly tools: readonly UnusableTool[] }) =>
  tools.length === 0 ? null : (
    <section aria-label="Unusable tools" className="flex flex-col gap-1 border-t p-3 md:col-span-2">
      <h3 className="text-sm font-medium">
        {tools.length} {tools.length === 1 ? "tool" : "tools"} can&apos;t be used
      </h3>
      <p className="text-xs text-muted">
        The server lists them, but they can&apos;t be reviewed or called. The others aren&apos;t affected.
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {tools.map(({ name, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a name can be listed twice
          <li key={`${index} ${name}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-1.5 text-sm">
            <Mark kind="refused">Unusable</Mark>
            <span className="min-w-0 font-mono text-xs break-all">{name}</span>
            <span className="min-w-0 basis-60 grow text-xs text-muted">{UNUSABLE_REASONS[reason]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
