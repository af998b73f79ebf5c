import { Callout } from "@/components/ui/callout";
import type { ServerView } from "@/server/trpc/routers/mcp/view";

/** Last contact failure; error output is for admins. */
export const ServerFailure = ({ server }: { readonly server: Pick<ServerView, "lastError" | "errorOutput"> }) => {
  const { lastError, errorOutput } = server;
  if (lastError === null) return null;

  return (
    <Callout kind="refused" title={lastError}>
      {errorOutput === null ? null : (
        <>
          <p>End of its error output. Untrusted; only admins can see it.</p>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
            tabIndex={0}
            aria-label="Error output"
            className="mt-1 max-h-80 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap"
          >
            {errorOutput}
          </pre>
        </>
      )}
    </Callout>
  );
};
