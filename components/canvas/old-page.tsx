"use client";

import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** Explains why an outdated page can't publish; its rules may differ from the server's. */
export const useOldPage = (): string | null =>
  useCanvas(({ bundle, catalog }) => bundle !== null && catalog.bundle !== undefined && bundle !== catalog.bundle)
    ? "The server was updated. Reload the page first"
    : null;

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
