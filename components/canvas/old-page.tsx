"use client";

import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** Why nothing is published from a page whose rules are not the server's any more, or null: what it says about a draft may not hold there. */
export const useOldPage = (): string | null =>
  useCanvas(({ bundle, catalog }) => bundle !== null && catalog.bundle !== undefined && bundle !== catalog.bundle)
    ? "The server was updated. Reload the page first"
    : null;

/** Notice above the editor while the page is older than the server. Unsaved changes are kept in this browser. */
export const OldPage = () =>
  useOldPage() === null ? null : (
    <Callout kind="tainted" alert title="The server was updated" className="m-2">
      <div className="flex flex-wrap items-center gap-2">
        Its validation rules changed, so problems shown here may be outdated. Reload to continue; your changes are kept.
        <Button size="sm" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    </Callout>
  );
