"use client";

import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** Why nothing is published from a page whose rules are not the server's any more, or null: what it says about a draft may not hold there. */
export const useOldPage = (): string | null =>
  useCanvas(({ bundle, catalog }) => bundle !== null && catalog.bundle !== undefined && bundle !== catalog.bundle)
    ? "This page is older than the server: reload it first"
    : null;

/** Stands above the editor as long as the page is older than the server. What is not saved is kept in this browser. */
export const OldPage = () =>
  useOldPage() === null ? null : (
    <Callout kind="tainted" alert title="This page is older than the server" className="m-2">
      <div className="flex flex-wrap items-center gap-2">
        The server checks graphs by other rules now, so what is said here may not hold. Reload to go on; nothing is lost.
        <Button size="sm" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    </Callout>
  );
